/**
 * A row of `mp_operation` and the operation it stands for. Rows are `unknown` until this parser has
 * read them: `bigint` and `numeric` come as text from the driver, and stay exact that way.
 */
import {
  type AccountId,
  type AdminId,
  type CartId,
  type CounterpartyId,
  type CredentialId,
  type GatewaySessionId,
  idFrom,
  type LeaseToken,
  type MedusaRefundId,
  type OperationId,
  type OrderId,
  type PartyId,
  type PaymentAccountId,
  type PaymentCollectionId,
  type PaymentIntentId,
  type PaymentSessionId,
  type Reference,
  type SourceId,
  type WalletId,
} from "../core/ids"
import { parseCurrency, type CurrencyCode, type Money } from "../core/money"
import {
  isMoneyOut,
  type Exchange,
  type Fees,
  type Line,
  type Operation,
  type Sending,
} from "../core/operation"
import type { Sealed } from "../core/secret-box"
import type { Database, Row } from "./database"
import { storableJson } from "./storable"

/** What every statement that returns operations selects; `read_at` is the database's clock. */
export const OPERATION_COLUMNS = `*, now() as read_at`

export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow"
  constructor(column: string, row: Row) {
    super(`mp_operation ${String(row["id"])}: column ${column} can't be read`)
  }
}

/** @param onUnreadable called with each unreadable row, which holds up none of the others */
export function operationsFrom(
  rows: readonly Row[],
  onUnreadable?: (error: UnreadableRow) => void,
): Operation[] {
  return rows.flatMap((row) => {
    try {
      return operationFrom(row)
    } catch (error) {
      if (!(error instanceof UnreadableRow) || !onUnreadable) throw error
      onUnreadable(error)
      return []
    }
  })
}

