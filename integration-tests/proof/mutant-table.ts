/**
 * Rules broken on purpose, each with the scenarios that have to notice. A patch whose text is not
 * found exactly once is a mutant that does nothing, and counts as a survivor.
 */
import type { Moment } from "../support/moments"
import type { Scenario } from "../crash/matrix"
import type { MedusaCallFault } from "../crash/medusa-faults"
import { MEDUSA_JOURNEYS } from "../crash/medusa-journeys"
import { scriptAt } from "../crash/run-medusa"
import { SCRIPTS, UNKNOWN_AT_FIRST } from "../crash/scripts"
import { REFUND_JOURNEY } from "../crash/refund-journeys"
import { OTHER_JOURNEYS, PUSH_JOURNEY } from "../crash/journeys"
import { CHANGE_MUTANTS } from "./mutant-table-changes"
import { DOUBT_MUTANTS } from "./mutant-table-doubt"
import { SHOWN_MUTANTS } from "./mutant-table-shown"

export type Patch = { readonly file: string; readonly find: string; readonly replace: string }

export type Mutant = {
  readonly name: string
  readonly patches: readonly Patch[]
  readonly scenarios: readonly Scenario[]
  /** So many drawn histories have to notice, too; the first that does is enough. */
  readonly histories?: number
}

type Told = {
  readonly journey?: string
  readonly script?: string
  readonly at: Moment
  readonly by?: "SIGKILL" | "SIGSTOP"
  readonly shopper?: Scenario["shopper"]
}

function scenario({
  journey = PUSH_JOURNEY.name,
  script = "no fault",
  at,
  by = "SIGKILL",
  shopper = "at once",
}: Told): Scenario {
  const itsJourney = [PUSH_JOURNEY, ...OTHER_JOURNEYS].find(({ name }) => name === journey)
  const itsScript = SCRIPTS.find(({ name }) => name === script)
  if (!itsJourney || !itsScript)
    throw new Error(`there is no journey "${journey}" or script "${script}"`)
  return { journey: itsJourney, script: itsScript, death: { at, by }, shopper }
}

/** By phone, or in another journey of Medusa's, with one of its answers going wrong. */
function atMedusa(medusaFault: MedusaCallFault | null, journey = PUSH_JOURNEY.name): Scenario {
  const its = MEDUSA_JOURNEYS.find(({ name }) => name === journey)
  if (!its) throw new Error(`there is no journey "${journey}" of Medusa's`)
  return { journey: its, script: scriptAt(medusaFault), death: null, shopper: "never", medusaFault }
}

const SEND = "src/engine/send.ts"
const SETTLE = "src/orders/settle-collection.ts"
const ADVANCE = "src/ledger/advance-operation.ts"
const SCHEDULE = "src/core/schedule.ts"

const RESERVE = "src/refunds/sql/reserve-refund.ts"
const ANNOUNCE = "src/worker/announce.ts"

const ANSWERED = "after executions.collection=PROCESSING"
const SENT = `${ANSWERED}+1` as const
const UNKNOWN_NOTED = "after executions.collection=unknown+1"

