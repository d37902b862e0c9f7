/** What the admin's pages read, from the ledger alone: reading never asks the gateway. */
import { refusal } from "../core/refusal"
import { orderNumbersIn, searchQuery } from "../core/search-words"
import type { FlowDeps } from "../engine/deps"
import type { MedusaPort } from "../engine/medusa-port"
import { markWaiting } from "../ledger/bring-forward"
import type { Database } from "../ledger/database"
import { isOpenPush } from "../checkout/existing-payment"
import { statusOf } from "../checkout/rules/status"
import { methodLabels, methodsByLabel } from "../core/method-labels"
import type { OperationId, OrderId } from "../core/ids"
import { hasReceipt } from "../worker/rules/receipt"
import type { OperationDetail, OperationList, OrderPaymentsResponse } from "./schemas/operations"
import type { OperationFilter } from "./sql/list-filter"
import {
  findListed,
  findOfOrder,
  findListedRefunds,
  listOperations,
  type ListedOperation,
  type Paging,
} from "./sql/list-operations"
import { accountById, type Account } from "../ledger/accounts/find-accounts"
import { findEvents } from "../ledger/find-events"
import { findRequestsOf } from "../ledger/requests"
import { strayOrdersOf } from "../orders/stray-orders"
import { findRefundTimes } from "./sql/refund-times"
import { decisionFactsOf } from "./decision-facts"
import { totalsOf } from "./list-totals"
import { detailOf, progressOf, refundOf, summaryOf, type Beside } from "./view"

export type ListAsked = OperationFilter & {
  /** The search text that an admin typed; not blank. */
  readonly q?: string | undefined
}

export type BesidePorts = Pick<FlowDeps, "accounts"> & {
  readonly medusa: Pick<MedusaPort, "orderNumbers">
}

export type ListPorts = BesidePorts &
  Pick<FlowDeps, "database" | "digest"> & { readonly medusa: Pick<MedusaPort, "ordersNumbered"> }

export async function readOperations(
  deps: ListPorts,
  asked: ListAsked,
  paging: Paging,
  withTotals = false,
): Promise<OperationList> {
  const filter = await filterFrom(deps, asked)
  const [page, totals] = await Promise.all([
    readSummaries(deps, filter, paging),
    withTotals ? totalsOf(deps.database, filter) : undefined,
  ])
  const last = paging.order?.by === "amount" ? undefined : page.last
  return {
    operations: page.summaries,
    count: page.count,
    limit: paging.limit,
    offset: paging.offset,
    // The place as text that is safe in a URL.
    next: page.isMore && last ? `${last.createdMicros}.${last.id}` : null,
    operators: [...methodsByLabel(await deps.accounts())].map(([label, payment_methods]) => ({
      label,
      payment_methods,
    })),
    ...(totals === undefined ? {} : { totals }),
  }
}

/** A page of operations as every list shows them: the admin's, and that of the shop's own code. */
export async function readSummaries(
  deps: BesidePorts & Pick<FlowDeps, "database">,
  filter: OperationFilter,
  paging: Paging,
) {
  const { operations, count, isMore } = await listOperations(deps.database, filter, paging)
  const beside = await besideOf(deps, operations)
  const summaries = operations.map((one) => summaryOf(one, beside))
  return { summaries, count, isMore, last: operations.at(-1)?.place }
}

/** Makes a search of what the admin typed. Medusa finds the orders with a typed order number. */
export async function filterFrom(
  { medusa, digest }: Pick<ListPorts, "medusa" | "digest">,
  { q, ...filter }: ListAsked,
): Promise<OperationFilter> {
  if (q === undefined) return filter
  const orders = await medusa.ordersNumbered(orderNumbersIn(q))
  return { ...filter, words: searchQuery(q, digest, (number) => orders.get(number)) }
}

