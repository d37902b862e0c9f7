/**
 * Reads the gateway's sources, the ledger's operations and Medusa's payments of one account and one
 * period, and for each what belongs to it on the other sides. So a payment that began a day before
 * the period is still found by its source.
 */
import type { PaymentSessionId } from "../core/ids"
import type { MedusaPayment } from "../core/medusa-records"
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import { compareDecimals } from "../core/money"
import { restMinor, type Operation, type SourceType } from "../core/operation"
import type { MedusaRefundRow } from "../engine/medusa-port"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { operationsOfSources, pages } from "./close-listed-sources"
import { askOwnSources, listSources, partingWith, type ListedSource } from "./list-sources"
import { sourceKey, type Period, type SidesOfPeriod } from "./rules/reconciliation"
import type { MedusaRefund, LedgerRefund } from "./rules/reconciliation-totals"
import { findBoundRows } from "../refunds/sql/find-refunds"
import type { Keep } from "./run-task"
import { readRefundsOfPeriod, readRestBack } from "./sql/figures-of-period"
import {
  findOfPeriod,
  findOfSessions,
  findWithUnclearLine,
  logUnreadable,
  type OnUnreadable,
} from "./sql/find-for-period"

export async function readSides(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  account: Account,
  period: Period,
  keep: Keep,
): Promise<{ readonly sides: SidesOfPeriod; readonly because: Set<IncompleteCode> }> {
  const because = new Set<IncompleteCode>()
  const lists = await readLists(deps, gateway, account, keep, because)
  const onUnreadable: OnUnreadable = (error) => {
    because.add("rows_unreadable")
    logUnreadable(deps)(error)
  }
  const byId = new Map<string, Operation>()
  const add = (found: readonly Operation[]) => found.forEach((one) => byId.set(one.id, one))
  const operations = () => [...byId.values()]
  for await (const page of findOfPeriod(deps.database, account.id, period, onUnreadable)) {
    add(page)
    await keep()
  }
  const unclear = await findWithUnclearLine(deps.database, account.id, period, onUnreadable)
  add(unclear)
  const parted = partingWith(deps, account)
  if (gateway) {
    const { askable } = await parted(operations())
    const own = notListed(lists, askable)
    const asked = await askOwnSources(deps, gateway, account.id, own, keep, because)
    // A source exists that its list lacked, so there may be more that the ledger does not know.
    if (asked.some(({ sourceType }) => lists.listed.includes(sourceType))) {
      because.add("list_incomplete")
    }
    lists.all.push(...asked)
  }
  const ofPeriod = new Set(operations().map(({ sourceId }) => sourceId))
  // The sources of the period's own operations are in, whatever the gateway's clock says.
  const sources = lists.all.filter(
    (source) => ofPeriod.has(source.sourceId) || isTouchedIn(period, source),
  )
  const askOperations = (page: readonly ListedSource[]) =>
    operationsOfSources(deps, account.id, page, onUnreadable)
  add(await inPages(sources, askOperations))
  await keep()
  const payments = await paymentsOf(deps, period, operations())
  const known = await operationsOfSessions(deps, payments, onUnreadable)
  add(known.filter(({ accountId }) => accountId === account.id))
  const { others: unaskable } = await parted(operations())
  const inPeriod = new Set(sources)
  const sourceKeys = new Set(operations().map(sourceKey))
  const withRest = operations().filter((one) => restMinor(one) > 0n)
  const sides: SidesOfPeriod = {
    // Includes the sources of operations that are in for another reason.
    sources: lists.all.filter((one) => inPeriod.has(one) || sourceKeys.has(sourceKey(one))),
    listed: lists.listed,
    operations: operations(),
    unaskableIds: unaskable.map(({ id }) => id),
    unclearIds: unclear.map(({ id }) => id),
    restBack: new Map(await inPages(withRest, (page) => readRestBack(deps.database, page))),
    payments: paymentsOfAccount(account, payments, operations(), known),
  }
  return { sides, because }
}

/** The default account answers for payments that belong to no account. */
function paymentsOfAccount(
  account: Account,
  payments: readonly MedusaPayment[],
  operations: readonly Operation[],
  known: readonly Operation[],
): MedusaPayment[] {
  const own = sessionsOf(operations)
  const others = sessionsOf(known.filter(({ accountId }) => accountId !== account.id))
  return payments.filter(
    ({ sessionId }) => own.has(sessionId) || (account.isDefault && !others.has(sessionId)),
  )
}

type Lists = {
  readonly all: ListedSource[]
  readonly listed: readonly SourceType[]
  /** Their lists are too long to read: the sources of the period's operations are asked for. */
  readonly tooLong: readonly SourceType[]
}

/** The gateway's lists of the account's sources, as far as they could be read. */
async function readLists(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  account: Account,
  keep: Keep,
  because: Set<IncompleteCode>,
): Promise<Lists> {
  const all: ListedSource[] = []
  const listed: SourceType[] = []
  const tooLong: SourceType[] = []
  if (!gateway) because.add("not_configured")
  for (const sourceType of gateway ? (["ORDER", "INVOICE"] as const) : []) {
    await keep()
    const sources = gateway && (await listSources(deps, gateway, account, sourceType))
    if (sources === "too_long") tooLong.push(sourceType)
    else if (!sources) because.add("gateway_not_read")
    else {
      listed.push(sourceType)
      all.push(...sources)
    }
  }
  if (tooLong.length > 0) because.add("list_too_long")
  return { all, listed, tooLong }
}