export const MUTANTS: readonly Mutant[] = [
  {
    name: "refund without lock",
    patches: [
      {
        file: RESERVE,
        find: "where id = $1 and version = $2 and type",
        replace: "where id = $1 and $2::int is not null and type",
      },
      { file: RESERVE, find: " and reserved_refund_minor + $3 <= collected_minor", replace: "" },
      {
        file: "src/modules/merchant-payments/migrations/schema/operations.ts",
        find: "check (reserved_refund_minor between 0 and coalesce(collected_minor, 0))",
        replace: "check (reserved_refund_minor >= 0)",
      },
    ],
    scenarios: [
      scenario({ journey: REFUND_JOURNEY.name, at: "before medusa.shown+1", by: "SIGSTOP" }),
      scenario({ journey: REFUND_JOURNEY.name, at: "before medusa.shown+2", by: "SIGSTOP" }),
    ],
  },
  {
    name: "marked as told before it is",
    patches: [
      {
        file: ANNOUNCE,
        find: "if (announcements.length > 0) await emitInTime(deps, announcements)",
        replace: "await mark(happenings)",
      },
      {
        file: ANNOUNCE,
        find: `
    await mark(happenings)
    done`,
        replace: `
    if (announcements.length > 0) await emitInTime(deps, announcements)
    done`,
      },
    ],
    scenarios: [scenario({ at: "before bus.emit" })],
  },
  {
    name: "unknown taken for failed",
    histories: 200,
    patches: [{ file: SEND, find: `event: { note: "no_answer" },`, replace: `event: "fail",` }],
    scenarios: [
      scenario({ script: "execution reset after", at: UNKNOWN_NOTED }),
      scenario({ script: "execution 500 after", at: UNKNOWN_NOTED, shopper: "later" }),
    ],
  },
  {
    name: "a new reference when in doubt",
    patches: [
      {
        file: SEND,
        find: `      absentAt: false,\n    },\n    lease: { forMs: LIMITS.leaseMs },`,
        replace: `      absentAt: false,\n      reference: deps.ids.reference(),\n    },\n    lease: { forMs: LIMITS.leaseMs },`,
      },
      {
        file: ADVANCE,
        find: "and (reference is null or reference = $${parameters.push(reference)}::uuid)",
        replace: "and $${parameters.push(reference)}::uuid is not null",
      },
    ],
    scenarios: [
      scenario({
        script: "declined, unknown for long, approved later",
        at: "before executions.collection#2",
        shopper: "never",
      }),
    ],
  },
  {
    name: "no unique index on live payments",
    histories: 20,
    patches: [
      {
        file: "src/modules/merchant-payments/migrations/schema/operations.ts",
        find: "create unique index if not exists one_live_collection_per_payment_collection",
        replace: "create index if not exists one_live_collection_per_payment_collection",
      },
    ],
    scenarios: Array.from({ length: 6 }, () =>
      scenario({
        journey: "two tabs at once",
        at: "before medusa.basketOfCart+1",
        shopper: "never",
      }),
    ),
  },
  {
    name: "marked recorded before Medusa was told",
    histories: 40,
    patches: [
      {
        file: SETTLE,
        find: `    await recordInMedusa(deps, current, record, settlement)\n`,
        replace: `    current =
      (await persist(deps.database, current, {
        event: { note: "recorded" },
        code: "recorded",
        changes: { recordedAt: true },
        next: "never",
      })) ?? current
    await recordInMedusa(deps, current, record, settlement)\n`,
      },
    ],
    scenarios: [
      scenario({ at: "before medusa.completeCart" }),
      scenario({ at: "before medusa.completeCart", shopper: "never" }),
    ],
  },
  {
    name: "Medusa's first no strands the money",
    patches: [
      {
        file: SETTLE,
        find: `  const inMs = isAnswered ? undefined : LIMITS.settleRetryMs[attempt]\n`,
        replace: `  const inMs = isAnswered
    ? undefined
    : LIMITS.settleRetryMs[attempt + LIMITS.settleRetryMs.length]\n`,
      },
    ],
    scenarios: [
      atMedusa({ call: "completeCart", fault: "throws before", nth: 1 }),
      atMedusa({ call: "completeCart", fault: "throws after", nth: 1 }),
    ],
  },
  {
    name: "a capture whose order Medusa undid is another's money",
    patches: [
      {
        file: SETTLE,
        find: "!undone.includes(candidate),",
        replace: "undone.length >= 0,",
      },
    ],
    scenarios: [
      atMedusa(null, "a completion is undone after its capture, and Medusa makes another session"),
    ],
  },
  {
    name: "a session that is missing for a moment strands the money",
    patches: [
      {
        file: SETTLE,
        find: `if (stranded.reason !== "session_gone") return strand(`,
        replace: `if (stranded.reason !== "credentials") return strand(`,
      },
    ],
    scenarios: [atMedusa(null, "Medusa's sessions are missing for a moment when the money comes")],
  },
  {
    name: "a call into Medusa has no bound",
    patches: [
      {
        file: "src/worker/bounded.ts",
        find: "return within(clock, answer, { ms: LIMITS.medusaCallMs, error })",
        replace: "return answer",
      },
    ],
    scenarios: [atMedusa({ call: "completeCart", fault: "hangs", nth: 1 })],
  },
  {
    name: "accepted taken for paid",
    patches: [{ file: SEND, find: `event: seen ? "see"`, replace: `event: seen ? "complete"` }],
    scenarios: [
      scenario({ script: "declined", at: SENT, shopper: "never" }),
      scenario({ script: "declined", at: "after status.collection=FAILED+1", shopper: "never" }),
    ],
  },
  {
    name: "a write of who has lost the lease is taken",
    patches: [
      {
        file: ADVANCE,
        find: "where id = $1 and version = $2 and lease_token is not distinct from $3::uuid ${once}",
        replace:
          "where id = $1 and ($2::int is not null or $3::uuid is not distinct from $3::uuid) ${once}",
      },
    ],
    scenarios: [
      scenario({ at: ANSWERED, by: "SIGSTOP" }),
      scenario({ at: "after status.source=PAID", by: "SIGSTOP" }),
      scenario({ at: "after status.collection=PROCESSING", by: "SIGSTOP" }),
    ],
  },
  {
    name: "the amount is not compared",
    patches: [
      {
        file: "src/core/money.ts",
        find: "return moneyFromMajor(major.amount, currency)?.minor === money.minor",
        replace: `return major.amount !== ""`,
      },
    ],
    scenarios: [
      scenario({
        journey: "the cart is edited while the phone is asked",
        at: "after medusa.settledRecord",
        shopper: "never",
      }),
    ],
  },
  {
    name: "404 taken for never happened",
    patches: [
      {
        file: "src/core/decide/push.ts",
        find: `  if (sentAgo >= LIMITS.neverLandedAfterMs) return close(operation, "nothing_landed")`,
        replace: `  if (sentAgo >= 0) {
    return { event: "expire", reason: "never_landed", next: WATCH, code: "never_landed" }
  }`,
      },
    ],
    scenarios: [{ journey: PUSH_JOURNEY, script: UNKNOWN_AT_FIRST, death: null, shopper: "never" }],
  },
  {
    name: "what has not landed ends with its source open",
    patches: [
      {
        file: "src/core/decide/push.ts",
        find: `isOver ? close(operation, code) : RESEND`,
        replace: `isOver
        ? { event: "expire", reason: "never_landed", next: WATCH, code: "never_landed" }
        : RESEND`,
      },
    ],
    scenarios: [scenario({ at: "before executions.collection", by: "SIGSTOP", shopper: "never" })],
  },
  {
    name: "nobody looks again after an end",
    patches: [
      {
        file: SCHEDULE,
        find: `      if (event === "fail") return nextWatchInMs("failed", 0, fraction)`,
        replace: `      if (event === "fail") return undefined`,
      },
    ],
    scenarios: [
      scenario({
        script: "declined, approved later",
        at: SENT,
        shopper: "never",
      }),
    ],
  },
  {
    name: "the first FAILED is believed",
    patches: [
      {
        file: "src/core/decide/decision.ts",
        find: `  if (operation.failedAt === null) {\n    return {\n      reason,`,
        replace: `  if (operation.id === "") {\n    return {\n      reason,`,
      },
      {
        file: "src/core/decide/decision.ts",
        find: `  if (leftMs > 0) {`,
        replace: `  if (leftMs > LIMITS.failedSecondCheckMs) {`,
      },
    ],
    scenarios: [
      scenario({
        journey: "FAILED for a moment, then completed",
        at: SENT,
        shopper: "never",
      }),
    ],
  },
  {
    name: "late money is applied by itself",
    patches: [
      {
        file: "src/core/operation-types.ts",
        find: `  failed: { complete: "review", doubt: "review" },`,
        replace: `  failed: { complete: "completed", doubt: "review" },`,
      },
    ],
    scenarios: [scenario({ script: "declined, approved later", at: SENT, shopper: "never" })],
  },
  {
    name: "a draft ends with its source open",
    patches: [
      {
        file: "src/engine/end-draft.ts",
        find: `  if (draft.sourceId !== null && sourceStatus !== "CANCELED") {`,
        replace: `  if (draft.sourceId === 0) {`,
      },
      {
        file: "src/engine/end-draft.ts",
        find: `  if (draft.sourceId === null || sourceStatus === "CANCELED") return "never"`,
        replace: `  if (draft.id !== "") return "never"`,
      },
    ],
    scenarios: [scenario({ at: "after checkouts.create=ACTIVE+1", shopper: "never" })],
  },
  {
    name: "an unpaid order is cancelled while money moves for it",
    patches: [
      {
        file: "src/core/operation.ts",
        find: `  return hasEnded(operation) && operation.windowDoneAt === null &&`,
        replace: `  return operation.recordedAt === null && operation.windowDoneAt === null &&`,
      },
      {
        file: "src/orders/close-unpaid-order.ts",
        find: `  const decided = decidedByPayment(operations)\n  if (decided !== undefined) {\n    await copyWindow`,
        replace: `  const decided = decidedByPayment([])\n  if (decided !== undefined) {\n    await copyWindow`,
      },
      {
        file: "src/orders/rules/order-end.ts",
        find: `  const decided = decidedByPayment(operations)\n  if (decided !== undefined) return`,
        replace: `  const decided = decidedByPayment([])\n  if (decided !== undefined) return`,
      },
    ],
    scenarios: [
      scenario({
        journey: "ordered, and approved when its time is over",
        at: ANSWERED,
        shopper: "never",
      }),
    ],
  },
  ...CHANGE_MUTANTS,
  ...DOUBT_MUTANTS,
  ...SHOWN_MUTANTS,
]