/** The operations of a statement that selects {@link OPERATION_COLUMNS}. */
export async function queryOperations(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<Operation[]> {
  return (await database.query(sql, parameters)).map(operationFrom)
}

/** As {@link queryOperations}, for a statement with one row or none. */
export async function queryOperation(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<Operation | undefined> {
  return (await queryOperations(database, sql, parameters))[0]
}

export function operationFrom(row: Row): Operation {
  return {
    id: idFrom(text(row, "id")),
    accountId: text(row, "account_id"),
    credentialId: textOrNull(row, "credential_id"),
    flow: text(row, "flow") as Operation["flow"],
    isDuplicate: row["is_duplicate"] === true,
    version: numberOrNull(row, "version") ?? 0,
    ...medusaSideFrom(row),
    ...moneyFrom(row),
    lines: linesFrom(row["lines"], currencyOf(row, "currency_code")),
    ...gatewaySideFrom(row),
    ...pageAndPayerFrom(row),
    ...progressFrom(row),
    ...checksFrom(row),
  }
}

/** What the row says in Medusa's terms, and which refund or payout it is. */
function medusaSideFrom(row: Row) {
  // Medusa has no part in payouts and transfers: constraint `a_payment_is_one_of_medusas`.
  const type = text(row, "type") as Operation["type"]
  const ofPayment = <Column extends string>(column: Column, neutral: string) =>
    isMoneyOut({ type })
      ? (textOrNull(row, column) ?? (neutral as TextIn<Column>))
      : text(row, column)
  return {
    providerId: ofPayment("provider_id", ""),
    paymentCollectionId: ofPayment("payment_collection_id", ""),
    paymentSessionId: ofPayment("payment_session_id", ""),
    sourceType: ofPayment("source_type", "ORDER") as Operation["sourceType"],
    cartId: textOrNull(row, "cart_id"),
    orderId: textOrNull(row, "order_id"),
    parentId: textOrNull(row, "parent_id"),
    medusaRefundId: textOrNull(row, "medusa_refund_id"),
    medusaAmount: textOrNull(row, "medusa_amount"),
    askedBy: textOrNull(row, "asked_by"),
  }
}

/** The columns that {@link moneyFrom} reads. */
export const MONEY_COLUMNS = `type, state, currency_code, amount_minor, collected_minor,
  reserved_refund_minor, refunded_minor, money_at, recorded_at, taken_back_at, fee_bearer, payer_currency, payer_amount,
  quoted_payer_amount, payee_amount, payee_currency, fees, exchange_rate, exchange_from, exchange_to`

/** What an operation's money came to, of a statement that selects {@link MONEY_COLUMNS}. */
export function moneyFrom(row: Row) {
  const currency = currencyOf(row, "currency_code")
  const money = (column: string): Money | null => {
    const minor = bigintOrNull(row, column)
    return minor === null ? null : { minor, currency }
  }
  const amount = money("amount_minor")
  if (!amount) throw new UnreadableRow("amount_minor", row)
  return {
    type: text(row, "type") as Operation["type"],
    state: text(row, "state") as Operation["state"],
    amount,
    collected: money("collected_minor"),
    reservedRefundMinor: bigintOrNull(row, "reserved_refund_minor") ?? 0n,
    refundedMinor: bigintOrNull(row, "refunded_minor") ?? 0n,
    moneyAt: dateOrNull(row, "money_at"),
    recordedAt: dateOrNull(row, "recorded_at"),
    takenBackAt: dateOrNull(row, "taken_back_at"),
    feeBearer: textOrNull(row, "fee_bearer") as Operation["feeBearer"],
    payerCurrency: parseCurrency(row["payer_currency"]) ?? null,
    payerAmount: textOrNull(row, "payer_amount"),
    quotedPayerAmount: textOrNull(row, "quoted_payer_amount"),
    payeeAmount: textOrNull(row, "payee_amount"),
    payeeCurrency: parseCurrency(row["payee_currency"]) ?? null,
    fees: feesFrom(row["fees"]),
    exchange: exchangeFrom(row),
  }
}

/** The ids by which the gateway knows the operation. */
function gatewaySideFrom(row: Row) {
  return {
    paymentIntentId: numberOrNull(row, "payment_intent_id"),
    sourceId: numberOrNull(row, "source_id"),
    sourceNumber: textOrNull(row, "source_number"),
    sourceStatus: textOrNull(row, "source_status"),
    partyId: numberOrNull(row, "party_id"),
    gatewaySessionId: numberOrNull(row, "gateway_session_id"),
    paymentAccountId: numberOrNull(row, "payment_account_id"),
    draftReference: text(row, "draft_reference"),
    reference: textOrNull(row, "reference"),
  }
}

/** How it is paid, and the payment page with the way back to the shop. */
function pageAndPayerFrom(row: Row) {
  return {
    paymentMethod: textOrNull(row, "payment_method"),
    carrier: textOrNull(row, "carrier"),
    phoneHint: textOrNull(row, "phone_hint"),
    isPayerUnknown: (row["prompted_payer"] ?? null) !== null,
    cardSecret: sealedFrom(row["card_secret"]),
    hostedUrl: textOrNull(row, "hosted_url"),
    returnToken: textOrNull(row, "return_token"),
    successUrl: textOrNull(row, "success_url"),
    cancelUrl: textOrNull(row, "cancel_url"),
  }
}

/** How far it has come, and until when it may be paid. */
function progressFrom(row: Row) {
  return {
    createdAt: date(row, "created_at"),
    submittedAt: dateOrNull(row, "submitted_at"),
    expiresAt: date(row, "expires_at"),
    windowEndsAt: dateOrNull(row, "window_ends_at"),
    windowDoneAt: dateOrNull(row, "window_done_at"),
    reason: textOrNull(row, "reason"),
    closing: textOrNull(row, "closing") as Operation["closing"],
    sendings: numberOrNull(row, "sendings") ?? 0,
    lastSentAt: dateOrNull(row, "last_sent_at"),
    lastSending: textOrNull(row, "last_sending") as Sending | null,
    moneyAt: dateOrNull(row, "money_at"),
    recordedAt: dateOrNull(row, "recorded_at"),
    returnedAt: dateOrNull(row, "returned_at"),
    answeredAt: dateOrNull(row, "answered_at"),
    undoneAt: dateOrNull(row, "undone_at"),
    traceParent: textOrNull(row, "trace_parent"),
  }
}

/** What its checks found, when the next one is, and who holds it. */
function checksFrom(row: Row) {
  return {
    waiting: row["waiting"] === true,
    waitingAt: dateOrNull(row, "waiting_at"),
    absentAt: dateOrNull(row, "absent_at"),
    failedAt: dateOrNull(row, "failed_at"),
    contradictedAt: dateOrNull(row, "contradicted_at"),
    paidOtherwiseAt: dateOrNull(row, "paid_otherwise_at"),
    settleAttempts: numberOrNull(row, "settle_attempts") ?? 0,
    checks: numberOrNull(row, "checks") ?? 0,
    checkedAt: dateOrNull(row, "checked_at"),
    nextCheckAt: dateOrNull(row, "next_check_at"),
    leaseToken: textOrNull(row, "lease_token"),
    leaseUntil: dateOrNull(row, "lease_until"),
    readAt: date(row, "read_at"),
  }
}

export function linesToJson(lines: readonly Line[]): string {
  return storableJson(
    lines.map(({ name, quantity, amount }) => ({
      name,
      quantity,
      minor: amount.minor.toString(),
    })),
  )
}

function linesFrom(value: unknown, currency: CurrencyCode): Line[] {
  if (!Array.isArray(value)) return []
  return value.map((line: { name?: unknown; quantity?: unknown; minor?: unknown }) => ({
    name: String(line.name),
    quantity: Number(line.quantity),
    amount: { minor: BigInt(String(line.minor)), currency },
  }))
}

function sealedFrom(value: unknown): Sealed | null {
  if (typeof value !== "object" || value === null) return null
  const { ciphertext, keyId } = value as { ciphertext?: unknown; keyId?: unknown }
  return typeof ciphertext === "string" && typeof keyId === "string" ? { ciphertext, keyId } : null
}

const NO_FEES: Fees = { platform: null, gateway: null, fx: null, currency: null }

/** Fees as `advanceOperation` has written them; only shown to people, never compared. */
function feesFrom(value: unknown): Fees | null {
  return typeof value === "object" && value !== null ? { ...NO_FEES, ...value } : null
}

function exchangeFrom(row: Row): Exchange | null {
  const [rate, from, to] = ["exchange_rate", "exchange_from", "exchange_to"].map((column) =>
    textOrNull(row, column),
  )
  return rate || from || to ? { rate: rate ?? null, from: from ?? null, to: to ?? null } : null
}

/** The columns with ids: `text` and `numberOrNull` make each id by the name of its column. */
type IdColumns = {
  account_id: AccountId
  credential_id: CredentialId
  payment_collection_id: PaymentCollectionId
  payment_session_id: PaymentSessionId
  cart_id: CartId
  order_id: OrderId
  parent_id: OperationId
  medusa_refund_id: MedusaRefundId
  draft_reference: Reference
  reference: Reference
  lease_token: LeaseToken
  payment_intent_id: PaymentIntentId
  source_id: SourceId
  party_id: PartyId
  counterparty_id: CounterpartyId
  gateway_session_id: GatewaySessionId
  payment_account_id: PaymentAccountId
  wallet_id: WalletId
  operation_id: OperationId
  asked_by: AdminId
  approved_by: AdminId
  refused_by: AdminId
}
type TextIn<Column> = Column extends keyof IdColumns ? IdColumns[Column] & string : string
type NumberIn<Column> = Column extends keyof IdColumns ? IdColumns[Column] & number : number

export function text<Column extends string>(row: Row, column: Column): TextIn<Column> {
  const value = row[column]
  if (typeof value !== "string") throw new UnreadableRow(column, row)
  return value as TextIn<Column>
}

export function textOrNull<Column extends string>(row: Row, column: Column): TextIn<Column> | null {
  const value = row[column]
  return value === null || value === undefined ? null : text(row, column)
}

/**
 * The driver's parsers are shared by the whole store. Other code may make them turn `bigint` into
 * numbers or leave moments as text, and no payment could be read any more. So both are accepted.
 */
function bigintOrNull(row: Row, column: string): bigint | null {
  const value = row[column]
  if (value === null || value === undefined) return null
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value)
  if (!isWhole && !/^-?\d+$/.test(text(row, column))) throw new UnreadableRow(column, row)
  return BigInt(value as bigint | number | string)
}

export function numberOrNull<Column extends string>(
  row: Row,
  column: Column,
): NumberIn<Column> | null {
  const value = row[column]
  if (value === null || value === undefined) return null
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new UnreadableRow(column, row)
  return number as NumberIn<Column>
}

function date(row: Row, column: string): Date {
  const value = dateOrNull(row, column)
  if (!value) throw new UnreadableRow(column, row)
  return value
}

function dateOrNull(row: Row, column: string): Date | null {
  const value = row[column]
  if (value === null || value === undefined) return null
  const parsed = typeof value === "string" ? new Date(value) : value
  if (!(parsed instanceof Date) || Number.isNaN(parsed.getTime())) {
    throw new UnreadableRow(column, row)
  }
  return parsed
}

function currencyOf(row: Row, column: string): CurrencyCode {
  const currency = parseCurrency(row[column])
  if (!currency) throw new UnreadableRow(column, row)
  return currency
}
