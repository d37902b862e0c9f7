/** Rules about answers that say less than they seem to: refusals, 404s, Medusa's word. */
import type { Mutant, Patch } from "./mutant-table"
import { played } from "./mutant-table-changes"

const MEDUSA_ERROR = "src/orders/medusa-error.ts"

/** A repeat that is refused counts as any refusal, and what reads 404 then is over at once. */
const REPEAT_IS_AN_END: readonly Patch[] = [
  {
    file: "src/engine/gateway-refusal.ts",
    find: `return namesSession(error) || names(error, "reference_id", words)`,
    replace: `return error.name === "" && names(error, "reference_id", words)`,
  },
  {
    file: "src/core/decide/decision.ts",
    find: `  if (operation.lastSending === "not_sent") return 0\n`,
    replace: `  if (operation.lastSending !== "accepted") return 0\n`,
  },
]

export const DOUBT_MUTANTS: readonly Mutant[] = [
  {
    name: "a refund whose repeat is refused counts as not sent",
    patches: REPEAT_IS_AN_END,
    scenarios: [played("paid, and given back, delivered twice, and not shown to 3 questions")],
  },
  {
    name: "a payout whose repeat is refused counts as not sent",
    patches: REPEAT_IS_AN_END,
    scenarios: [played("paid out, delivered twice, and not shown to 3 questions")],
  },
  {
    name: "numbers of another gateway are taken for the same merchant's",
    patches: [
      {
        file: "src/engine/gateway-for.ts",
        find: `  if (own && !own.unproven) return own.gateway
  const { credentialId } = operation`,
        replace: `  if (own) return own.gateway
  const { credentialId } = operation`,
      },
    ],
    scenarios: [
      played("under way at one gateway while the account moves to another with the same numbers"),
    ],
  },
  {
    name: "a cart is charged that Medusa can't complete",
    patches: [
      {
        file: "src/checkout/offer/read-instructions.ts",
        find: `if (missing.length > 0) throw`,
        replace: `if (missing.length > 99) throw`,
      },
    ],
    scenarios: [played("a cart that Medusa can't complete, then one that it can")],
  },
  {
    name: "a refusal of Medusa's waits as a fault does",
    patches: [
      {
        file: MEDUSA_ERROR,
        find: `if (error instanceof MedusaRefusal) return "refused"`,
        replace: `if (error instanceof MedusaRefusal) return "fault"`,
      },
    ],
    scenarios: [played("Medusa refuses the order by a rule, and its money goes back")],
  },
  {
    name: "a refund that failed without an answer is in no list",
    patches: [
      {
        file: "src/review/sql/attention.ts",
        find: `  and not o.is_duplicate and o.dismissed_at is null and ${"$"}{IS_HERE}`,
        replace: `  and not o.is_duplicate and o.answered_at is not null and ${"$"}{IS_HERE}`,
      },
    ],
    scenarios: [
      {
        ...played("a refund without an answer that fails, and nobody clicks again"),
        death: { at: "after executions.refund=unknown", by: "SIGKILL" },
      },
    ],
  },
]
