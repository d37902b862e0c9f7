import type { GatewayReading } from "./responses"
import { atStake } from "./at-stake"

const asked = {
  type: "COLLECTION",
  amount: 19.99,
  currency: "USD",
  collected_amount: null,
  refunded_amount: 0,
} as const

const reads = (amount: number | null, taken = amount): GatewayReading => ({
  kind: "reads",
  execution: "COMPLETED",
  source: "PAID",
  amount,
  taken_amount: taken,
  currency: amount === null ? null : "USD",
})
const unanswered: GatewayReading = { ...reads(null), kind: "unanswered" }

describe("what a person confirms", () => {
  it("of a refund is what the gateway says was taken, not what was asked for", () => {
    expect(atStake(asked, "refund", reads(20.99, 19.99))?.amount).toBe(19.99)
    expect(atStake(asked, "refund", reads(25))).toEqual({ amount: 25, currency: "USD" })
    expect(atStake({ ...asked, collected_amount: 19.99 }, "refund", reads(25))).toEqual({
      amount: 25,
      currency: "USD",
    })
  })

  it.each([null, unanswered, reads(null)])(
    "of a refund is no amount where none is known",
    (read) => {
      expect(atStake(asked, "refund", read)).toBeNull()
      expect(atStake({ ...asked, collected_amount: 19.99 }, "refund", read)).toBeNull()
    },
  )

  it("of the difference is what came above what was asked for; of the remainder what is left", () => {
    expect(atStake(asked, "refund_rest", reads(20.99))?.amount).toBe(1)
    const partBack = { ...asked, collected_amount: 20.99, refunded_amount: 1 }
    expect(atStake(partBack, "refund", reads(20.99))?.amount).toBe(19.99)
    // The source may read what is left of it.
    expect(atStake(partBack, "refund", reads(19.99))?.amount).toBe(19.99)
    expect(atStake(partBack, "refund", unanswered)).toBeNull()
    expect(atStake(asked, "accept_asked", reads(20.99))?.amount).toBe(19.99)
  })

  it("of an accepted payment is what was asked for: nothing else is accepted", () => {
    expect(atStake({ ...asked, collected_amount: 25 }, "accept", reads(25))?.amount).toBe(19.99)
  })

  it("of what is dismissed is the best that is known", () => {
    expect(atStake(asked, "dismiss", reads(25))?.amount).toBe(25)
    expect(atStake({ ...asked, collected_amount: 21 }, "dismiss", null)?.amount).toBe(21)
    expect(atStake({ ...asked, type: "REFUND" }, "dismiss", reads(25))?.amount).toBe(19.99)
  })
})
