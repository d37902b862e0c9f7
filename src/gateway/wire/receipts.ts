/**
 * `receipt/{id}` and `receipt/number/{number}` of invoices and orders: what settled, with its fees
 * and exchange (specification, "Invoice receipt"; contract, 10). A receipt exists once the document
 * is `PAID`.
 *
 * No source shows an order's receipt. It is assumed to have the invoice's fields under the order's
 * own names; the invoice's names are accepted as well, because the specification calls that shape
 * common to both.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import { decimalText, parseCurrency } from "../../core/money"
import type { OperationName } from "../operations"
import { byId, byNumber } from "./sources/document-calls"
import type {
  DocumentStatus,
  FeeBearer,
  OwnerType,
  PaymentMethod,
  Provider,
  RelationshipType,
} from "./enums"
import type { Figure, Reader, Wire } from "./fields"
import {
  amountField,
  exactMoneyOf,
  figureOf,
  idField,
  Misfit,
  moneyIn,
  optionalDecimal,
  optionalFlag,
  optionalId,
  optionalText,
  reader,
  readLater,
  statusField,
  textField,
} from "./fields"

export type ReceiptItem = {
  readonly id: number
  readonly name: string
  readonly qty: number
  readonly amount: Money
}

export type Receipt = {
  /** Of the invoice or order. */
  readonly id: number
  /** Of the invoice or order. */
  readonly number: string
  readonly status: DocumentStatus
  /** The billed amount, before fees. */
  readonly total: Money
  readonly referenceId?: string
  readonly note?: string
  /** ISO 8601, as the gateway wrote it. Orders have none. */
  readonly dueDate?: string
  readonly asPaymentLink?: boolean
  readonly feeBearer?: FeeBearer | (string & {})
  /** ISO 8601, as the gateway wrote it. */
  readonly paidAt?: string
  readonly ownerId?: number
  readonly ownerType?: OwnerType | (string & {})
  /** ISO 8601, as the gateway wrote it. */
  readonly createdAt?: string
  readonly counterpartyId?: number
  readonly relationshipType?: RelationshipType | (string & {})
  readonly counterpartyName?: string
  /** As the gateway wrote it. A phone number: not for logs. */
  readonly counterpartyPhone?: string
  readonly counterpartyEmail?: string
  /**
   * What the customer paid. Only stored and displayed: it includes fees and exchange. Absent also
   * when the receipt gives it no currency; the amount is then in `wire`.
   */
  readonly payerAmount?: Figure
  readonly payerCurrency?: CurrencyCode
  /** What the merchant got; as {@link Receipt.payerAmount}. */
  readonly payeeAmount?: Figure
  readonly payeeCurrency?: CurrencyCode
  /** Absent also when the receipt gives it no currency; the amount is then in `wire`. */
  readonly platformFee?: Figure
  readonly platformCurrency?: CurrencyCode
  /** Absent also when the receipt gives it no currency; the amount is then in `wire`. */
  readonly gatewayFee?: Figure
  readonly gatewayCurrency?: CurrencyCode
  /** Decimal text in major units of a currency that the receipt does not name. */
  readonly fxFee?: string
  /** Decimal text, every digit kept. Which of the two currencies it counts in is not documented. */
  readonly fxRate?: string
  readonly fxCurrencyFrom?: CurrencyCode
  readonly fxCurrencyTo?: CurrencyCode
  readonly paymentProvider?: Provider
  readonly paymentMethod?: PaymentMethod
  readonly accountName?: string
  /** ISO 8601, as the gateway wrote it. */
  readonly gatewayConfirmedAt?: string
  readonly providerTransactionId?: string
  /** Absent when the gateway did not say; that does not mean there are none. */
  readonly items?: readonly ReceiptItem[]
  readonly wire: Wire
}

const sharedFields = {
  currency: textField,
  total_amount: amountField,
  status: statusField,
  reference_id: optionalText,
  note: optionalText,
  due_date: optionalText,
  as_payment_link: optionalFlag,
  fee_bearer: optionalText,
  paid_at: optionalText,
  owner_id: optionalId,
  owner_type: optionalText,
  created_at: optionalText,
  counterparty_id: optionalId,
  relationship_type: optionalText,
  counterparty_name: optionalText,
  counterparty_phone: optionalText,
  counterparty_email: optionalText,
  payer_amount: readLater,
  payer_currency: readLater,
  payee_amount: readLater,
  payee_currency: readLater,
  platform_fee: readLater,
  platform_currency: optionalText,
  gateway_fee: readLater,
  gateway_currency: optionalText,
  fx_fee: readLater,
  fx_rate: optionalDecimal,
  fx_currency_from: optionalText,
  fx_currency_to: optionalText,
  payment_provider: optionalText,
  payment_method: optionalText,
  account_name: optionalText,
  gateway_confirmed_at: optionalText,
  provider_transaction_id: optionalText,
  items: z
    .array(
      z.object({
        id: idField,
        name: textField,
        qty: z.int().positive(),
        amount: amountField,
        currency: textField,
      }),
    )
    .nullish(),
}
const invoiceSchema = z.object({
  ...sharedFields,
  invoice_id: idField,
  invoice_number: textField,
})
const orderSchema = z.object({
  ...sharedFields,
  order_id: optionalId,
  order_number: optionalText,
  invoice_id: optionalId,
  invoice_number: optionalText,
})

/** Names of an invoice that are accepted in an order's receipt. */
export const UNDOCUMENTED_ORDER_RECEIPT_FIELDS = ["invoice_id", "invoice_number"] as const

type SharedFields = z.output<z.ZodObject<typeof sharedFields>>
type Asked = { readonly id?: number; readonly number?: string }

