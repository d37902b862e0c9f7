/**
 * Rules broken on purpose, each with the scenarios that have to notice. A patch whose text is not found
 * exactly once is a mutant that does nothing, and counts as a survivor.
 */
import type { FailpointName } from "../../src/core/ports"
import type { Scenario } from "../crash/matrix"
import type { HostFault } from "../crash/medusa-faults"
import { MEDUSA_STORIES } from "../crash/medusa-stories"
import { OK, SCRIPTS } from "../crash/scripts"
import { REFUND_STORY } from "../crash/refund-stories"
import { OTHER_STORIES, PUSH_STORY } from "../crash/stories"

export type Patch = { readonly file: string; readonly find: string; readonly replace: string }

export type Mutant = {
  readonly name: string
  readonly patches: readonly Patch[]
  readonly scenarios: readonly Scenario[]
  /** So many drawn sequences have to notice, too; the first that does is enough. */
  readonly sequences?: number
}

type Told = {
  readonly story?: string
  readonly script?: string
  readonly at: FailpointName
  readonly by?: "SIGKILL" | "SIGSTOP"
  readonly shopper?: Scenario["shopper"]
}

function scenario({
  story = PUSH_STORY.name,
  script = "no fault",
  at,
  by = "SIGKILL",
  shopper = "at once",
}: Told): Scenario {
  const itsStory = [PUSH_STORY, ...OTHER_STORIES].find(({ name }) => name === story)
  const itsScript = SCRIPTS.find(({ name }) => name === script)
  if (!itsStory || !itsScript) throw new Error(`there is no story "${story}" or script "${script}"`)
  return { story: itsStory, script: itsScript, death: { at, by }, shopper }
}

/** By phone, or in another story of Medusa's, with one of its answers going wrong. */
function atMedusa(hostFault: HostFault | null, story = PUSH_STORY.name): Scenario {
  const its = MEDUSA_STORIES.find(({ name }) => name === story)
  if (!its) throw new Error(`there is no story "${story}" of Medusa's`)
  return { story: its, script: OK, death: null, shopper: "never", hostFault }
}

const SEND = "src/flows/send-money-call.ts"
const SETTLE = "src/flows/settle-collection.ts"
const ADVANCE = "src/ledger/advance-operation.ts"
const CHECK = "src/flows/check-operation.ts"

