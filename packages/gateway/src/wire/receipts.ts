/**
 * Receipts of invoices and orders: what settled, with fees and exchange, once the invoice or order
 * is `PAID` (specification, "Invoice receipt"; contract, 10).
 *
 * No documentation shows an order's receipt. It is assumed to have the fields of an invoice's
 * receipt, under the order's names or the invoice's: the specification calls that shape common to
 * both.
 */
import { z } from "zod"
import type { CounterpartyId, MerchantId, SourceId } from "../terms/ids"
import type { CurrencyCode, Money } from "../terms/money"
import type { CleanText, DecimalText, ExactText, PrivateText, StateWord } from "../terms/texts"
import { byId, byNumber } from "../endpoint"
import { ENUMS } from "./enums"
import type { DocumentStatus, FeeBearer, OwnerType, RelationshipType } from "./enums"
import * as field from "./fields"
import type { CamelCased, Figure, GatewayTime, Wire } from "./reading"
import { currencyIn, decimalIn } from "./forms"
import { exactMoneyOf, UnusableField, reader } from "./reading"
import { sideIn } from "./figures"
import { itemFields, itemsIn, type SourceItem } from "./sources/source-items"
import { expectingRecords } from "./unusual"

export type ReceiptItem = Omit<SourceItem, "createdAt" | "updatedAt">

export type Receipt = {
  /** The id of the invoice or order. */
  readonly id: SourceId
  /** The gateway's number of the invoice or order. */
  readonly number: ExactText
  readonly status: DocumentStatus
  /** The billed amount, before fees. */
  readonly total: Money
  readonly referenceId?: ExactText
  readonly note?: CleanText
  /** When an invoice is due. Orders have no due date. */
  readonly dueDate?: GatewayTime
  readonly asPaymentLink?: boolean
  readonly feeBearer?: FeeBearer | StateWord
  readonly paidAt?: GatewayTime
  readonly ownerId?: MerchantId
  readonly ownerType?: OwnerType | StateWord
  readonly createdAt?: GatewayTime
  readonly counterpartyId?: CounterpartyId
  readonly relationshipType?: RelationshipType | StateWord
  readonly counterpartyName?: PrivateText
  /** The counterparty's phone number as the gateway wrote it. Never log it. */
  readonly counterpartyPhone?: PrivateText
  readonly counterpartyEmail?: PrivateText
  /**
   * What the customer paid. Only stored and displayed: it includes fees and exchange. Without a
   * currency in the receipt it is in `wire` only, as are `payeeAmount` and the next two fees.
   */
  readonly payerAmount?: Figure
  readonly payerCurrency?: CurrencyCode
  /** What the merchant received. Only stored and displayed. */
  readonly payeeAmount?: Figure
  readonly payeeCurrency?: CurrencyCode
  readonly platformFee?: Figure
  readonly platformCurrency?: CurrencyCode
  readonly gatewayFee?: Figure
  readonly gatewayCurrency?: CurrencyCode
  /** The exchange fee: decimal text in major units of a currency that the receipt does not name. */
  readonly fxFee?: DecimalText
  /** The exact rate as decimal text. Which of the two currencies it counts in is not documented. */
  readonly fxRate?: DecimalText
  readonly fxCurrencyFrom?: CurrencyCode
  readonly fxCurrencyTo?: CurrencyCode
  readonly paymentProvider?: ExactText
  readonly paymentMethod?: ExactText
  readonly accountName?: PrivateText
  readonly gatewayConfirmedAt?: GatewayTime
  readonly providerTransactionId?: ExactText
  /** The lines. Undefined if the answer has none that can be read; there may still be lines. */
  readonly items?: readonly ReceiptItem[]
  readonly wire: Wire
}

const lineFields = itemFields.omit({ created_at: true, updated_at: true })

