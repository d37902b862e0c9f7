/**
 * A period as a file: a row for each payment and refund, for each difference without a payment in
 * the period, for sums that are not equal, and for each account not wholly compared, so that a file
 * of differences without a row means agreement. Read in pages, to bound the memory.
 *
 * Amounts are exact text, below zero where money went out, times ISO 8601 in the time zone that was
 * asked for; the columns never change places.
 */
import type { MedusaPayment } from "../core/medusa-records"
import { majorText } from "../core/money"
import { hasEnded, receivedOf, restMinor, type Operation } from "../core/operation"
import { isoIn, UTC } from "../core/time-zone"
import type { FlowDeps } from "../engine/deps"
import { signedFiguresOf } from "../review/rules/signed-figures"
import { agreementOf } from "./rules/agreement"
import { csvTable, type ColumnKind } from "./rules/csv"
import { groupedBy, holds, isElsewhere, type Period } from "./rules/reconciliation"
import type { AccountReconciliation, DifferenceResponse, Open } from "./schemas/reconciliation"
import { findMoneyOfPeriod } from "./sql/find-for-period"

const KINDS = {
  date: "time",
  type: "text",
  order_number: "number",
  order_id: "text",
  reference: "text",
  operation_id: "text",
  account_id: "text",
  payment_method: "text",
  carrier: "text",
  currency: "text",
  gross: "number",
  fee: "number",
  net: "number",
  refunded: "number",
  gateway_amount: "number",
  gateway_status: "text",
  ledger_amount: "number",
  ledger_state: "text",
  medusa_captured: "number",
  medusa_refunded: "number",
  difference: "text",
  compared_at: "time",
} as const satisfies Record<string, ColumnKind>

type Column = keyof typeof KINDS

export const COLUMNS = Object.keys(KINDS) as readonly Column[]
const TABLE = csvTable(KINDS)

type Cells = Partial<Record<Column, string | null>>

export type FileAsked = Period & {
  readonly accounts: readonly AccountReconciliation[]
  readonly isDifferencesOnly: boolean
  /** The time zone of the file's times; UTC by default. */
  readonly timeZone?: string
}

export async function* periodFile(deps: FlowDeps, asked: FileAsked): AsyncGenerator<string> {
  yield TABLE.head()
  const lineOf = linesIn(asked.timeZone)
  const found = differencesIn(asked.accounts)
  const foundOf = groupedBy(found, ({ operation_id }) => operation_id ?? "")
  const written = new Set<Found>()
  const accountIds = asked.accounts.map(({ account_id }) => account_id)
  const namedIds = found.flatMap(({ operation_id }) => operation_id ?? [])
  const ofPeriod = { ...asked, accountIds }
  for await (const page of findMoneyOfPeriod(deps.database, ofPeriod, namedIds)) {
    const beside = await besideOf(deps, page)
    let text = ""
    for (const operation of page) {
      const own = foundOf.get(operation.id) ?? []
      own.forEach((one) => written.add(one))
      const isOpen = own.length > 0 || operation.state === "review"
      if (asked.isDifferencesOnly && !isOpen) continue
      const account = asked.accounts.find(({ account_id }) => account_id === operation.accountId)
      text += lineOf(rowOf(operation, own, beside, account))
    }
    if (text !== "") yield text
  }
  // Differences of other days' payments, and of payments that the ledger does not know.
  const numbers = await deps.medusa.orderNumbers(found.flatMap(({ order_id }) => order_id ?? []))
  for (const one of found) if (!written.has(one)) yield lineOf(loneRowOf(one, numbers))
  for (const account of asked.accounts) {
    // Where rows differ, they say why the sums differ.
    const open = account.differences.every(isElsewhere) ? agreementOf([account]).open : []
    for (const one of open) if (one.kind === "unequal") yield lineOf(unequalRowOf(account, one))
    if (!isWhole(account)) yield lineOf(missingRowOf(account))
  }
}

type Found = DifferenceResponse & { readonly account: AccountReconciliation }

