/**
 * Reads out what is kept of one customer, on request, and erases it once none of the customer's
 * money moves any more.
 */
import type { AdminId, CustomerId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import type { Database } from "../ledger/database"
import type { MedusaCustomers, CustomersOwn } from "../engine/medusa-port"
import {
  findLiveOf,
  forgetOperationsOf,
  forgetPartiesOf,
  readOperationsOf,
  readPartiesOf,
} from "./sql/customer-data"
import type { CustomerData, CustomerDataErased } from "./schemas/customer-data"

type Given = { readonly database: Database; readonly medusa: Pick<MedusaCustomers, "customersOwn"> }

/** @throws Refusal `customer_not_found` */
export async function readCustomerData(
  { database, medusa }: Given,
  customerId: CustomerId,
  after: string | undefined,
): Promise<CustomerData> {
  const own = await ownOf(medusa, customerId)
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
  { database, medusa }: Given,
  customerId: CustomerId,
  adminId: AdminId,
): Promise<CustomerDataErased> {
  const own = await ownOf(medusa, customerId)
  const live = await findLiveOf(database, own)
  if (live.length > 0) {
    const operation_ids = live.slice(0, LIMITS.listPageMax)
    throw refusal("payment_in_progress.customer", {}, { operation_ids })
  }
  const operations = await forgetOperationsOf(database, own, adminId)
  const parties = await forgetPartiesOf(database, own)
  return { customer_id: customerId, operations, parties }
}

async function ownOf(medusa: Given["medusa"], customerId: CustomerId): Promise<CustomersOwn> {
  const own = await medusa.customersOwn(customerId)
  if (!own) throw refusal("customer_not_found")
  return own
}
