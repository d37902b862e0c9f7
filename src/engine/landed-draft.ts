/**
 * Finds a draft that was sent without the ledger knowing: a standby database that took over may
 * have lost the commit of `submit`, after which the money call went out. The draft carries that
 * call's reference, so the gateway is asked for it before anything is sent or freed.
 */
import { fieldsOf } from "../core/log-fields"
import { LIMITS } from "../core/limits"
import { isOrderWindowOver, isPage, type Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { isBehind, noticeBehind } from "../ledger/database-mark"
import type { MoneyDeps } from "./deps"
import { KINDS } from "./kinds"
import { pauseIfAsked } from "./pause-checks"
import { persist } from "./persist"
import type { ShopperTime } from "./shopper-time"

export type Landed =
  /** Submitted now, without another sending. The caller keeps the lease and checks it next. */
  | { readonly kind: "landed"; readonly operation: Operation }
  | { readonly kind: "absent" }
  | { readonly kind: "unanswered" }

/**
 * Asks whether the gateway knows the draft's reference. The caller holds the draft by lease and
 * keeps it.
 *
 * @param shopper whose time the question must fit into; left out: it is a job's question
 */
export async function askLanded(
  deps: MoneyDeps,
  gateway: Gateway,
  draft: Operation,
  shopper?: ShopperTime,
): Promise<Landed> {
  // The gateway makes the execution of a payment by page, under a reference of its own.
  if (draft.type === "COLLECTION" && isPage(draft)) return { kind: "absent" }
  // Without a credential nothing was sent, unless the commit that wrote it is lost.
  if (draft.credentialId === null && !(await isBehind(deps.database))) return { kind: "absent" }
  if (!shopper) await deps.budget.take(draft.accountId)
  const { ask } = KINDS[draft.type]
  const asked = await ask(gateway, draft.draftReference, shopper?.callOptions())
  const { finding, isNotFound } = asked
  await pauseIfAsked(deps, draft.accountId, finding)
  // A collection's source is a second witness; money that goes back or out has a 404 alone.
  const isAbsent = finding.kind === "absent" || (isNotFound && draft.type !== "COLLECTION")
  if (isAbsent) return { kind: "absent" }
  if (finding.kind !== "seen") return { kind: "unanswered" }
  const operation = await adopt(deps, draft)
  return operation ? { kind: "landed", operation } : { kind: "unanswered" }
}

async function adopt(deps: MoneyDeps, draft: Operation): Promise<Operation | undefined> {
  const changes: Changes = {
    reference: draft.draftReference,
    submittedAt: true,
    sendings: 1,
    lastSentAt: true,
    lastSending: "accepted",
    absentAt: false,
  }
  const how = {
    code: "found_sent",
    next: { inMs: KINDS[draft.type].firstCheckMs() },
    lease: { forMs: LIMITS.leaseMs },
  } as const
  const submitted = await persist(deps.database, draft, { ...how, event: "submit", changes })
  const adopted =
    submitted ??
    // Once its order's time is over nothing is submitted: the draft ends and is watched for money.
    (isOrderWindowOver(draft)
      ? await persist(deps.database, draft, {
          ...how,
          event: "expire",
          changes: { ...changes, reason: "window_closed", checks: 0 },
        })
      : undefined)
  if (adopted) {
    // Where one commit is lost, others may be.
    await noticeBehind(deps.database, "gateway")
    deps.logger.warn(
      `merchant payments: ${draft.id} was a draft here, and the gateway knows its reference: it ` +
        "was sent, and the database has lost that. It goes on as sent.",
      fieldsOf(draft, "draft_landed"),
    )
  }
  return adopted
}