const differencesIn = (accounts: readonly AccountReconciliation[]): Found[] =>
  accounts.flatMap((account) =>
    account.differences.flatMap((one) => (isElsewhere(one) ? [] : { ...one, account })),
  )

const linesIn =
  (timeZone = UTC) =>
  (cells: Cells): string => {
    const timeOf = (iso?: string | null) => (iso ? isoIn(timeZone, new Date(iso)) : null)
    const { date, compared_at } = cells
    return TABLE.line({ ...cells, date: timeOf(date), compared_at: timeOf(compared_at) })
  }

/**
 * What Medusa has of a page's operations: payments by session, refunded amounts by the refund's id,
 * order numbers by the order's id.
 */
type Beside = {
  readonly payments: ReadonlyMap<string, MedusaPayment>
  readonly refunds: ReadonlyMap<string, string>
  readonly numbers: ReadonlyMap<string, string>
}

async function besideOf(deps: FlowDeps, operations: readonly Operation[]): Promise<Beside> {
  const [payments, refunds] = await Promise.all([
    deps.medusa.paymentsOfSessions(
      operations.flatMap(({ paymentSessionId }) => paymentSessionId ?? []),
    ),
    deps.medusa.refundRows(operations.flatMap(({ medusaRefundId }) => medusaRefundId ?? [])),
  ])
  const orderIds = [...operations, ...payments].flatMap(({ orderId }) => orderId ?? [])
  return {
    payments: new Map(
      payments.filter(({ isCanceled }) => !isCanceled).map((one) => [one.sessionId, one]),
    ),
    refunds: new Map(refunds.map(({ id, amount }) => [id, amount])),
    numbers: await deps.medusa.orderNumbers([...new Set(orderIds)]),
  }
}

function rowOf(
  operation: Operation,
  differences: readonly DifferenceResponse[],
  { payments, refunds, numbers }: Beside,
  account: AccountReconciliation | undefined,
): Cells {
  const { amount, medusaRefundId, state, type } = operation
  const isPayment = type === "COLLECTION"
  const payment = payments.get(operation.paymentSessionId ?? "")
  const orderId = operation.orderId ?? payment?.orderId ?? null
  // Medusa's payment of the session is not the money of a duplicate payment.
  const own = isPayment && holds(operation) ? payment : undefined
  const captured = own?.isCaptured ? own.capturedAmount : undefined
  const refunded = isPayment ? own?.refundedAmount : refunds.get(medusaRefundId ?? "")
  const isInMedusa = (isPayment ? captured : refunded) !== undefined
  const { asked, gross, fee, net } = signedFiguresOf(operation)
  const text = (minor: bigint | null) =>
    minor === null ? null : majorText({ minor, currency: amount.currency })
  const amounts = differences.find(({ gateway_amount }) => gateway_amount !== null)
  const reads = differences.find(({ gateway_status }) => gateway_status !== null)
  const wentBack = isPayment ? operation.refundedMinor : state === "completed" ? amount.minor : 0n
  return {
    date: operation.createdAt.toISOString(),
    type: isPayment ? "PAYMENT" : "REFUND",
    order_number: orderId === null ? null : (numbers.get(orderId) ?? null),
    order_id: orderId,
    reference: operation.reference,
    operation_id: operation.id,
    account_id: operation.accountId,
    payment_method: operation.paymentMethod,
    carrier: operation.carrier,
    currency: amount.currency,
    gross: text(gross),
    fee: text(fee),
    net: text(net),
    refunded: text(-wentBack),
    gateway_amount: amounts?.gateway_amount?.amount ?? text(gross),
    gateway_status: reads?.gateway_status ?? gatewayStatus(operation),
    ledger_amount: text(asked),
    ledger_state: state,
    medusa_captured: captured ?? null,
    medusa_refunded: wentOut(refunded),
    difference: differences.map(({ code }) => code).join(" ") || whyUnequal(operation, isInMedusa),
    compared_at:
      account && isCompared(account, operation, differences) ? account.compared_at : null,
  }
}

/**
 * Why the amounts of a row are not the same although no difference is known: the place of its money
 * in the bridge, or that an admin has decided about the part above the asked amount.
 */
