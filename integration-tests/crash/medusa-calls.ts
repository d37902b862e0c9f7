/**
 * Every call of the port behind which Medusa stands, and what is done of it when it is done by
 * half. A method that the port gets and that has no entry here does not compile, and fails a test.
 * What only the sweep, the reconciliation and the admin's pages read is left out: no payment waits for
 * it.
 */
import type { MedusaPort, MedusaCustomers, MedusaPeriod } from "../../src/engine/medusa-port"
import type { MedusaStrays } from "../../src/engine/stray-order"
import type { Cart } from "../support/medusa-in-memory"

export type MedusaCall = Exclude<
  keyof MedusaPort,
  keyof MedusaPeriod | keyof MedusaCustomers | keyof MedusaStrays
>

/** The port itself, where a half is made of its own calls. */
export type Medusa = MedusaPort

type Half = (medusa: Medusa, cart: Cart, given: readonly unknown[]) => Promise<unknown>

export type Kind =
  | { readonly kind: "reads" }
  /** Null: it is one statement of Medusa's, done or not done. */
  | { readonly kind: "writes"; readonly half: Half | null }

const READS: Kind = { kind: "reads" }
const AT_ONCE: Kind = { kind: "writes", half: null }

const writes = (half: Half): Kind => ({ kind: "writes", half })

/** Killed between the capture and the order's transaction (H26). */
function withoutTransaction(act: (medusa: Medusa, given: readonly unknown[]) => Promise<unknown>) {
  return writes(async (medusa, cart, given) => {
    const before = cart.payments.length
    await act(medusa, given)
    for (const payment of cart.payments.slice(before)) payment.isInOrder = false
  })
}

/** Of a list, one after the other: the first of them. */
function theFirst(act: (medusa: Medusa, ids: readonly string[]) => Promise<unknown>) {
  return writes((medusa, _cart, [ids]) =>
    act(medusa, Array.isArray(ids) ? ids.slice(0, 1).map(String) : []),
  )
}

export const MEDUSA_CALLS: Readonly<Record<MedusaCall, Kind>> = {
  payable: READS,
  session: READS,
  due: READS,
  registeredCustomer: READS,
  payableCart: READS,
  basketOfCart: READS,
  cartTotal: READS,
  basketOfOrder: READS,
  order: READS,
  openOrder: READS,
  collectionsOfOrder: READS,
  paidSessionsOfOrder: READS,
  record: READS,
  settledRecord: READS,
  refundRecords: READS,
  suspectRefunds: READS,
  refund: READS,
  shown: READS,
  paidOfOrder: READS,
  openSession: AT_ONCE,
  showOnSession: writes((medusa, _cart, [session, show]) =>
    medusa.showOnSession(session as never, { ...(show as object), data: undefined }),
  ),
  deleteSessions: theFirst((medusa, ids) => medusa.deleteSessions(ids)),
  completeCart: withoutTransaction((medusa, [cartId]) => medusa.completeCart(String(cartId))),
  captureOnOrder: withoutTransaction((medusa, [sessionId, amount]) =>
    medusa.captureOnOrder(String(sessionId), String(amount)),
  ),
  /** The row and the provider's yes; what the workflow writes of it is missing. */
  refundCaptured: AT_ONCE,
  cancelOrder: AT_ONCE,
  dropCapture: AT_ONCE,
  makeRefund: writes((medusa, _cart, [refund]) =>
    medusa.makeRefund({
      ...(refund as Parameters<MedusaPort["makeRefund"]>[0]),
      isByWorkflow: false,
    }),
  ),
  removeRefunds: theFirst((medusa, ids) => medusa.removeRefunds(ids)),
  removeRefundTransactions: theFirst((medusa, ids) => medusa.removeRefundTransactions(ids)),
  removeCreditLines: theFirst((medusa, ids) => medusa.removeCreditLines(ids)),
  addCreditLine: AT_ONCE,
  addRefundTransaction: AT_ONCE,
  recountOrder: AT_ONCE,
  recountCollection: AT_ONCE,
}
