/**
 * The three books of one account and one period: what the gateway lists, the ledger's operations,
 * and Medusa's payments, each with what belongs to the others, so that a payment that began a day
 * before the period is still found by its document.
 */
import type { HostPayment } from "../core/host-records"
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { Operation, SourceType } from "../core/operation"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { askOwnDocuments } from "./ask-own-documents"
import { askableWith, partedBy } from "./asked-with"
import { operationsOfDocuments, pages } from "./close-documents"
import { listDocuments, type ListedDocument } from "./list-documents"
import { sourceKey, type GatewayDocument, type SidesOfPeriod } from "./rules/reconciliation"
import type { Keep } from "./run-task"
import {
  findOfPeriod,
  findOfSessions,
  findWithUnclearLine,
  type OnUnreadable,
} from "./sql/find-for-period"

export type Period = { readonly from: Date; readonly until: Date }

export async function readSides(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  account: Account,
  period: Period,
  keep: Keep,
): Promise<{ readonly books: SidesOfPeriod; readonly because: Set<IncompleteCode> }> {
  const because = new Set<IncompleteCode>()
  const all: ListedDocument[] = []
  const listed: SourceType[] = []
  const tooLong: SourceType[] = []
  for (const sourceType of gateway ? (["ORDER", "INVOICE"] as const) : []) {
    await keep()
    const documents = gateway && (await listDocuments(deps, gateway, account, sourceType))
    if (documents === "too_long") tooLong.push(sourceType)
    else if (documents) {
      listed.push(sourceType)
      all.push(...documents)
    }
  }
  if (!gateway) because.add("not_configured")
  else if (listed.length + tooLong.length < 2) because.add("gateway_not_read")
  const onUnreadable: OnUnreadable = (error) => {
    because.add("rows_unreadable")
    deps.logger.error(`merchant payments: ${error.message}`)
  }
  const operations = new Map<string, Operation>()
  const add = (found: readonly Operation[]) => found.forEach((one) => operations.set(one.id, one))
  let after: string | undefined
  do {
    const limit = LIMITS.upkeepRowsMax
    const paging = { after, limit }
    const page = await findOfPeriod(deps.database, account.id, period, paging, onUnreadable)
    add(page.operations)
    after = page.next
    await keep()
  } while (after !== undefined)
  const unclear = await findWithUnclearLine(deps.database, account.id, period, onUnreadable)
  add(unclear)
  const isAskable = askableWith(deps, account)
  if (gateway && tooLong.length > 0) {
    because.add("list_too_long")
    const { askable } = await partedBy([...operations.values()], isAskable)
    const own = askable.filter(({ sourceType }) => tooLong.includes(sourceType))
    all.push(...(await askOwnDocuments(deps, gateway, account.id, own, keep, because)))
  }
  const ofPeriod = new Set([...operations.values()].map(({ sourceId }) => sourceId))
  // Whatever a clock of the gateway's says, the documents of the period's own operations are in.
  const documents = all.filter(
    (document) => ofPeriod.has(document.sourceId) || isTouchedIn(period, document),
  )
  for (const page of pages(documents)) {
    add(await operationsOfDocuments(deps, account.id, page, onUnreadable))
  }
  await keep()
  const payments = await paymentsOf(deps, period, [...operations.values()])
  const others = new Set<string>()
  for (const page of pages(payments)) {
    const known = await findOfSessions(
      deps.database,
      page.map(({ sessionId }) => sessionId),
      onUnreadable,
    )
    add(known.filter(({ accountId }) => accountId === account.id))
    for (const { accountId, paymentSessionId } of known) {
      if (accountId !== account.id) others.add(paymentSessionId)
    }
  }
  const own = new Set([...operations.values()].map(({ paymentSessionId }) => paymentSessionId))
  const { others: unaskable } = await partedBy([...operations.values()], isAskable)
  const books: SidesOfPeriod = {
    documents: inLedger(documents, all, [...operations.values()]),
    listed,
    operations: [...operations.values()],
    unaskableIds: unaskable.map(({ id }) => id),
    unclearIds: unclear.map(({ id }) => id),
    // What is nobody's is the default account's to answer for.
    payments: payments.filter(
      ({ sessionId }) => own.has(sessionId) || (account.isDefault && !others.has(sessionId)),
    ),
  }
  return { books, because }
}

function isTouchedIn({ from, until }: Period, { touchedAt }: ListedDocument): boolean {
  if (!touchedAt) return true
  const at = touchedAt.getTime()
  return (
    at >= from.getTime() - LIMITS.gatewayClockSlackMs &&
    at < until.getTime() + LIMITS.gatewayClockSlackMs
  )
}

/** The period's documents, and those of operations that are in for another reason. */
function inLedger(
  documents: readonly ListedDocument[],
  all: readonly ListedDocument[],
  operations: readonly Operation[],
): GatewayDocument[] {
  const chosen = new Set(documents)
  const sources = new Set(operations.map(sourceKey))
  return all.filter((document) => chosen.has(document) || sources.has(sourceKey(document)))
}

async function paymentsOf(
  deps: FlowDeps,
  period: Period,
  operations: readonly Operation[],
): Promise<HostPayment[]> {
  const payments = new Map<string, HostPayment>()
  const add = (found: readonly HostPayment[]) => found.forEach((one) => payments.set(one.id, one))
  await eachPage((afterId, limit) => deps.host.paymentsOfPeriod(period, { afterId, limit })).then(
    add,
  )
  const paid = operations.filter(({ state }) => state === "completed")
  for (const page of pages(paid)) {
    add(await deps.host.paymentsOfSessions(page.map(({ paymentSessionId }) => paymentSessionId)))
  }
  return [...payments.values()]
}

export async function eachPage<Row extends { readonly id: string }>(
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
