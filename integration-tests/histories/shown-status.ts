/** STATUS of payment sessions and the payment link of an order, as their routes answer. */
import { readStatus, type Shown } from "../../src/checkout/read-status"
import { storeIds } from "../../src/core/ports"
import { idFrom } from "../../src/core/ids"
import { Refusal } from "../../src/core/refusal"
import type { FlowDeps } from "../../src/engine/deps"
import type { Database } from "../../src/ledger/database"
import { visitReceipt, type ReceiptPorts } from "../../src/papers/read-receipt"
import { openOf } from "../../src/engine/open-amount"
import { readPaymentLink } from "../../src/payment-links/read-link"
import type { PaymentLinkResponse } from "../../src/payment-links/schemas/payment-link"
import type { Named } from "./truth"

export type ShownStatus = Omit<Shown, "operation"> & {
  /** The payment that it shows; null: none was started. */
  readonly payment: (Named & { readonly id: string }) | null
}

/** By payment session; one that the store's route does not know any more is absent. */
export async function statusesOf(
  deps: FlowDeps,
  sessionIds: readonly string[],
): Promise<Map<string, ShownStatus>> {
  const reading = unmarked(deps)
  const statuses = new Map<string, ShownStatus>()
  for (const id of sessionIds) {
    const read = await orUndefined("session_not_found", () =>
      readStatus(reading, { sessionId: idFrom(id) }),
    )
    if (!read) continue
    const { operation, ...shown } = read
    const { id: own, reference, sourceId: document } = operation ?? {}
    const payment =
      own === undefined
        ? null
        : { id: own, reference: reference ?? null, document: document ?? null }
    statuses.set(id, { ...shown, payment })
  }
  return statuses
}

/** What the shop's page of an order's link says, and what Medusa asks for the order. */
export type ShownLink = {
  readonly link: PaymentLinkResponse
  /** Major units; null: nothing that can be paid. */
  readonly asked: string | null
}

/** Undefined: Medusa has no such order. */
export async function linkOf(deps: FlowDeps, id: string): Promise<ShownLink | undefined> {
  const order = await deps.medusa.openOrder(idFrom(id))
  if (!order) return undefined
  const link = await readPaymentLink(unmarked(deps), idFrom(id))
  return { link, asked: openOf(order) ? order.openAmount : null }
}

/** What the customer's link of a receipt opens; null: nothing, or nothing any more. */
export async function openedReceipt(ports: ReceiptPorts, url: string) {
  const visited = await visitReceipt(ports, url.split("/").at(-1) ?? "")
  return visited.kind === "shown" ? visited.document : null
}

/** A look brings no check forward, or what is looked at would be another history. */
export function unmarked(deps: FlowDeps): FlowDeps {
  const database: Database = {
    query: (text, ...given) =>
      MARKS.test(text) ? Promise.resolve([]) : deps.database.query(text, ...given),
  }
  return { ...deps, database, ids: storeIds(deps.digest) }
}

const MARKS = /\bupdate mp_operation\b/i

async function orUndefined<T>(code: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal && error.code === code) return undefined
    throw error
  }
}
