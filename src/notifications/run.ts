/** One run of the notifications' job. Each step is due again when the process dies in it. */
import { randomUUID } from "node:crypto"
import type { NotificationPorts } from "./deps"
import { queueHappenings, queueRequests, queueTakenBack } from "./queue"
import { sendDue } from "./send"
import { makeSummaries } from "./sql/outbox"

/** @param behind as `sendDue` takes it */
export async function notify(
  deps: NotificationPorts,
  signal?: AbortSignal,
  behind?: Parameters<typeof sendDue>[2],
): Promise<void> {
  await queueHappenings(deps, signal)
  await queueRequests(deps)
  await queueTakenBack(deps)
  await makeSummaries(deps.database, randomUUID())
  await sendDue(deps, signal, behind)
}
