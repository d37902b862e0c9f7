/** Arbitrary requests of every operation, as calls of the client's methods. */
import fc from "fast-check"
import type { Gateway, OperationName, Outcome } from "../../../src/gateway"
import {
  addressText,
  amount,
  amountIn,
  code,
  date,
  documentNumber,
  id,
  maybe,
  maybeNull,
  oneOf,
  phone,
  qty,
  reference,
  text,
} from "./values"

export type Request = (gateway: Gateway) => Promise<Outcome<unknown>>

const call = <T>(value: fc.Arbitrary<T>, run: (gateway: Gateway, value: T) => ReturnType<Request>) =>
  value.map((request): Request => (gateway) => run(gateway, request))

const sourceType = oneOf("SourceType")
const source = fc.record({ sourceType, sourceId: id })
const numbered = fc.record({ sourceType, sourceNumber: documentNumber })
const item = fc.record({ name: text, qty, amount })
const changedItem = fc.record({ name: maybe(text), qty: maybe(qty), amount: maybe(amount) })
const executed = fc.record({ sessionId: id, referenceId: reference })

const newDocument = fc.record({
  counterpartyId: id,
  currency: code,
  note: fc.string({ unit: "grapheme" }),
  feeBearer: oneOf("FeeBearer"),
  asPaymentLink: fc.boolean(),
  referenceId: maybe(text),
})
const changedDocument = fc.record({
  referenceId: maybeNull(text),
  note: maybe(fc.string({ unit: "grapheme" })),
  feeBearer: maybe(oneOf("FeeBearer")),
})
const newInvoice = fc.tuple(newDocument, maybe(date)).map(([document, dueDate]) => ({
  ...document,
  dueDate,
}))
const changedInvoice = fc.tuple(changedDocument, maybeNull(date)).map(([changes, dueDate]) => ({
  ...changes,
  dueDate,
}))
const filter = fc.record({ currency: maybe(code), status: maybe(oneOf("DocumentStatus")) })

const checkout = code.chain((currency) =>
  fc.record({
    mode: fc.constantFrom("HOSTED", "DIRECT"),
    sourceType,
    partyPhone: phone,
    partyName: maybe(text),
    partyEmail: maybe(fc.emailAddress()),
    partyRelationship: maybe(oneOf("RelationshipType")),
    currency: fc.constant(currency),
    items: fc.array(fc.record({ name: text, amount: amountIn(currency) }), {
      minLength: 1,
      maxLength: 5,
    }),
    referenceId: maybe(text),
    note: maybe(text),
    dueDate: maybe(date),
    successUrl: maybe(fc.webUrl()),
    cancelUrl: maybe(fc.webUrl()),
    expiresAt: maybe(date),
    counterpartyId: maybe(id),
  }),
)
const passcode = fc.record({
  token: fc.record({ code: text, userId: maybe(text), phone: maybe(phone) }),
  device: fc.record({
    name: text,
    type: text,
    platform: text,
    userAgent: text,
    clientIp: fc.ipV4(),
  }),
})
const paymentAccount = fc.record({
  accountName: text,
  provider: oneOf("Provider"),
  method: oneOf("PaymentMethod"),
  partyId: id,
  countryCode: maybe(fc.constantFrom("LR", "RW")),
  phone: maybe(phone),
  operationType: maybe(oneOf("OperationType")),
})
const predicted = fc.record({
  baseAmount: amount,
  targetCurrency: code,
  paymentMethod: oneOf("PaymentMethod"),
  provider: oneOf("Provider"),
  operationType: oneOf("OperationType"),
  feeBearer: oneOf("FeeBearer"),
})
const owner = fc.oneof(
  fc.constant<{ ownerType?: undefined; ownerId?: undefined }>({}),
  fc.record({ ownerType: oneOf("OwnerType"), ownerId: id }),
)

export const REQUESTS: Readonly<
  Record<Exclude<OperationName, "token.obtain">, fc.Arbitrary<Request>>
