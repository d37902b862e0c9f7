/**
 * Reads out what is kept of one customer, on request, and erases it once none of the customer's
 * money moves any more.
 */
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import type { Database, Row } from "../ledger/database"
import type { HostCustomers, CustomersOwn } from "../engine/host"
import {
  findLiveOf,
  forgetOperationsOf,
  forgetPartiesOf,
  readOperationsOf,
  readPartiesOf,
  type PartyRow,
} from "./sql/customer-data"

type Given = { readonly database: Database; readonly host: Pick<HostCustomers, "customersOwn"> }

/** `GET customers/:id/data`. Rows as they are stored, by the names of their columns. */
export type CustomerData = {
  readonly customer_id: string
  readonly parties: readonly PartyRow[]
  /** With `sessions`, `events`, `receipt` and `refund_approvals` of each. */
  readonly operations: readonly Row[]
  /** The `after` of the next request; null: these are the last. */
  readonly next: string | null
}

/** `DELETE customers/:id/data` */
export type CustomerDataErased = {
  readonly customer_id: string
  readonly operations: number
  /** The gateway keeps name and number. The store has to ask it by these ids to erase them. */
  readonly parties: readonly PartyRow[]
}

/** @throws Refusal `customer_not_found` */
export async function readCustomerData(
  { database, host }: Given,
  customerId: string,
  after: string | undefined,
): Promise<CustomerData> {
  const own = await ownOf(host, customerId)
  const [parties, operations] = await Promise.all([
    readPartiesOf(database, own),
    readOperationsOf(database, own, after),
  ])
  const last = operations.length === LIMITS.upkeepRowsMax ? operations.at(-1)?.["id"] : undefined
  return {
    customer_id: customerId,
    parties,
    operations,
    next: (last as string | undefined) ?? null,
  }
}

/**
 * Erases all or nothing: the data of a live payment is still needed. A payment that begins
 * meanwhile is left for the next call.
 *
 * @throws Refusal `customer_not_found`, `payment_in_progress` with the `operation_ids` that are
 *   live
 */
export async function eraseCustomerData(
  { database, host }: Given,
  customerId: string,
  adminId: string,
): Promise<CustomerDataErased> {
  const own = await ownOf(host, customerId)
  const live = await findLiveOf(database, own)
  if (live.length > 0) {
    const operation_ids = live.slice(0, LIMITS.listPageMax)
    throw refusal("payment_in_progress.customer", {}, { operation_ids })
  }
  const operations = await forgetOperationsOf(database, own, adminId)
  const parties = await forgetPartiesOf(database, own)
  return { customer_id: customerId, operations, parties }
}

async function ownOf(host: Given["host"], customerId: string): Promise<CustomersOwn> {
  const own = await host.customersOwn(customerId)
  if (!own) throw refusal("customer_not_found")
  return own
}
