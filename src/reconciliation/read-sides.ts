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
import { receivedOf, restMinor, type Operation } from "../core/operation"
import { operationIdOf } from "../core/source-reference"
import type { MedusaRefundRow } from "../engine/medusa-port"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import type { ClientOfAccount } from "./client-of-account"
import { operationsOfSources, pages } from "./close-listed-sources"
import { collectSources, type Lists } from "./collect-sources"
import { askOwnSources, partingWith, type ListedSource } from "./list-sources"
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
  client: ClientOfAccount,
  account: Account,
  period: Period,
  keep: Keep,
): Promise<{ readonly sides: SidesOfPeriod; readonly because: Set<IncompleteCode> }> {
  const because = new Set<IncompleteCode>()
  const { gateway, credentialIds } = client
  const lists = await collectSources(deps, client, account, period, keep, because)
  const onUnreadable: OnUnreadable = (error) => {
    because.add("rows_unreadable")
    logUnreadable(deps)(error)
  }
  const byId = new Map<string, Operation>()
  const add = (found: readonly Operation[]) => found.forEach((one) => byId.set(one.id, one))
  const operations = () => [...byId.values()]
  const ofPeriod = findOfPeriod(deps.database, account.id, period, onUnreadable)
  await each(ofPeriod, keep, add)
  const unclear = await findWithUnclearLine(deps.database, account.id, period, onUnreadable)
  add(unclear)
  const parted = partingWith(deps, account, credentialIds)
  const askedIds = new Set<string>()
  const { listed } = lists
  if (gateway) {
    const { askable } = await parted(operations())
    const own = notListed(lists, askable)
    own.forEach(({ id }) => askedIds.add(id))
    const asked = await askOwnSources(deps, gateway, account.id, own, listed, keep, because)
    // A source exists that its list lacked, so there may be more that the ledger does not know.
    if (asked.some(({ sourceType }) => listed.includes(sourceType))) {
      because.add("list_incomplete")
    }
    lists.sources.push(...asked)
  }
  const sources: ListedSource[] = []
  const among = { accountId: account.id, credentialIds }
  // Each page is let go before the next: the operations of a busy week are in memory once.
  await each(pages(lists.sources), keep, async (page) => {
    const found = byAccount(account, await operationsOfSources(deps, among, page, onUnreadable))
    add(found.own)
    sources.push(...sourcesOf(client, page, found))
  })
  const payments = await paymentsOf(deps, period, operations())
  const otherSessions = new Set<string>()
  await each(pages(payments), keep, async (page) => {
    const { own, others } = byAccount(account, await operationsOfSessions(deps, page, onUnreadable))
    add(own)
    sessionsOf(others).forEach((sessionId) => otherSessions.add(sessionId))
  })
  const { askable, others: unaskable } = await parted(operations())
  if (gateway) {
    const unasked = askable.filter(({ id }) => !askedIds.has(id))
    const left = leftOut({ ...lists, sources }, unasked)
    sources.push(...(await askOwnSources(deps, gateway, account.id, left, listed, keep, because)))
  }
  const withRest = operations().filter((one) => restMinor(one) > 0n)
  const sides: SidesOfPeriod = {
    sources,
    listed: lists.listed,
    operations: operations(),
    unaskableIds: unaskable.map(({ id }) => id),
    unclearIds: unclear.map(({ id }) => id),
    restBack: new Map(await inPages(withRest, (page) => readRestBack(deps.database, page))),
    payments: paymentsOfAccount(account, payments, operations(), otherSessions),
  }
  return { sides, because }
}

/** Does something with each page, and keeps the task's lease after it. */
async function each<Page>(
  all: Iterable<Page> | AsyncIterable<Page>,
  keep: Keep,
  act: (page: Page) => void | Promise<void>,
): Promise<void> {
  for await (const page of all) {
    await act(page)
    await keep()
  }
}

function byAccount({ id }: Account, operations: readonly Operation[]) {
  return {
    own: operations.filter(({ accountId }) => accountId === id),
    others: operations.filter(({ accountId }) => accountId !== id),
  }
}