function whyUnequal(operation: Operation, isInMedusa: boolean): string | null {
  const { type, state, recordedAt, returnedAt, medusaRefundId } = operation
  if (state === "review") return "under_review"
  if (!hasEnded(operation) && state !== "completed") return "under_way"
  if (type === "REFUND") {
    if (isInMedusa || state !== "completed") return null
    // Medusa asked for the refund and does not show it yet, or has no part in it.
    return medusaRefundId === null ? "given_back" : "under_way"
  }
  if (hasEnded(operation)) return receivedOf(operation) ? "dismissed" : null
  if (isInMedusa) return restMinor(operation) > 0n ? "rest_decided" : null
  if (recordedAt !== null) return null
  return returnedAt === null ? "under_way" : "given_back"
}

const UNEQUAL: Partial<Record<Open["what"], string>> = {
  received: "sums_received",
  recorded: "sums_recorded",
  refunded: "sums_refunded",
  not_explained: "sums_not_explained",
}

/** Two sums of a currency that are not equal, each in the column of its side. */
function unequalRowOf({ account_id, compared_at }: AccountReconciliation, open: Open): Cells {
  const { what, currency, sum, sums } = open
  const [one, other] = sums ?? []
  return {
    type: "NOT_EQUAL",
    account_id,
    currency,
    gateway_amount: (what === "received" ? one : sum)?.amount ?? null,
    ledger_amount: (what === "received" ? other : one)?.amount ?? null,
    medusa_captured: what === "recorded" ? (other?.amount ?? null) : null,
    medusa_refunded: what === "refunded" ? (other?.amount ?? null) : null,
    difference: UNEQUAL[what] ?? what,
    compared_at,
  }
}

/** Whether everything was read, and no difference was left out. */
const isWhole = ({ is_complete, left_out }: AccountReconciliation): boolean =>
  is_complete && left_out === 0

/**
 * Whether the row was compared. A payment that began later was not; a difference that was left out
 * may be any row's.
 */
function isCompared(
  account: AccountReconciliation,
  { createdAt }: Operation,
  differences: readonly DifferenceResponse[],
): boolean {
  if (createdAt > new Date(account.compared_at)) return false
  return isWhole(account) || (account.is_complete && differences.length > 0)
}

/** Why an account was not wholly compared, or how many differences were left out. */
function missingRowOf(account: AccountReconciliation): Cells {
  const { account_id, incomplete_because, left_out } = account
  const codes = incomplete_because.map(({ code }) => code)
  return {
    type: "NOT_COMPARED",
    account_id,
    difference: [...codes, ...(left_out > 0 ? [`left_out_${left_out}`] : [])].join(" "),
  }
}

/** The gateway's status as of the last check. */
function gatewayStatus({ type, state, sourceStatus }: Operation): string | null {
  return type === "REFUND" ? (state === "completed" ? "COMPLETED" : null) : sourceStatus
}

/** A refunded amount as Medusa has it, unrounded, below zero; zero has no sign. */
function wentOut(amount: string | undefined): string | null {
  if (amount === undefined) return null
  return Number(amount) === 0 ? amount : `-${amount}`
}

function loneRowOf(difference: Found, numbers: ReadonlyMap<string, string>): Cells {
  const { account, gateway_amount, ledger_amount, medusa_amount, order_id } = difference
  return {
    type: "DIFFERENCE",
    order_number: numbers.get(order_id ?? "") ?? null,
    order_id,
    reference: difference.document_reference,
    operation_id: difference.operation_id,
    account_id: account.account_id,
    currency: (gateway_amount ?? ledger_amount ?? medusa_amount)?.currency ?? null,
    gateway_amount: gateway_amount?.amount ?? null,
    gateway_status: difference.gateway_status,
    ledger_amount: ledger_amount?.amount ?? null,
    ledger_state: difference.state,
    medusa_captured: medusa_amount?.amount ?? null,
    difference: difference.code,
    compared_at: account.is_complete ? account.compared_at : null,
  }
}
