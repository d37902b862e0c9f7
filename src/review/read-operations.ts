/** What the admin's pages read. From the ledger alone: reading never asks the gateway. */
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { hasReceipt } from "../worker/rules/receipt"
import type {
  OperationDetail,
  OperationList,
  OrderPaymentsResponse,
} from "./rules/review-responses"
import {
  findListed,
  findOfOrder,
  findListedRefunds,
  listOperations,
  type ListedOperation,
  type OperationFilter,
  type Place,
} from "./sql/list-operations"
import { findEvents } from "./sql/operation-events"
import { detailOf, refundOf, summaryOf } from "./view"

export async function readOperations(
  deps: Pick<FlowDeps, "database">,
  filter: OperationFilter,
  paging: {
    readonly limit: number
    readonly offset: number
    readonly after?: Place | undefined
  },
): Promise<OperationList> {
  const page = await listOperations(deps.database, filter, paging)
  const last = page.operations.at(-1)
  return {
    operations: page.operations.map(summaryOf),
    count: page.count,
    limit: paging.limit,
    offset: paging.offset,
    next: page.isMore && last ? textOfPlace(last.place) : null,
  }
}

/** @throws Refusal `operation_not_found` */
export async function readOperation(
  deps: Pick<FlowDeps, "database">,
  id: string,
): Promise<OperationDetail> {
  const [found, events, refunds] = await Promise.all([
    findListed(deps.database, id),
    findEvents(deps.database, id),
    findListedRefunds(deps.database, id),
  ])
  if (!found) throw refusal("operation_not_found")
  return detailOf(found, { events, refunds })
}

export async function readOrder(
  deps: Pick<FlowDeps, "database" | "host">,
  orderId: string,
): Promise<OrderPaymentsResponse> {
  const collections = await deps.host.collectionsOfOrder(orderId)
  const found = await findOfOrder(deps.database, orderId, collections)
  const refundsOf = ({ operation }: ListedOperation) =>
    found.filter((one) => one.operation.parentId === operation.id).map(refundOf)
  return {
    order_id: orderId,
    operations: found
      .filter(({ operation }) => operation.type === "COLLECTION")
      .map((one) => ({
        ...summaryOf(one),
        refunds: refundsOf(one),
        receipt_path: hasReceipt(one.operation)
          ? `/admin/merchant-payments/operations/${one.operation.id}/receipt`
          : null,
      })),
  }
}

/** A place in the list as text that survives an address. */
function textOfPlace({ createdMicros, id }: Place): string {
  return `${createdMicros}.${id}`
}

/** Undefined for text that no page has answered. */
export function placeFromText(text: string): Place | undefined {
  const [, micros, id] = /^(\d{1,16})\.([\w-]{1,100})$/.exec(text) ?? []
  if (micros === undefined || id === undefined) return undefined
  return { createdMicros: BigInt(micros), id }
}

export const OPERATIONS_PAGE = {
  most: LIMITS.listPageMax,
  usual: 20,
  furthest: LIMITS.listCountMax,
}