> = {
  "parties.create": call(
    fc.record({
      fullname: text,
      phone,
      email: maybe(fc.emailAddress()),
      countryCode: maybe(fc.constantFrom("LR", "RW")),
    }),
    (gateway, party) => gateway.parties.create(party),
  ),
  "parties.list": call(fc.record({ fullname: maybe(addressText) }), (gateway, by) =>
    gateway.parties.list(by),
  ),
  "parties.retrieve": call(id, (gateway, party) => gateway.parties.retrieve(party)),
  "counterparties.create": call(
    fc.record({ relationshipType: oneOf("RelationshipType"), partyId: maybe(id) }),
    (gateway, counterparty) => gateway.counterparties.create(counterparty),
  ),
  "counterparties.list": call(
    fc.record({
      fullname: maybe(addressText),
      relationshipType: maybe(oneOf("RelationshipType")),
    }),
    (gateway, by) => gateway.counterparties.list(by),
  ),
  "counterparties.retrieve": call(id, (gateway, counterparty) =>
    gateway.counterparties.retrieve(counterparty),
  ),
  "counterparties.update": call(
    fc.tuple(
      id,
      fc.record({ relationshipType: maybe(oneOf("RelationshipType")), partyId: maybeNull(id) }),
    ),
    (gateway, [counterparty, changes]) => gateway.counterparties.update(counterparty, changes),
  ),

  "invoices.create": call(newInvoice, (gateway, invoice) => gateway.invoices.create(invoice)),
  "invoices.update": call(fc.tuple(id, changedInvoice), (gateway, [invoice, changes]) =>
    gateway.invoices.update(invoice, changes),
  ),
  "orders.create": call(newDocument, (gateway, order) => gateway.orders.create(order)),
  "orders.update": call(fc.tuple(id, changedDocument), (gateway, [order, changes]) =>
    gateway.orders.update(order, changes),
  ),
  ...sharedBy("invoices"),
  ...sharedBy("orders"),

  "checkouts.create": call(checkout, (gateway, request) => gateway.checkouts.create(request)),
  "sessions.checkout": call(source, (gateway, request) => gateway.sessions.checkout(request)),
  "sessions.payout": call(fc.record({ payoutAccountId: id, amount }), (gateway, request) =>
    gateway.sessions.payout(request),
  ),
  "sessions.transfer": call(
    fc.record({ fromWalletId: id, toCounterpartyId: id, amount, expiresAt: date }),
    (gateway, request) => gateway.sessions.transfer(request),
  ),
  "sessions.refund": call(
    fc.record({
      originalPaymentIntentId: id,
      amount,
      expiresAt: date,
      reason: maybe(text),
    }),
    (gateway, request) => gateway.sessions.refund(request),
  ),
  "executions.collection": call(
    fc.record({ sessionId: id, paymentAccountId: id, currency: code, referenceId: reference }),
    (gateway, request) => gateway.executions.collection(request),
  ),
  "executions.payout": call(
    fc.record({ sessionId: id, payoutAccountId: id, referenceId: reference, passcode }),
    (gateway, request) => gateway.executions.payout(request),
  ),
  "executions.transfer": call(executed, (gateway, request) =>
    gateway.executions.transfer(request),
  ),
  "executions.refund": call(executed, (gateway, request) => gateway.executions.refund(request)),
  "status.collection": call(reference, (gateway, asked) => gateway.status.collection(asked)),
  "status.payout": call(reference, (gateway, asked) => gateway.status.payout(asked)),
  "status.transfer": call(reference, (gateway, asked) => gateway.status.transfer(asked)),
  "status.refund": call(reference, (gateway, asked) => gateway.status.refund(asked)),
  "status.source": call(source, (gateway, request) => gateway.status.source(request)),

  "paymentAccounts.create": call(paymentAccount, (gateway, request) =>
    gateway.paymentAccounts.create(request),
  ),
  "predictions.amountAndFees": call(fc.tuple(predicted, owner), (gateway, [request, of]) =>
    gateway.predictions.amountAndFees({ ...request, ...of }),
  ),
  "predictions.sourceAmountAndFees": call(
    fc.record({
      sourceType,
      sourceId: id,
      targetCurrency: code,
      paymentMethod: oneOf("PaymentMethod"),
      provider: oneOf("Provider"),
    }),
    (gateway, request) => gateway.predictions.sourceAmountAndFees(request),
  ),
  "predictions.mmoProviderInfo": call(
    fc.record({ phone, operationType: maybe(oneOf("OperationType")) }),
    (gateway, request) => gateway.predictions.mmoProviderInfo(request),
  ),
  "predictions.cardProviderInfo": call(
    fc.record({
      paymentMethodId: addressText,
      operationType: maybe(oneOf("OperationType")),
      provider: maybe(oneOf("Provider")),
    }),
    (gateway, request) => gateway.predictions.cardProviderInfo(request),
  ),
  "fees.gateway": call(
    fc.record({ paymentMethod: oneOf("PaymentMethod"), operationType: oneOf("OperationType") }),
    (gateway, request) => gateway.fees.gateway(request),
  ),
  "fees.platform": call(
    fc.record({ operationType: oneOf("OperationType"), feeTierName: addressText }),
    (gateway, request) => gateway.fees.platform(request),
  ),
  "fees.merchantTier": call(
    fc.record({ ownerType: oneOf("OwnerType"), ownerId: id }),
    (gateway, request) => gateway.fees.merchantTier(request),
  ),
  "fees.tiers": call(fc.constant(undefined), (gateway) => gateway.fees.tiers()),
  "links.pay": call(numbered, (gateway, request) => gateway.links.pay(request)),
  "links.receipt": call(numbered, (gateway, request) => gateway.links.receipt(request)),
  "merchants.info": call(
    fc.record({ merchantId: id, merchantType: oneOf("MerchantType") }),
    (gateway, request) => gateway.merchants.info(request),
  ),
  "realtimeKeys.collection": call(
    fc.record({ sessionId: id, sourceType, referenceId: reference }),
    (gateway, request) => gateway.realtimeKeys.collection(request),
  ),
}