/** Another account of the client compares its own; what belongs to none of them is listed once. */
function sourcesOf(
  { isFirst }: ClientOfAccount,
  sources: readonly ListedSource[],
  { own, others }: ReturnType<typeof byAccount>,
): ListedSource[] {
  const has = (operations: readonly Operation[]) => {
    const keys = new Set<string>([...operations.map(sourceKey), ...operations.map(({ id }) => id)])
    return (source: ListedSource) =>
      keys.has(sourceKey(source)) || keys.has(operationIdOf(source.reference ?? "") ?? "")
  }
  const [isOwn, isOthers] = [has(own), has(others)]
  return sources.filter((source) => isOwn(source) || (isFirst && !isOthers(source)))
}

/** The default account answers for payments that belong to no account. */
function paymentsOfAccount(
  account: Account,
  payments: readonly MedusaPayment[],
  operations: readonly Operation[],
  others: ReadonlySet<string>,
): MedusaPayment[] {
  const own = sessionsOf(operations)
  return payments.filter(
    ({ sessionId }) => own.has(sessionId) || (account.isDefault && !others.has(sessionId)),
  )
}

/** The operations whose source is asked for: those of a list too long to read come first. */
function notListed(lists: Lists, operations: readonly Operation[]): Operation[] {
  const { sources, listed, tooLong } = lists
  const keys = new Set(sources.map(sourceKey))
  const missing = operations.filter(
    (one) => listed.includes(one.sourceType) && isMissing(lists, one),
  )
  return operations
    .filter((one) => tooLong.includes(one.sourceType) && !keys.has(sourceKey(one)))
    .concat(missing)
}

/**
 * Operations with money of whose source nothing was kept: they came in for another reason than the
 * period, or the list was read before their source was made.
 */
function leftOut(lists: Lists, operations: readonly Operation[]): Operation[] {
  const keys = new Set(lists.sources.map(sourceKey))
  return operations.filter(
    (one) =>
      receivedOf(one) !== null &&
      (lists.listed.includes(one.sourceType) || lists.has(one)) &&
      !keys.has(sourceKey(one)),
  )
}

/**
 * Whether a list lacks the operation's source. A list that was read before the source was made
 * can't have it, so a young source is not missing.
 */
function isMissing({ has, tookMs }: Lists, operation: Operation): boolean {
  const ageMs = operation.readAt.getTime() - operation.createdAt.getTime()
  const { sourceId } = operation
  return sourceId !== null && ageMs >= LIMITS.unlistedAfterMs + tookMs && !has(operation)
}

/** Reads for many rows, at most a page of them at once. */
async function inPages<Row, Found>(
  rows: readonly Row[],
  read: (page: readonly Row[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const page of pages(rows)) for (const one of await read(page)) found.push(one)
  return found
}

const sessionsOf = (operations: readonly Operation[]) =>
  new Set(operations.flatMap(({ paymentSessionId }) => paymentSessionId ?? []))

async function paymentsOf(
  deps: FlowDeps,
  period: Period,
  operations: readonly Operation[],
): Promise<MedusaPayment[]> {
  const payments = new Map<string, MedusaPayment>()
  const add = (found: readonly MedusaPayment[]) => found.forEach((one) => payments.set(one.id, one))
  add(await everyRow((afterId, limit) => deps.medusa.paymentsOfPeriod(period, { afterId, limit })))
  const paid = operations.filter(({ state }) => state === "completed")
  for (const page of pages(paid)) {
    add(await deps.medusa.paymentsOfSessions([...sessionsOf(page)]))
  }
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
  // Medusa may show as refunded what an operator took back, which no refund stands for.
  const takenBack = sessionsOf(known.filter(({ takenBackAt }) => takenBackAt !== null))
  return rows.filter(({ sessionId }) => {
    const owner = accountOf.get(sessionId)
    const isOwn = owner === undefined ? account.isDefault : owner === account.id
    return isOwn && !takenBack.has(sessionId)
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
    for (const one of page) rows.push(one)
    const last = page.at(-1)
    if (!last || page.length < LIMITS.upkeepRowsMax) return rows
    afterId = last.id
  }
}
