import { bringMomentsBack } from "../ledger/clock-put-back"
import { raiseMark } from "../ledger/database-mark"
import { endWorker, giveSignOfLife } from "../ledger/sign-of-life"
import type { FlowDeps } from "../engine/deps"

type Beating = Pick<FlowDeps, "database" | "worker" | "underWay">

/**
 * This process runs: it says so, and renews the leases of the checks that it has under way. Called
 * every `LIMITS.heartbeatEveryMs`, whatever the passes do.
 */
export async function beat({
  database,
  worker,
  underWay,
  logger,
}: Beating & Pick<FlowDeps, "logger">): Promise<void> {
  const { noticedBy, isAhead } = await raiseMark(database)
  if (noticedBy) {
    logger.warn(
      `merchant payments: the database may lack what was committed last (${noticedBy}): rules ` +
        "send, place and cancel nothing until that time is compared with the gateway",
    )
  }
  const putBackMs = isAhead ? await bringMomentsBack(database) : undefined
  if (putBackMs !== undefined) {
    logger.warn(
      `merchant payments: the database's clock was put back by ${Math.round(putBackMs / 1_000)} s, ` +
        "and so was all that is due by it; find out what sets that clock",
    )
  }
  await giveSignOfLife(database, worker, {
    unanswered: underWay.unanswered(),
    passedMsAgo: underWay.passedMsAgo(),
  })
  await underWay.keepLeases(database)
}

/**
 * The process ends in order: what it still holds is free at once. While it changes a purchase in
 * Medusa it says nothing: the change may still be made, so others wait until it is silent.
 */
export async function lastBeat({ database, worker, underWay }: Beating): Promise<void> {
  underWay.end()
  if (underWay.purchases() === 0) await endWorker(database, worker)
}