type Kind = "invoices" | "orders"
type Shared =
  | "list"
  | "retrieve"
  | "retrieveByNumber"
  | "publish"
  | "cancel"
  | "items.add"
  | "items.update"
  | "items.remove"
  | "receipt"
  | "receiptByNumber"

/** What invoices and orders have in common. */
function sharedBy<K extends Kind>(kind: K): Record<`${K}.${Shared}`, fc.Arbitrary<Request>>
function sharedBy(kind: Kind): Record<string, fc.Arbitrary<Request>> {
  return {
    [`${kind}.list`]: call(filter, (gateway, by) => gateway[kind].list(by)),
    [`${kind}.retrieve`]: call(id, (gateway, of) => gateway[kind].retrieve(of)),
    [`${kind}.retrieveByNumber`]: call(documentNumber, (gateway, of) =>
      gateway[kind].retrieveByNumber(of),
    ),
    [`${kind}.publish`]: call(id, (gateway, of) => gateway[kind].publish(of)),
    [`${kind}.cancel`]: call(id, (gateway, of) => gateway[kind].cancel(of)),
    [`${kind}.items.add`]: call(fc.tuple(id, item), (gateway, [of, line]) =>
      gateway[kind].items.add(of, line),
    ),
    [`${kind}.items.update`]: call(fc.tuple(id, id, changedItem), (gateway, [of, line, changes]) =>
      gateway[kind].items.update(of, line, changes),
    ),
    [`${kind}.items.remove`]: call(fc.tuple(id, id), (gateway, [of, line]) =>
      gateway[kind].items.remove(of, line),
    ),
    [`${kind}.receipt`]: call(id, (gateway, of) => gateway[kind].receipt(of)),
    [`${kind}.receiptByNumber`]: call(documentNumber, (gateway, of) =>
      gateway[kind].receiptByNumber(of),
    ),
  }
}
