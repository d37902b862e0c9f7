/**
 * Refunds and payouts of the examples, held against the simulator's book; as `examples.spec.ts`.
 */
import fs from "node:fs"
import type { FaultEntry } from "../../packages/simulator/src"
import {
  AMOUNT,
  DONE,
  IMPATIENT,
  NOT_DONE,
  NOT_KNOWN,
  PHONE,
  runExamples,
  WRONG_USE,
} from "./support/run-examples"

jest.setTimeout(600_000)

const examples = runExamples()

describe("refund.ts", () => {
  const refunds = () =>
    examples.simulator.book.refunds().map(({ amount, moves }) => [amount, moves])

  it("gives back once per key, and never more than was paid", async () => {
    await examples.replay({ partialRefunds: "UNCAPPED" })
    await examples.collect()
    expect((await examples.refund("first", "10.00")).code).toBe(DONE)
    expect((await examples.refund("first", "10.00")).code).toBe(DONE)
    expect((await examples.refund("second", "32.51")).code).toBe(NOT_DONE)
    expect((await examples.refund("third", "32.50")).code).toBe(DONE)
    expect((await examples.refund("fourth", "0.01")).code).toBe(NOT_DONE)
    expect(refunds()).toEqual([
      ["10.00", 1],
      ["32.50", 1],
    ])
  })

  it("gives back once when the answer is lost", async () => {
    await examples.collect()
    examples.simulator.faults.script("executeRefund", ["reset:after"])
    expect((await examples.refund("first", AMOUNT)).code).toBe(DONE)
    expect(refunds()).toEqual([[AMOUNT, 1]])
  })

  it("gives back once when it is killed before the request arrived, and run again", async () => {
    await examples.collect()
    examples.simulator.faults.script("executeRefund", ["hang"])
    const killed = examples.start("refund", [examples.journal, "first", AMOUNT])
    await examples.called("executeRefund")
    killed.kill()
    await killed.ended
    examples.letTwoMinutesPass()
    expect((await examples.refund("first", AMOUNT)).code).toBe(DONE)
    expect(refunds()).toEqual([[AMOUNT, 1]])
  })

  it("gives what is left to only one of two that run at once", async () => {
    await examples.replay({ partialRefunds: "UNCAPPED" })
    await examples.collect()
    const ends = await Promise.all([
      examples.refund("one", "30.00"),
      examples.refund("other", "30.00"),
    ])
    expect(ends.map(({ code }) => code).sort()).toEqual([DONE, NOT_DONE])
    expect(refunds()).toEqual([["30.00", 1]])
  })

  it("counts refunds that are under way, and not those that failed", async () => {
    await examples.replay({ partialRefunds: "UNCAPPED" })
    await examples.collect()
    examples.simulator.plan({ operationType: "REFUND", outcome: "decline", times: 1 })
    expect((await examples.refund("failing", AMOUNT)).code).toBe(NOT_DONE)
    examples.simulator.plan({ operationType: "REFUND", outcome: "never", times: 1 })
    const slow = examples.start("refund", [examples.journal, "slow", "30.00"], IMPATIENT)
    expect((await slow.ended).code).toBe(NOT_KNOWN)
    expect((await examples.refund("more", "12.51")).code).toBe(NOT_DONE)
    expect((await examples.refund("rest", "12.50")).code).toBe(DONE)
    expect(refunds()).toEqual([
      [AMOUNT, 0],
      ["30.00", 0],
      ["12.50", 1],
    ])
  })

  it("asks for the payment intent ID where the gateway does not give it", async () => {
    await examples.replay({ showsPaymentIntent: false })
    await examples.collect()
    const intentId = String(examples.simulator.book.executions()[0]?.paymentIntentId)
    const without = await examples.refund("first", AMOUNT)
    expect([without.code, without.output]).toEqual([
      WRONG_USE,
      expect.stringContaining("merchant portal"),
    ])
    expect((await examples.refund("first", AMOUNT, intentId)).code).toBe(DONE)
    expect(refunds()).toEqual([[AMOUNT, 1]])
  })

  it("refuses the ID of another payment, and a key that was used for another amount", async () => {
    await examples.collect()
    expect((await examples.refund("first", "10.00", "12345")).code).toBe(WRONG_USE)
    expect((await examples.refund("first", "11.00")).code).toBe(WRONG_USE)
    expect(refunds()).toEqual([])
  })

  it("gives nothing back of a payment that is not paid", async () => {
    examples.simulator.plan({ outcome: "never" })
    await examples.collect(IMPATIENT)
    expect((await examples.refund("first", AMOUNT)).code).toBe(NOT_KNOWN)
    expect(examples.simulator.calls["createRefundSession"]).toBeUndefined()
  })
})

describe("payout.ts", () => {
  const payouts = () =>
    examples.simulator.book.payouts().map(({ amount, moves }) => [amount, moves])

  it("pays once, and only checks in a second run of the same journal", async () => {
    const { code, lines } = await examples.payOut()
    expect([code, lines.at(-1)]).toEqual([DONE, expect.objectContaining({ what: "paid out" })])
    expect((await examples.payOut()).code).toBe(DONE)
    expect(payouts()).toEqual([[AMOUNT, 1]])
    expect(examples.simulator.calls["executePayout"]).toBe(1)
  })

  it.each<FaultEntry>(["reset:after", "500:after"])(
    "pays once when the answer is lost: %s",
    async (fault) => {
      examples.simulator.faults.script("executePayout", [fault])
      expect((await examples.payOut()).code).toBe(DONE)
      expect(payouts()).toEqual([[AMOUNT, 1]])
    },
  )

  it("pays once when it is killed before the request arrived, and run again", async () => {
    examples.simulator.faults.script("executePayout", ["hang"])
    const killed = examples.start("payout", [
      examples.journal,
      "Ada Supplier",
      PHONE,
      AMOUNT,
      "USD",
    ])
    await examples.called("executePayout")
    killed.kill()
    await killed.ended
    examples.letTwoMinutesPass()
    expect((await examples.payOut()).code).toBe(DONE)
    expect(payouts()).toEqual([[AMOUNT, 1]])
  })

  it("uses a known recipient again", async () => {
    await examples.payOut()
    const second = [`${examples.journal}.second`, "Ada Supplier", PHONE, AMOUNT, "USD"]
    expect((await examples.start("payout", second).ended).code).toBe(DONE)
    expect(payouts()).toHaveLength(2)
    expect(examples.simulator.calls["createParty"]).toBe(1)
  })

  it("ends with 1 when the passcode is wrong, and shows the passcode nowhere", async () => {
    const wrong = "864209"
    const { code, output } = await examples.payOut({ PAYOUT_PASSCODE: wrong })
    expect(code).toBe(NOT_DONE)
    expect(output).not.toContain(wrong)
    expect(fs.readFileSync(examples.journal, "utf8")).not.toContain(wrong)
    expect((await examples.payOut()).code).toBe(NOT_DONE)
    expect(payouts()).toEqual([])
  })

  it("ends with 1 when the payout fails", async () => {
    examples.simulator.plan({ operationType: "PAYOUT", outcome: "decline" })
    expect((await examples.payOut()).code).toBe(NOT_DONE)
    expect(payouts()).toEqual([[AMOUNT, 0]])
  })
})
