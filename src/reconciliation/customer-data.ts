/**
 * What is kept of one customer: read out for whoever asks for it, and erased once nothing moves any
 * more.
 */
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import type { Row } from "../ledger/database"
import type { FlowDeps } from "../engine/deps"
import type { HostCustomers, CustomersOwn } from "../engine/host"
import {
  findLiveOf,
  forgetOperationsOf,
  forgetPartiesOf,
  readOperationsOf,
  readPartiesOf,
  type PartyRow,
} from "./sql/customer-data"

type Given = Pick<FlowDeps, "database"> & { readonly host: HostCustomers }

/** `GET customers/:id/data`. Rows as they are stored, by the names of their columns. */
export type CustomerData = {
  readonly customer_id: string
  readonly parties: readonly PartyRow[]
  /** With `sessions`, `events`, `receipt` and `refund_approvals` of each. */
  readonly operations: readonly Row[]
  /** Asked for as `after`, the next ones follow; null: these are the last. */
  readonly next: string | null
}

/** `DELETE customers/:id/data` */
export type CustomerDataErased = {
  readonly customer_id: string
  readonly operations: number
  /** Who they were at the gateway: it keeps name and number, and has to be asked by these ids. */
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
    next: typeof last === "string" ? last : null,
  }
}

/**
 * All of it or nothing: while a payment is live it is still needed. One that begins meanwhile is
 * left, and erased by the next call.
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
    throw refusal(
      "payment_in_progress.customer",
      {},
      { operation_ids: live.slice(0, LIMITS.listPageMax) },
    )
  }
  const operations = await forgetOperationsOf(database, own, adminId)
  return {
    customer_id: customerId,
    operations,
    parties: await forgetPartiesOf(database, own),
  }
}

async function ownOf(host: HostCustomers, customerId: string): Promise<CustomersOwn> {
  const own = await host.customersOwn(customerId)
  if (!own) throw refusal("customer_not_found")
  return own
}
