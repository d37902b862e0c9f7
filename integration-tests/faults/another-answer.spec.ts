/**
 * [N27] A well-formed answer about something else than asked for: another reference, document,
 * amount. It is nobody's answer to this question, so nothing is known.
 */
import { OPERATIONS } from "../../src/gateway"
import type { OperationName, OperationSpec } from "../../src/gateway"
import { bench, closeBenches } from "../gateway/bench"
import { callOf } from "../gateway/calls"
import { json } from "../gateway/scripted-server"

afterEach(closeBenches)

const OTHER_REFERENCE = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
const another = (value: unknown): unknown =>
  typeof value === "number" ? value + 1 : value === "ORDER" ? "INVOICE" : `${String(value)}-2`

const execution = ["reference_id", "operation_type"]
const document = (numberName: string) =>
  ({ create: ["counterparty_id", "currency"], byId: ["id"], byNumber: [numberName] }) as const
const invoice = document("invoice_number")
const order = document("order_number")

/**
 * What an answer has to repeat of its question. Empty: it has nothing of it, or a list is what it
 * is.
 */
const REPEATED = {
  "token.obtain": [],
  "parties.create": [],
  "parties.list": [],
  "parties.retrieve": ["id"],
  "counterparties.create": [],
  "counterparties.list": [],
  "counterparties.retrieve": ["id"],
  "counterparties.update": ["id"],
  "invoices.create": invoice.create,
  "invoices.list": [],
  "invoices.retrieve": invoice.byId,
  "invoices.retrieveByNumber": invoice.byNumber,
  "invoices.update": invoice.byId,
  "invoices.publish": invoice.byId,
  "invoices.cancel": invoice.byId,
  "invoices.items.add": ["qty", "amount"],
  // What was not asked to change is not compared.
  "invoices.items.update": ["id", "qty"],
  "invoices.items.remove": [],
  "invoices.receipt": ["invoice_id"],
  "invoices.receiptByNumber": ["invoice_number"],
  "orders.create": order.create,
  "orders.list": [],
  "orders.retrieve": order.byId,
  "orders.retrieveByNumber": order.byNumber,
  "orders.update": order.byId,
  "orders.publish": order.byId,
  "orders.cancel": order.byId,
  "orders.items.add": ["qty", "amount"],
  "orders.items.update": ["id", "amount"],
  "orders.items.remove": [],
  "orders.receipt": ["order_id"],
  "orders.receiptByNumber": ["order_number"],
  // Its amount is compared by whoever is going to have it paid.
  "checkouts.create": ["source_type"],
  "sessions.checkout": ["source_id", "source_type"],
  "sessions.payout": ["payout_account_id", "amount", "currency"],
  "sessions.transfer": ["from_wallet_id", "to_counterparty_id", "amount", "currency"],
  "sessions.refund": ["original_payment_intent_id", "amount"],
  "executions.collection": execution,
  "executions.payout": execution,
  "executions.transfer": execution,
  "executions.refund": execution,
  "status.collection": execution,
  "status.payout": execution,
  "status.transfer": execution,
  "status.refund": execution,
  "status.source": ["source_id", "source_type"],
  "paymentAccounts.create": ["party_id"],
  "predictions.amountAndFees": [],
  "predictions.sourceAmountAndFees": [],
  "predictions.mmoProviderInfo": [],
  "predictions.cardProviderInfo": [],
  "fees.gateway": ["operation_type", "payment_method"],
  "fees.platform": ["operation_type"],
  "fees.merchantTier": ["owner_id", "owner_type"],
  "fees.tiers": [],
  "links.pay": [],
  "links.receipt": [],
  "merchants.info": ["id", "type"],
  "realtimeKeys.collection": [],
} as const satisfies Record<OperationName, readonly string[]>

const isCall = (name: string): name is Exclude<OperationName, "token.obtain"> =>
  name in REPEATED && name !== "token.obtain"

const CASES = Object.entries(REPEATED).flatMap(([name, fields]) =>
  fields.map((field) => [name, field] as const),
)

it.each(CASES)("[N27] an answer to %s with another %s counts as no answer", async (name, field) => {
  if (!isCall(name)) throw new Error(`${name} is no call`)
  const call = callOf(name)
  const { effect }: OperationSpec = OPERATIONS[name]
  if (Array.isArray(call.body) || typeof call.body !== "object" || call.body === null) {
    throw new Error(`${name} answers no object`)
  }
  const body: Record<string, unknown> = { ...call.body }
  expect(body).toHaveProperty(field)
  body[field] = field === "reference_id" ? OTHER_REFERENCE : another(body[field])
  const { server, gateway } = await bench({ answers: [json(200, body)] })
  expect(await call.run(gateway)).toMatchObject({
    kind: "unknown",
    error: {
      code: effect === "read" ? "GATEWAY_UNAVAILABLE" : "GATEWAY_INDETERMINATE",
      reason: "wrong_shape",
    },
  })
  expect(server.calls).toHaveLength(1)
})
