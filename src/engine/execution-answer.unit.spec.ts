import { majorText } from "../core/money"
import type { Figure } from "../gateway"
import { anOperation, money } from "../../integration-tests/support/an-operation"
import type { Execution } from "../gateway"
import { executionChanges, otherFacts } from "./execution-answer"
import { said } from "../../integration-tests/support/said"

const execution: Execution = { referenceId: "r", status: "PROCESSING", fees: {}, wire: {} }

describe("what an execution's answer adds to the ledger", () => {
  it("is nothing while nothing is new", () => {
    expect(executionChanges(anOperation(), execution)).toEqual({})
    const known = anOperation({ payerAmount: "20.50" })
    expect(executionChanges(known, { ...execution, payerAmount: figure(2_050) })).toEqual({})
  })

  it("is what the payer pays, once", () => {
    const changes = executionChanges(anOperation(), { ...execution, payerAmount: figure(2_050) })
    expect(changes).toEqual({ payerAmount: "20.50" })
  })

  it("is amounts, fees, messages and the provider's id at the end", () => {
    const final: Execution = {
      ...execution,
      status: "COMPLETED",
      payerAmount: figure(2_050),
      payeeAmount: figure(7_666, "RWF"),
      fees: { gateway: said("0.51") },
      gatewayMessage: said("done"),
      providerTransactionId: said("tx-1"),
      paymentIntentId: 8_000_001,
    }
    expect(executionChanges(anOperation(), final)).toEqual({
      payerAmount: "20.50",
      payeeAmount: "7666",
      payeeCurrency: "RWF",
      fees: { gateway: "0.51" },
      messages: { gateway: "done", wallet: null },
      providerTransactionId: "tx-1",
      paymentIntentId: 8_000_001,
    })
  })

  it("is the payment intent as soon as it is told, whatever else is new", () => {
    const told = { ...execution, paymentIntentId: 77 }
    expect(executionChanges(anOperation(), told)).toEqual({ paymentIntentId: 77 })
  })

  it("is no other payment intent than the one that is known, which a person may have typed", () => {
    const told = { ...execution, paymentIntentId: 77 }
    expect(executionChanges(anOperation({ paymentIntentId: 78 }), told)).toEqual({})
  })

  it.each(["sourceId", "gatewaySessionId", "paymentAccountId", "partyId"] as const)(
    "is no payment intent that is the ledger's %s",
    (name) => {
      const told = { ...execution, paymentIntentId: 77 }
      expect(executionChanges(anOperation({ [name]: 77 }), told)).toEqual({})
    },
  )

  it("is no payment intent of an execution that FAILED: it took no money", () => {
    const told = { ...execution, status: "FAILED" as const, paymentIntentId: 77 }
    expect(executionChanges(anOperation(), told)).toEqual({})
  })

  it("[B12] never touches the operation's own amount or what was collected", () => {
    const paid = { ...execution, status: "COMPLETED" as const, payeeAmount: figure(1_500) }
    const names = Object.keys(executionChanges(anOperation(), paid))
    expect(names).toEqual(["payeeAmount", "payeeCurrency"])
  })
})

describe("what else an answer has", () => {
  const told = { ...execution, otherFields: { pid: 77 } }
  const facts = { other_fields: { pid: 77 } }

  it("is a fact of the event that it becomes", () => {
    expect(otherFacts(anOperation(), told)).toEqual(facts)
    expect(otherFacts(anOperation({ state: "failed" }), told, "complete")).toEqual(facts)
  })

  it("is not repeated while an end is only watched, and is nothing where there is nothing", () => {
    expect(otherFacts(anOperation({ state: "failed" }), told)).toEqual({})
    expect(otherFacts(anOperation(), execution)).toEqual({})
    expect(otherFacts(anOperation(), undefined)).toEqual({})
  })
})

function figure(minor: number, code?: string): Figure {
  const amount = money(minor, code)
  return { ...amount, exact: majorText(amount) }
}