const RESERVE = "src/ledger/reserve-refund.ts"
const ANNOUNCE = "src/flows/announce.ts"

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
        file: "src/modules/merchant-payments/migrations/Migration20261120090000.ts",
        find: "check (reserved_refund_minor between 0 and coalesce(collected_minor, 0))",
        replace: "check (reserved_refund_minor >= 0)",
      },
    ],
    scenarios: [scenario({ story: REFUND_STORY.name, at: "refund.before_reserve", by: "SIGSTOP" })],
  },
  {
    name: "marked as told before it is",
    patches: [
      {
        file: ANNOUNCE,
        find: "if (announcements.length > 0) await tellInTime(deps, announcements)",
        replace: "await mark(happenings)",
      },
      {
        file: ANNOUNCE,
        find: `failpoints.at("announce.told")
    await mark(happenings)`,
        replace: `failpoints.at("announce.told")
    if (announcements.length > 0) await tellInTime(deps, announcements)`,
      },
    ],
    scenarios: [scenario({ story: "the shop is told of it", at: "announce.told" })],
  },
  {
    name: "unknown taken for failed",
    sequences: 60,
    patches: [{ file: SEND, find: `event: { note: "no_answer" },`, replace: `event: "fail",` }],
    scenarios: [
      scenario({ script: "execution reset after", at: "execute.committed" }),
      scenario({ script: "execution 500 after", at: "execute.committed", shopper: "later" }),
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
      scenario({ script: "status knows nothing yet", at: "execute.answered" }),
      scenario({ script: "status knows nothing yet", at: "resend.committed" }),
    ],
  },
  {
    name: "no unique index on live payments",
    sequences: 20,
    patches: [
      {
        file: "src/modules/merchant-payments/migrations/Migration20261120090000.ts",
        find: "create unique index if not exists one_live_collection_per_payment_collection",
        replace: "create index if not exists one_live_collection_per_payment_collection",
      },
    ],
    scenarios: Array.from({ length: 6 }, () =>
      scenario({ story: "two tabs at once", at: "draft.before_commit", shopper: "never" }),
    ),
  },
  {
    name: "marked recorded before Medusa was told",
    sequences: 40,
    patches: [
      {
        file: SETTLE,
        find: `    deps.failpoints.at("host.before_call")\n`,
        replace: `    current =
      (await persist(deps.database, current, {
        event: { note: "recorded" },
        why: "mutant",
        changes: { recordedAt: true },
        next: "never",
      })) ?? current
    deps.failpoints.at("host.before_call")\n`,
      },
    ],
    scenarios: [
      scenario({ at: "host.before_call" }),
      scenario({ at: "host.before_call", shopper: "never" }),
    ],
  },
  {
    name: "Medusa's first no strands the money",
    patches: [
      {
        file: SETTLE,
        find: `  const inMs = LIMITS.settleRetryMs[attempt]\n`,
        replace: `  const inMs = LIMITS.settleRetryMs[attempt + LIMITS.settleRetryMs.length]\n`,
      },
    ],
    scenarios: [
      atMedusa({ call: "completeCart", fault: "throws before", nth: 1 }),
      atMedusa({ call: "completeCart", fault: "throws after", nth: 1 }),
    ],
  },
  {
    name: "accepted taken for paid",
    patches: [{ file: SEND, find: `event: seen ? "see"`, replace: `event: seen ? "complete"` }],
    scenarios: [
      scenario({ script: "declined", at: "execute.committed", shopper: "never" }),
      scenario({ script: "declined", at: "verdict.committed", shopper: "never" }),
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
      scenario({ at: "execute.answered", by: "SIGSTOP" }),
      scenario({ at: "verdict.before_commit", by: "SIGSTOP" }),
      scenario({ at: "look.answered", by: "SIGSTOP" }),
    ],
  },
  {
    name: "the amount is not compared",
    patches: [
      {
        file: SETTLE,
        find: `  if (currency.toUpperCase() !== operation.amount.currency) return false
  return moneyFromMajor(amount, operation.amount.currency)?.minor === operation.amount.minor`,
        replace: `  return currency.toUpperCase() === operation.amount.currency && amount !== ""`,
      },
    ],
    scenarios: [
      scenario({ story: "the cart is edited behind the payment", at: "settle.read" }),
      scenario({ story: "the cart is edited behind the payment", at: "host.answered" }),
    ],
  },
  {
    name: "404 taken for never happened",
    patches: [
      {
        file: "src/core/decide-push.ts",
        find: `  if (operation.lastSending === "refused" && operation.sendings === 1) {`,
        replace: `  if (sentAgo >= 0) {`,
      },
    ],
    scenarios: [
      scenario({ script: "status knows nothing yet", at: "look.answered", shopper: "later" }),
      scenario({ script: "status knows nothing yet", at: "execute.answered" }),
    ],
  },
  {
    name: "what has not landed ends with its source open",
    patches: [
      {
        file: "src/core/decide-push.ts",
        find: `        ? close(operation, "nothing has landed in time; closing the source decides")`,
        replace: `        ? { event: "expire", reason: "never_landed", next: WATCH, why: "mutant" }`,
      },
    ],
    scenarios: [
      scenario({ at: "execute.before_call", by: "SIGSTOP", shopper: "never" }),
      scenario({ at: "submit.committed", by: "SIGSTOP", shopper: "never" }),
    ],
  },
  {
    name: "nobody looks again after an end",
    patches: [
      {
        file: CHECK,
        find: `      if (decision.event === "fail") return nextWatchInMs("failed", 0, fraction)`,
        replace: `      if (decision.event === "fail") return undefined`,
      },
    ],
    scenarios: [
      scenario({
        script: "declined, approved later",
        at: "execute.committed",
        shopper: "never",
      }),
    ],
  },
  {
    name: "the first FAILED is believed",
    patches: [
      {
        file: "src/core/decide-push.ts",
        find: `  if (operation.failedAt === null) {\n    return {\n      reason,`,
        replace: `  if (operation.id === "") {\n    return {\n      reason,`,
      },
      {
        file: "src/core/decide-push.ts",
        find: `  if (leftMs > 0) {`,
        replace: `  if (leftMs > LIMITS.failedSecondLookMs) {`,
      },
    ],
    scenarios: [
      scenario({
        story: "FAILED for a moment, then completed",
        at: "execute.committed",
        shopper: "never",
      }),
    ],
  },
  {
    name: "late money is applied by itself",
    patches: [
      {
        file: "src/core/operation.ts",
        find: `  failed: { complete: "review", doubt: "review" },`,
        replace: `  failed: { complete: "completed", doubt: "review" },`,
      },
    ],
    scenarios: [
      scenario({ script: "declined, approved later", at: "execute.committed", shopper: "never" }),
    ],
  },
  {
    name: "a draft ends with its source open",
    patches: [
      {
        file: "src/flows/expire-draft.ts",
        find: `  if (draft.sourceId !== null && sourceStatus !== "CANCELED") {`,
        replace: `  if (draft.sourceId === 0) {`,
      },
      {
        file: "src/flows/expire-draft.ts",
        find: `  if (draft.sourceId === null || sourceStatus === "CANCELED") return "never"`,
        replace: `  if (draft.id !== "") return "never"`,
      },
    ],
    scenarios: [scenario({ at: "checkout.committed", shopper: "never" })],
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
        file: "src/flows/close-unpaid-order.ts",
        find: `  const decided = decidedByPayment(operations)\n  if (decided !== undefined) {\n    await copyWindow`,
        replace: `  const decided = decidedByPayment([])\n  if (decided !== undefined) {\n    await copyWindow`,
      },
      {
        file: "src/core/order-end.ts",
        find: `  const decided = decidedByPayment(operations)\n  if (decided !== undefined) return`,
        replace: `  const decided = decidedByPayment([])\n  if (decided !== undefined) return`,
      },
    ],
    scenarios: [
      scenario({
        story: "ordered, and approved when its time is over",
        at: "execute.answered",
        shopper: "never",
      }),
    ],
  },
]
