import fc from "fast-check"
import { currency, money } from "../../../integration-tests/support/an-operation"
import { majorText } from "../../core/money"
import { isClear, refundToSend, type RefundsBefore } from "./refund-amount"

const NONE: RefundsBefore = { reservedMinor: 0n, lateMinor: 0n, medusaAmounts: [] }
const asked = (medusaAmount: string, capturedAmount = "66.61775") => ({
  medusaAmount,
  capturedAmount,
})
const COLLECTED = money(6_662)

/** Asks for one amount after another; what each sends. */
function inTurn(medusaAmounts: readonly string[], capturedAmount: string, collected = COLLECTED) {
  let before = NONE
  return medusaAmounts.map((medusaAmount) => {
    const toSend = refundToSend(collected, before, asked(medusaAmount, capturedAmount))
    if (toSend.kind === "send") {
      before = {
        ...before,
        reservedMinor: before.reservedMinor + toSend.amount.minor,
        medusaAmounts: [...before.medusaAmounts, medusaAmount],
      }
    }
    return toSend.kind === "send" ? majorText(toSend.amount) : toSend.kind
  })
}

describe("what a refund sends", () => {
  it("[B13] all of it is exactly what was collected, whatever was rounded", () => {
    expect(inTurn(["66.61775"], "66.61775")).toEqual(["66.62"])
    expect(inTurn(["7666.46"], "7666.46", money(7_666, "RWF"))).toEqual(["7666"])
  })

  it("[B13] three thirds add up to what was collected", () => {
    const thirds = ["22.20592", "22.20592", "22.20591"]
    expect(inTurn(thirds, "66.61775")).toEqual(["22.21", "22.20", "22.21"])
  })

  it("what is asked for after the last of it was sent is answered as nothing", () => {
    expect(inTurn(["66.61", "0.00775"], "66.61775")).toEqual(["66.61", "0.01"])
    expect(inTurn(["66.614", "0.00375"], "66.61775", money(6_661))).toEqual(["66.61", "nothing"])
  })

  it("what rounds to nothing, and what is no amount, is not sent", () => {
    for (const amount of ["0.004", "0", "-1", "a lot"]) {
      expect(refundToSend(COLLECTED, NONE, asked(amount))).toEqual({ kind: "too_small" })
    }
  })

  it("[B19] more than was captured is refused, with what is left", () => {
    const before = { reservedMinor: 5_000n, lateMinor: 0n, medusaAmounts: ["50"] }
    expect(refundToSend(COLLECTED, before, asked("16.63"))).toEqual({
      kind: "too_much",
      left: money(1_662),
    })
  })

  it("[B21] what went back late is not there to be sent again", () => {
    const before = { reservedMinor: 0n, lateMinor: 6_000n, medusaAmounts: [] }
    const refused = { kind: "too_much", left: money(662) }
    expect(refundToSend(COLLECTED, before, asked("66.61775"))).toEqual(refused)
    expect(refundToSend(COLLECTED, before, asked("7"))).toEqual(refused)
    expect(refundToSend(COLLECTED, before, asked("6"))).toMatchObject({ kind: "send" })
  })

  it("[I4] never sums up to more than was collected, and all of it to exactly that", () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(amounts, (units) => {
        const texts = units.map((unit) => (unit / 100_000).toFixed(5))
        const captured = (units.reduce((sum, unit) => sum + unit, 0) / 100_000).toFixed(5)
        const whole = money(BigInt(Math.round(Number(captured) * 100 + 1e-9)))
        const sent = inTurn(texts, captured, whole)
          .filter((text) => /^\d/.test(text))
          .reduce((sum, text) => sum + BigInt(text.replace(".", "")), 0n)
        expect(sent).toBeLessThanOrEqual(whole.minor)
        if (!inTurn(texts, captured, whole).includes("too_small")) expect(sent).toBe(whole.minor)
      }),
    )
  })
})

describe("without a currency on the wire", () => {
  it("a part is clear only where payer and source have the same", () => {
    const part = money(1_000)
    expect(isClear(COLLECTED, part, currency("USD"))).toBe(true)
    expect(isClear(COLLECTED, part, currency("LRD"))).toBe(false)
    expect(isClear(COLLECTED, part, null)).toBe(false)
    expect(isClear(COLLECTED, COLLECTED, currency("LRD"))).toBe(true)
  })
})
