/** A sum that differs has a row that names the payment behind it, whatever the ledger holds. */
import fc from "fast-check"
import { anOperation, DAY, money, NOON } from "../../../integration-tests/support/an-operation"
import { sourceReference } from "../../core/source-reference"
import { idFrom } from "../../core/ids"
import { STATES, type Operation } from "../../core/operation"
import { compareSides, type GatewaySource, type SidesOfPeriod } from "./reconciliation"
import { totalsOf } from "./reconciliation-totals"

const WORDS = ["PAID", "ACTIVE", "PROCESSING", "CANCELED", "REVERSED", null] as const

/** A payment in any state, with money or without, and its document in any state. */
const PAYMENT = fc.record({
  state: fc.constantFrom(...STATES),
  status: fc.constantFrom(...WORDS),
  hasMoney: fc.boolean(),
  isReturned: fc.boolean(),
  isDuplicate: fc.boolean(),
  minor: fc.integer({ min: 1, max: 9_999 }),
})
type Drawn = typeof PAYMENT extends fc.Arbitrary<infer One> ? One : never

function sidesOf(drawn: readonly Drawn[]): SidesOfPeriod {
  const operations: Operation[] = []
  const sources: GatewaySource[] = []
  drawn.forEach((one, place) => {
    const id = idFrom<Operation["id"]>(
      `mpop_0123456789ab4def8123${String(place).padStart(12, "0")}`,
    )
    const hasMoney = one.hasMoney || one.state === "completed" || one.state === "review"
    const total = money(BigInt(one.minor))
    const isReturned = one.state === "completed" && one.isReturned
    operations.push(
      anOperation({
        id,
        state: one.state,
        amount: total,
        collected: hasMoney && one.state !== "drafted" ? total : null,
        sourceId: idFrom<NonNullable<Operation["sourceId"]>>(place + 1),
        paymentSessionId: idFrom<Operation["paymentSessionId"]>(`payses_${place}`),
        isDuplicate: one.isDuplicate,
        returnedAt: isReturned ? NOON : null,
        reservedRefundMinor: isReturned ? total.minor : 0n,
        refundedMinor: isReturned ? total.minor : 0n,
      }),
    )
    if (one.status === null) return
    const sourceId = idFrom<NonNullable<Operation["sourceId"]>>(place + 1)
    const reference = sourceReference(id)
    sources.push({ sourceType: "ORDER", sourceId, reference, status: one.status, total })
  })
  return {
    sources,
    listed: ["ORDER", "INVOICE"],
    operations,
    unaskableIds: [],
    unclearIds: [],
    restBack: new Map(),
    payments: [],
  }
}

it("what the gateway and our records received differs only with a row for each payment behind it", () => {
  fc.assert(
    fc.property(fc.array(PAYMENT, { maxLength: 6 }), (drawn) => {
      const period = { from: new Date(NOON.getTime() - DAY), until: new Date(NOON.getTime() + DAY) }
      const alone = drawn.map((one) => [one])
      for (const some of [drawn, ...alone]) {
        const sides = sidesOf(some)
        const given = { sides, period, held: new Set<string>(), refunds: [], medusaRefunds: [] }
        const isUnequal = totalsOf(given).some(
          ({ gateway, ledger }) => gateway?.paid.amount !== ledger.received.amount,
        )
        expect(isUnequal && compareSides(sides).length === 0).toBe(false)
      }
    }),
  )
})