/** The operations whose source is asked for: those of a list too long to read come first. */
function notListed({ all, listed, tooLong }: Lists, operations: readonly Operation[]): Operation[] {
  const keys = new Set(all.map(sourceKey))
  const missing = operations.filter(
    (one) => listed.includes(one.sourceType) && isMissing(keys, one),
  )
  return operations.filter(({ sourceType }) => tooLong.includes(sourceType)).concat(missing)
}

/**
 * Whether a list lacks the operation's source. A list that was read before the source was made
 * can't have it, so a young source is not missing.
 */
function isMissing(listed: ReadonlySet<string>, operation: Operation): boolean {
  const ageMs = operation.readAt.getTime() - operation.createdAt.getTime()
  const { sourceId } = operation
  return sourceId !== null && ageMs >= LIMITS.unlistedAfterMs && !listed.has(sourceKey(operation))
}

/** Reads for many rows, at most a page of them at once. */
async function inPages<Row, Found>(
  rows: readonly Row[],
  read: (page: readonly Row[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const page of pages(rows)) found.push(...(await read(page)))
  return found
}

const sessionsOf = (operations: readonly Operation[]) =>
  new Set(operations.map(({ paymentSessionId }) => paymentSessionId))

function isTouchedIn({ from, until }: Period, { touchedAt }: ListedSource): boolean {
  if (!touchedAt) return true
  const at = touchedAt.getTime()
  const slackMs = LIMITS.gatewayClockSlackMs
  return at >= from.getTime() - slackMs && at < until.getTime() + slackMs
}

async function paymentsOf(
  deps: FlowDeps,
  period: Period,
  operations: readonly Operation[],
): Promise<MedusaPayment[]> {
  const payments = new Map<string, MedusaPayment>()
  const add = (found: readonly MedusaPayment[]) => found.forEach((one) => payments.set(one.id, one))
  add(await everyRow((afterId, limit) => deps.medusa.paymentsOfPeriod(period, { afterId, limit })))
  const paid = operations.filter(({ state }) => state === "completed")
  const readPaid = (page: readonly Operation[]) =>
    deps.medusa.paymentsOfSessions([...sessionsOf(page)])
  add(await inPages(paid, readPaid))
  return [...payments.values()]
}

/**
 * The refunds of one account's payments that were asked for in a period, by the ledger and by
 * Medusa. Medusa's row of a ledger refund counts whenever Medusa wrote it. Medusa's other rows
 * count if it wrote them in the period and no refund of ours is bound to them.
 */
export async function readRefunds(
  deps: FlowDeps,
  account: Account,
  period: Period,
): Promise<{ readonly refunds: LedgerRefund[]; readonly medusaRefunds: MedusaRefund[] }> {
  const { database, medusa } = deps
  const all = await readRefundsOfPeriod(database, { ...period, accountIds: [account.id] })
  const ownById = new Map(all.map((refund) => [refund.medusaRefundId, refund]))
  const boundIds = [...ownById.keys()].filter((id) => id !== null)
  const bound = await inPages(boundIds, (page) => medusa.refundRows(page))
  const others = await unboundRefunds(deps, account, period)
  const sentMinor = ({ id, amount }: MedusaRefundRow) => {
    const own = ownById.get(id)
    return own && compareDecimals(own.medusaAmount, amount) === 0 ? own.amount.minor : undefined
  }
  return {
    refunds: all.filter(({ isSent }) => isSent),
    medusaRefunds: [...bound, ...others].map(({ id, ...row }) => {
      const minor = sentMinor({ id, ...row })
      return minor === undefined ? row : { ...row, minor }
    }),
  }
}

/** Rows of a period that Medusa wrote and that no refund in the ledger is bound to. */
async function unboundRefunds(
  deps: FlowDeps,
  account: Account,
  period: Period,
): Promise<MedusaRefundRow[]> {
  const written = await everyRow((afterId, limit) =>
    deps.medusa.refundsOfPeriod(period, { afterId, limit }),
  )
  const bound = new Set(
    await inPages(written, async (page) => [
      ...(await findBoundRows(
        deps.database,
        page.map(({ id }) => id),
      )),
    ]),
  )
  const rows = written.filter(({ id }) => !bound.has(id))
  // `readSides` has reported the rows that can't be read.
  const known = await operationsOfSessions(deps, rows, () => undefined)
  const accountOf = new Map(known.map((one) => [one.paymentSessionId, one.accountId]))
  return rows.filter(({ sessionId }) => {
    const owner = accountOf.get(sessionId)
    return owner === undefined ? account.isDefault : owner === account.id
  })
}

function operationsOfSessions(
  { database }: FlowDeps,
  rows: readonly { readonly sessionId: PaymentSessionId }[],
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  const sessionsIn = (page: typeof rows) => page.map(({ sessionId }) => sessionId)
  return inPages(rows, (page) => findOfSessions(database, sessionsIn(page), onUnreadable))
}

async function everyRow<Row extends { readonly id: string }>(
  read: (afterId: string, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let afterId = ""; ;) {
    const page = await read(afterId, LIMITS.upkeepRowsMax)
    rows.push(...page)
    const last = page.at(-1)
    if (!last || page.length < LIMITS.upkeepRowsMax) return rows
    afterId = last.id
  }
}