const sharedFields = {
  currency: field.currency,
  total_amount: field.amount,
  status: field.sourceStatus,
  reference_id: field.optionalExact,
  note: field.optionalText,
  due_date: field.optionalTime,
  as_payment_link: field.optionalFlag,
  fee_bearer: field.optionalWord(ENUMS.FeeBearer),
  paid_at: field.optionalTime,
  owner_id: field.optionalIdOf<MerchantId>(),
  owner_type: field.optionalWord(ENUMS.OwnerType),
  created_at: field.optionalTime,
  counterparty_id: field.optionalIdOf<CounterpartyId>(),
  relationship_type: field.optionalWord(ENUMS.RelationshipType),
  counterparty_name: field.optionalPrivate,
  counterparty_phone: field.optionalPrivate,
  counterparty_email: field.optionalPrivate,
  payer_amount: field.fromWire,
  payer_currency: field.fromWire,
  payee_amount: field.fromWire,
  payee_currency: field.fromWire,
  platform_fee: field.fromWire,
  platform_currency: field.fromWire,
  gateway_fee: field.fromWire,
  gateway_currency: field.fromWire,
  fx_fee: field.fromWire,
  fx_rate: field.optionalDecimal,
  fx_currency_from: field.optionalCurrency,
  fx_currency_to: field.optionalCurrency,
  payment_provider: field.optionalExact,
  payment_method: field.optionalExact,
  account_name: field.optionalPrivate,
  gateway_confirmed_at: field.optionalTime,
  provider_transaction_id: field.optionalExact,
  items: expectingRecords(z.array(lineFields).nullish().catch(undefined), lineFields.shape),
}
const invoiceSchema = z.object({
  ...sharedFields,
  invoice_id: field.idOf<SourceId>(),
  invoice_number: field.exactText,
})
const orderSchema = z.object({
  ...sharedFields,
  order_id: field.optionalIdOf<SourceId>(),
  order_number: field.optionalExact,
  invoice_id: field.optionalIdOf<SourceId>(),
  invoice_number: field.optionalExact,
})

type SharedFields = CamelCased<z.output<z.ZodObject<typeof sharedFields>>>
type Asked = { readonly id?: number; readonly number?: string }

const readInvoiceReceipt = reader<typeof invoiceSchema, Asked, Receipt>(
  invoiceSchema,
  ({ invoiceId: id, invoiceNumber: number, ...fields }, wire, asked) => {
    if (asked.id !== undefined && id !== asked.id) return another("invoice_id")
    if (asked.number !== undefined && number !== asked.number) return another("invoice_number")
    return receiptOf(fields, id, number, wire)
  },
)

const readOrderReceipt = reader<typeof orderSchema, Asked, Receipt>(
  orderSchema,
  ({ orderId, orderNumber, invoiceId, invoiceNumber, ...fields }, wire, asked) => {
    const id = orderId ?? invoiceId
    const number = orderNumber ?? invoiceNumber
    if (id === undefined) return new UnusableField("order_id", "missing")
    if (number === undefined) return new UnusableField("order_number", "missing")
    if (asked.id !== undefined && id !== asked.id) return another("order_id")
    if (asked.number !== undefined && number !== asked.number) return another("order_number")
    return receiptOf(fields, id, number, wire)
  },
)

const another = (path: string) => new UnusableField(path, "another source than asked for")

function receiptOf(
  { totalAmount, currency, items: lines, ...fields }: SharedFields,
  id: SourceId,
  number: ExactText,
  wire: Wire,
): Receipt | UnusableField {
  const total = exactMoneyOf(totalAmount, currency)
  if (!total) return new UnusableField("total_amount", "no exact amount in its currency")
  // The lines are only shown: the plugin has its own, so unreadable ones hide nothing.
  const items = lines ? itemsIn(lines, "items") : undefined
  return {
    ...fields,
    ...amountsIn(wire),
    fxCurrencyFrom: currencyIn(fields.fxCurrencyFrom),
    fxCurrencyTo: currencyIn(fields.fxCurrencyTo),
    id,
    number,
    total,
    items: items instanceof UnusableField ? undefined : items,
    wire,
  }
}

function amountsIn(wire: Wire) {
  const payer = sideIn(wire, "payer_amount", "payer_currency")
  const payee = sideIn(wire, "payee_amount", "payee_currency")
  const platform = sideIn(wire, "platform_fee", "platform_currency")
  const gateway = sideIn(wire, "gateway_fee", "gateway_currency")
  return {
    payerAmount: payer.amount,
    payerCurrency: payer.currency,
    payeeAmount: payee.amount,
    payeeCurrency: payee.currency,
    platformFee: platform.amount,
    platformCurrency: platform.currency,
    gatewayFee: gateway.amount,
    gatewayCurrency: gateway.currency,
    fxFee: decimalIn(wire["fx_fee"]),
  }
}

export const invoiceReceipts = {
  retrieve: byId("invoices.receipt", readInvoiceReceipt),
  retrieveByNumber: byNumber("invoices.receiptByNumber", "invoice_number", readInvoiceReceipt),
}
export const orderReceipts = {
  retrieve: byId("orders.receipt", readOrderReceipt),
  retrieveByNumber: byNumber("orders.receiptByNumber", "order_number", readOrderReceipt),
}