const readInvoiceReceipt = reader<typeof invoiceSchema, Asked, Receipt>(
  invoiceSchema,
  (fields, wire, asked) => {
    const { invoice_id: id, invoice_number: number } = fields
    if (asked.id !== undefined && id !== asked.id) return another("invoice_id")
    if (asked.number !== undefined && number !== asked.number) return another("invoice_number")
    return receiptOf(fields, id, number, wire)
  },
)

const readOrderReceipt = reader<typeof orderSchema, Asked, Receipt>(
  orderSchema,
  (fields, wire, asked) => {
    const id = fields.order_id ?? fields.invoice_id
    const number = fields.order_number ?? fields.invoice_number
    if (id === undefined) return new Misfit("order_id", "missing")
    if (number === undefined) return new Misfit("order_number", "missing")
    if (asked.id !== undefined && id !== asked.id) return another("order_id")
    if (asked.number !== undefined && number !== asked.number) return another("order_number")
    return receiptOf(fields, id, number, wire)
  },
)

const another = (path: string) => new Misfit(path, "another document than asked for")

function receiptOf(fields: SharedFields, id: number, number: string, wire: Wire): Receipt | Misfit {
  const total = exactMoneyOf(fields.total_amount, fields.currency)
  if (!total) return new Misfit("total_amount", "no exact amount in its currency")
  const amounts = amountsIn(fields, wire)
  if (amounts instanceof Misfit) return amounts
  const items = fields.items ? itemsOf(fields.items) : undefined
  if (items instanceof Misfit) return items
  return {
    id,
    number,
    status: fields.status,
    total,
    referenceId: fields.reference_id,
    note: fields.note,
    dueDate: fields.due_date,
    asPaymentLink: fields.as_payment_link,
    feeBearer: fields.fee_bearer,
    paidAt: fields.paid_at,
    ownerId: fields.owner_id,
    ownerType: fields.owner_type,
    createdAt: fields.created_at,
    counterpartyId: fields.counterparty_id,
    relationshipType: fields.relationship_type,
    counterpartyName: fields.counterparty_name,
    counterpartyPhone: fields.counterparty_phone,
    counterpartyEmail: fields.counterparty_email,
    ...amounts,
    fxRate: fields.fx_rate,
    fxCurrencyFrom: parseCurrency(fields.fx_currency_from),
    fxCurrencyTo: parseCurrency(fields.fx_currency_to),
    paymentProvider: fields.payment_provider,
    paymentMethod: fields.payment_method,
    accountName: fields.account_name,
    gatewayConfirmedAt: fields.gateway_confirmed_at,
    providerTransactionId: fields.provider_transaction_id,
    items,
    wire,
  }
}

type Amounts = Pick<
  Receipt,
  | "payerAmount"
  | "payerCurrency"
  | "payeeAmount"
  | "payeeCurrency"
  | "platformFee"
  | "platformCurrency"
  | "gatewayFee"
  | "gatewayCurrency"
  | "fxFee"
>

const AMOUNTS = ["payer_amount", "payee_amount", "platform_fee", "gateway_fee", "fx_fee"] as const

function amountsIn(fields: SharedFields, wire: Wire): Amounts | Misfit {
  for (const name of AMOUNTS) {
    const amount = fields[name]
    if (amount === undefined || amount === null) continue
    if (decimalText(amount) === undefined) return new Misfit(name, "no amount")
  }
  const payer = sideIn(wire, "payer_amount", "payer_currency")
  if (payer instanceof Misfit) return payer
  const payee = sideIn(wire, "payee_amount", "payee_currency")
  if (payee instanceof Misfit) return payee
  const platformCurrency = parseCurrency(fields.platform_currency)
  const gatewayCurrency = parseCurrency(fields.gateway_currency)
  return {
    payerAmount: payer.amount,
    payerCurrency: payer.currency,
    payeeAmount: payee.amount,
    payeeCurrency: payee.currency,
    platformFee: platformCurrency && figureOf(fields.platform_fee, platformCurrency),
    platformCurrency,
    gatewayFee: gatewayCurrency && figureOf(fields.gateway_fee, gatewayCurrency),
    gatewayCurrency,
    fxFee: decimalText(fields.fx_fee),
  }
}

/**
 * The contract lets the currency of a side be null on its own; its amount is then left to `wire`.
 */
function sideIn(wire: Wire, amountName: string, currencyName: string): ReturnType<typeof moneyIn> {
  const currency = wire[currencyName]
  return currency === undefined || currency === null ? {} : moneyIn(wire, amountName, currencyName)
}

function itemsOf(lines: NonNullable<SharedFields["items"]>): readonly ReceiptItem[] | Misfit {
  const items: ReceiptItem[] = []
  for (const [index, { id, name, qty, ...line }] of lines.entries()) {
    const amount = exactMoneyOf(line.amount, line.currency)
    if (!amount) return new Misfit(`items.${index}.amount`, "no exact amount in its currency")
    items.push({ id, name, qty, amount })
  }
  return items
}

const receiptEndpoints = (
  byIdName: OperationName,
  byNumberName: OperationName,
  numberName: "invoice_number" | "order_number",
  read: Reader<Asked, Receipt>,
) => ({
  retrieve: byId(byIdName, read),
  retrieveByNumber: byNumber(byNumberName, numberName, read),
})

export const invoiceReceipts = receiptEndpoints(
  "invoices.receipt",
  "invoices.receiptByNumber",
  "invoice_number",
  readInvoiceReceipt,
)
export const orderReceipts = receiptEndpoints(
  "orders.receipt",
  "orders.receiptByNumber",
  "order_number",
  readOrderReceipt,
)