/** Reads what the admin's pages show with operations: operators' names and order numbers. */
export async function besideOf(
  { accounts, medusa }: BesidePorts,
  listed: readonly ListedOperation[],
  orderId?: OrderId | null,
): Promise<Beside> {
  const orderIds = new Set(listed.flatMap(({ operation }) => operation.orderId ?? []))
  if (orderId) orderIds.add(orderId)
  const [labelOf, numbers] = await Promise.all([
    accounts().then(methodLabels),
    medusa.orderNumbers([...orderIds]),
  ])
  return { labelOf, numbers }
}

/** @throws Refusal `operation_not_found` */
export async function readOperation(
  deps: Pick<FlowDeps, "database" | "accounts" | "medusa">,
  id: OperationId,
): Promise<OperationDetail> {
  const [found, events, refunds] = await Promise.all([
    findListed(deps.database, id),
    findEvents(deps.database, id),
    findListedRefunds(deps.database, id),
  ])
  const requests = await requestsOf(deps.database, [id], refunds)
  if (!found) throw refusal("operation_not_found")
  const { operation } = found
  const isToDecide = operation.type === "COLLECTION" && operation.state === "review"
  const facts = isToDecide ? await decisionFactsOf(deps, operation) : undefined
  const [beside, strays, contact] = await Promise.all([
    besideOf(deps, [found], facts?.orderId),
    strayOrdersOf(deps, operation),
    // For a refund this is the payer. Medusa knows nothing of a payout.
    deps.medusa.contact(found.operation),
  ])
  const portalUrl = portalOf(accountById(await deps.accounts(), operation.accountId))
  return detailOf(found, {
    events,
    refunds,
    ...beside,
    contact,
    facts,
    portalUrl,
    strays,
    requests,
  })
}

/** What another admin approved of these operations. */
const requestsOf = (
  database: Database,
  ids: readonly OperationId[],
  listed: readonly ListedOperation[],
) => findRequestsOf(database, [...ids, ...listed.map(({ operation }) => operation.id)])

/** An admin's browser is led nowhere but to an address of https. */
function portalOf(account: Account | undefined): string | null {
  const url = account?.wireNames["portal.transactions"]
  return url !== undefined && URL.canParse(url) && new URL(url).protocol === "https:" ? url : null
}

export async function readOrder(
  deps: Pick<FlowDeps, "database" | "accounts" | "medusa">,
  orderId: OrderId,
): Promise<OrderPaymentsResponse> {
  const collections = await deps.medusa.collectionsOfOrder(orderId)
  const found = await findOfOrder(deps.database, orderId, collections)
  const beside = await besideOf(deps, found)
  const requests = await requestsOf(deps.database, [], found)
  const refundsOf = ({ operation }: ListedOperation) =>
    found.filter((one) => one.operation.parentId === operation.id)
  const payments = found.filter(({ operation }) => operation.type === "COLLECTION")
  const onPhones = payments.filter(({ operation }) => isOpenPush(operation))
  // An admin has the order open, so its prompts are checked as often as for a waiting shopper.
  await markWaiting(
    deps.database,
    onPhones.map(({ operation }) => operation.id),
  )
  return {
    order_id: orderId,
    operations: await Promise.all(
      payments.map(async (one) => ({
        ...summaryOf(one, beside),
        refunds: refundsOf(one).map((refund) => refundOf(refund, requests)),
        refund_times: await timesOf(deps.database, refundsOf(one)),
        prompt: isOpenPush(one.operation) ? statusOf(one.operation).prompt : null,
        receipt_path: hasReceipt(one.operation)
          ? `/admin/merchant-payments/operations/${one.operation.id}/receipt`
          : null,
      })),
    ),
  }
}

async function timesOf(database: Database, refunds: readonly ListedOperation[]) {
  const onItsWay = refunds.find(({ operation }) => progressOf(operation) === "on_its_way")
  const times = onItsWay && (await findRefundTimes(database, onItsWay.operation))
  return times ? { within_ms: times.withinMs, of: times.of } : null
}
