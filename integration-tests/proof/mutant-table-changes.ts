/**
 * Rules about what changes under a payment: a database that took over, credentials that rotate, the
 * card that the gateway was asked about last.
 */
import { OTHER_JOURNEYS } from "../crash/journeys"
import type { Scenario } from "../crash/matrix"
import { OK } from "../crash/scripts"
import type { Mutant } from "./mutant-table"

/** Nobody dies: what the journey itself does is enough. */
export function played(name: string): Scenario {
  const journey = OTHER_JOURNEYS.find((one) => one.name === name)
  if (!journey) throw new Error(`there is no journey "${name}"`)
  return { journey, script: OK, death: null, shopper: "never" }
}

const GATEWAY_FOR = "src/engine/gateway-for.ts"

export const CHANGE_MUTANTS: readonly Mutant[] = [
  {
    name: "an approval is used before its key is read, and each click has another",
    patches: [
      {
        file: "src/payouts/approve-payout.ts",
        find: "rowKey: operationId === null ? key : `${request.id}.${operationId}`,",
        replace: "rowKey: `${key}.${operationId}.${process.hrtime.bigint()}`,",
      },
      {
        file: "src/payouts/approve-payout.ts",
        find: `if (request.state !== "waiting") return payoutOf`,
        replace: `if (request.state === "refused") return payoutOf`,
      },
      {
        file: "src/payouts/known-payout.ts",
        find: `  if (found.state !== "waiting") return payoutOf`,
        replace: `  if (found.state !== "waiting" && !request) return payoutOf`,
      },
      {
        file: "src/payouts/sql/insert-payout.ts",
        find: "where $9::text is null or exists (select from request)",
        replace: "where $9::text is null or (select count(*) from request) >= 0",
      },
    ],
    scenarios: [played("paid out by two admins, approved by a double click, and asked for again")],
  },
  {
    name: "the payment collection's amount stands for what the order has open",
    patches: [
      {
        file: "src/engine/open-amount.ts",
        find: "  if (order !== null) {\n",
        replace: `  if (order !== null && asked.currency === "") {\n`,
      },
    ],
    scenarios: [
      played("an order is credited to nothing, and its shopper pays by phone"),
      played("an order is credited while its page is open, and the page is paid"),
    ],
  },
  {
    name: "a continued draft goes out unread, under another reference",
    patches: [
      {
        file: "src/checkout/continue-draft.ts",
        find: `  const { gateway } = context\n`,
        replace: `  const { gateway } = context\n  if (draft.id !== "") return "continues"\n`,
      },
      {
        file: "src/checkout/pay-draft.ts",
        find: "reference: opened.draftReference,",
        replace: "reference: deps.ids.reference(),",
      },
    ],
    scenarios: [played("a standby has lost the sending, and its source stays payable")],
  },
  {
    name: "a draft ends unasked, though it was sent",
    patches: [
      {
        file: "src/engine/landed-draft.ts",
        find: `if (draft.credentialId === null && !(await isBehind(deps.database))) return`,
        replace: `if (draft.id !== "") return`,
      },
    ],
    scenarios: [played("a standby has lost the sending, and nobody comes back")],
  },
  {
    name: "a proof that got no answer counts for good",
    patches: [
      {
        file: GATEWAY_FOR,
        find: `  } else if (contradiction === undefined) doubts.delete(keyOf(operation, current))\n`,
        replace: `  } else if (contradiction === undefined) {
    doubts.set(keyOf(operation, current), { contradictedAtMs: 0 })
  }\n`,
      },
      { file: GATEWAY_FOR, find: `kept && !kept.isDenied && own`, replace: `kept && own` },
      {
        file: GATEWAY_FOR,
        find: `return at !== undefined && deps.clock.monotonicMs() - at < LIMITS.contradictionForMs`,
        replace: `return at !== undefined && deps.clock.monotonicMs() >= 0`,
      },
    ],
    scenarios: [played("the client is rotated, and its first answer is a fault")],
  },
  {
    name: "card lock removed",
    patches: [
      {
        file: "src/checkout/push/card-turn.ts",
        find: "if (policies.length > 0 && policies.every((one) => one.cards_at_once)) return NO_TURN",
        replace: "if (key !== policies.join()) return NO_TURN",
      },
    ],
    scenarios: [played("by card, while another shopper's card is declined")],
  },
  {
    name: "rules not held after a restore",
    patches: [
      {
        file: "src/worker/due-steps.ts",
        find: "  if (await isBehind(deps.database)) {\n",
        replace: `  if (operation.id === "" && (await isBehind(deps.database))) {\n`,
      },
    ],
    scenarios: [played("late money after a restore, given back by policy")],
  },
]
