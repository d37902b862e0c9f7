/** A field that decides nothing never hides what an answer says about the money. */
import fc from "fast-check"
import type { z } from "zod"
import {
  currency,
  EXECUTION,
  money,
  REFERENCE,
  SOURCE,
} from "../../../../integration-tests/gateway/calls"
import { AMOUNTS } from "../../../../integration-tests/gateway/calls/predictions"
import {
  INVOICE_RECEIPT,
  ORDER_RECEIPT,
} from "../../../../integration-tests/gateway/calls/receipts"
import { collectionStatus, payoutStatus, refundStatus, transferStatus } from "./executions"
import { amountAndFees } from "./predictions"
import { invoiceReceipts, orderReceipts } from "./receipts"
import { sourceStatus } from "./status"
import type { Reader } from "./reading"

type Case = {
  readonly name: string
  readonly endpoint: { readonly read: Reader<never, object> }
  readonly request: object
  readonly body: Readonly<Record<string, unknown>>
  /** The fields that decide, under the names of the wire: the rest may be anything. */
  readonly decides: readonly string[]
  /** What is decided by the answer. */
  readonly kept: readonly string[]
}

const executed = (name: string, endpoint: Case["endpoint"]): Case => ({
  name,
  endpoint,
  request: { referenceId: REFERENCE },
  body: { ...EXECUTION, operation_type: null, status: "COMPLETED" },
  decides: ["reference_id", "status", "operation_type"],
  kept: ["referenceId", "status"],
})
const OF_RECEIPT = {
  request: { id: 301 },
  decides: ["status", "currency", "total_amount", "order_id", "order_number"],
  kept: ["id", "number", "status", "total"],
}
const CASES: readonly Case[] = [
  executed("a collection", collectionStatus),
  executed("a refund", refundStatus),
  executed("a payout", payoutStatus),
  executed("a transfer", transferStatus),
  {
    name: "a source",
    endpoint: sourceStatus,
    request: { sourceType: "ORDER", sourceId: 301 },
    body: SOURCE,
    // A second total, under a name outside the contract, decides as well.
    decides: ["source_id", "source_type", "status", "currency", "total_amount"],
    kept: ["sourceId", "status", "total"],
  },
  {
    name: "an order's receipt",
    endpoint: orderReceipts.retrieve,
    body: ORDER_RECEIPT,
    ...OF_RECEIPT,
  },
  {
    name: "an invoice's receipt",
    endpoint: invoiceReceipts.retrieve,
    body: INVOICE_RECEIPT,
    ...OF_RECEIPT,
    decides: [...OF_RECEIPT.decides, "invoice_id", "invoice_number"],
  },
  {
    name: "a prediction",
    endpoint: amountAndFees,
    request: {
      baseAmount: money("42.50"),
      targetCurrency: currency("LRD"),
      paymentMethod: "OPERATOR1_MOMO_LBR",
      provider: "MOBILE_MONEY_GATEWAY",
      operationType: "COLLECTION",
      feeBearer: "PAYER",
    },
    body: AMOUNTS,
    decides: ["payer_amount", "payer_currency", "payee_amount", "payee_currency"],
    kept: ["payerAmount", "payeeAmount"],
  },
]

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    undefined,
    null,
    -1,
    "-19.99",
    "US$",
    "1,250",
    "a lot",
    1e300,
    {},
    [{}],
    true,
    "",
  ),
)

describe.each(CASES)("$name", ({ endpoint, request, body, decides, kept }) => {
  const fields = Object.keys((endpoint.read.schema as z.ZodObject).shape)
  const free = fields.filter((name) => !decides.includes(name))
  const decided = (answer: unknown, notes: string[] = []) => {
    const note = (field: string) => notes.push(field)
    const parsed = endpoint.read(answer, request as never, { note })
    if (!parsed.ok) return parsed.problems
    return kept.map((name) => (parsed.value as Record<string, unknown>)[name])
  }

  it("[N13] is read whatever the fields hold that decide nothing", () => {
    const good = decided(body)
    expect(good).toHaveLength(kept.length)
    const spoilt = fc.dictionary(fc.constantFrom(...free), odd, { maxKeys: 4 })
    fc.assert(
      fc.property(spoilt, (change) => {
        expect(decided({ ...body, ...change })).toEqual(good)
      }),
      { numRuns: 400 },
    )
  })

  it("[N13] says once which of its amounts and currencies it left out", () => {
    const amounts = free.filter((name) => /_(amount|fee|currency)$/.test(name))
    for (const name of amounts) {
      const notes: string[] = []
      decided({ ...body, [name]: name.endsWith("currency") ? "US$" : -1 }, notes)
      expect(notes).toContain(name)
    }
  })
})
