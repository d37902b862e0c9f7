/** Receipts of orders and invoices, by id and by number, once they are `PAID`. */
import type { Document } from "../book/records"
import { iso } from "../clock"
import { wireAmount, type Currency } from "../money"
import {
  counterpartyOf,
  ownDocument,
  ownDocumentByNumber,
  partyOf,
  reportedTotalOf,
  stateOf,
} from "../rules/documents"
import { merchantOf } from "../rules/merchants"
import { accountNameOf, exchangeOf, receiptOf, type Payment } from "../rules/receipts"
import type { World } from "../world"
import { dueDateOf, numberIn, type ByNumber } from "./documents"
import { idOf, operation, type ById, type Operation } from "./operation"

/** `retrieveOrderReceipt`, `retrieveInvoiceReceiptByNumber` and so on. */
export const receiptOperations: readonly Operation[] = (["ORDER", "INVOICE"] as const).flatMap(
  (type) => {
    const kind = type === "ORDER" ? "Order" : "Invoice"
    const number = type === "ORDER" ? "order_number" : "invoice_number"
    return [
      operation<undefined, object, ById>(
        `retrieve${kind}Receipt`,
        ({ world, ownerId, params: { id } }) => {
          const document = ownDocument(world, ownerId, type, idOf(id))
          return receiptAnswer(world, document, receiptOf(world, document, "id"))
        },
      ),
      operation<undefined, object, ByNumber>(
        `retrieve${kind}ReceiptByNumber`,
        ({ world, ownerId, params }) => {
          const document = ownDocumentByNumber(world, ownerId, type, numberIn(params))
          return receiptAnswer(world, document, receiptOf(world, document, number))
        },
      ),
    ]
  },
)

function receiptAnswer(world: World, document: Document, payment: Payment) {
  const { id, number } = document
  return document.type === "ORDER"
    ? {
        order_id: id,
        order_number: number,
        due_date: document.dueDate,
        ...facts(world, document, payment),
      }
    : {
        invoice_id: id,
        invoice_number: number,
        due_date: dueDateOf(document),
        ...facts(world, document, payment),
      }
}

function facts(world: World, document: Document, { execution, paidAtMs }: Payment) {
  const counterparty = counterpartyOf(world, document)
  const party = partyOf(world, document)
  const { feeCurrency, payerCurrency, payeeCurrency } = execution
  const exchange = exchangeOf(execution)
  const wire = (minor: number, currency: Currency) => wireAmount({ minor, currency })
  return {
    reference_id: document.referenceId,
    currency: document.currency,
    total_amount: wireAmount(reportedTotalOf(world, document)),
    status: stateOf(world, document).status,
    note: document.note,
    as_payment_link: document.isPaymentLink,
    fee_bearer: document.feeBearer,
    paid_at: iso(paidAtMs),
    owner_id: document.ownerId,
    owner_type: merchantOf(world, document.ownerId).type,
    created_at: iso(document.createdAtMs),
    counterparty_id: counterparty.id,
    relationship_type: counterparty.relationship,
    counterparty_name: party.name,
    counterparty_phone: party.phone,
    counterparty_email: party.email,
    payer_amount: wire(execution.payerMinor, payerCurrency),
    payer_currency: payerCurrency,
    payee_amount: wire(execution.payeeMinor, payeeCurrency),
    payee_currency: payeeCurrency,
    platform_fee: wire(execution.platformFeeMinor, feeCurrency),
    platform_currency: feeCurrency,
    gateway_fee: wire(execution.gatewayFeeMinor, feeCurrency),
    gateway_currency: feeCurrency,
    fx_fee: exchange ? wire(execution.fxFeeMinor, payerCurrency) : null,
    fx_rate: exchange?.rate ?? null,
    fx_currency_from: exchange?.from ?? null,
    fx_currency_to: exchange?.to ?? null,
    payment_provider: execution.provider,
    payment_method: execution.method,
    account_name: accountNameOf(world, execution),
    gateway_confirmed_at: iso(paidAtMs),
    provider_transaction_id: execution.providerTransactionId,
    items: document.lines.map(({ id, name, qty, unitMinor }) => ({
      id,
      name,
      qty,
      amount: wire(unitMinor, document.currency),
      currency: document.currency,
    })),
  }
}
