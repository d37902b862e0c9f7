/** Medusa that refuses, as often as the setup says, before it does as it is told. */
import { MedusaRefusal } from "../../src/engine/medusa-port"
import { CARD } from "../support/flows-harness"
import { medusaInMemory, newCart, newSession, type Cart } from "../support/medusa-in-memory"
import {
  closeMedusaRefund,
  medusaRefundsInMemory,
  openMedusaRefund,
  writeMedusaRefund,
} from "../support/medusa-refunds-in-memory"
import type { LedgerDatabase } from "../support/ledger-database"
import { refundWritingOf } from "./medusa-refund"
import type { Setup } from "./setup"
import type { WorkerProcess } from "./worker-process"

export type Fake = ReturnType<typeof medusaFor>

type Around = {
  readonly ledger: LedgerDatabase
  readonly setup: Setup
  /** The processes in which its payment providers are. */
  readonly workers: readonly WorkerProcess[]
}

/** The payment collection of another shopper. */
const RIVAL = "pay_col_rival"
/** What that shopper's browser pays by card. */
export const RIVAL_SESSION = "payses_rival"

function rivalCart({ total, nowMs }: Cart): Cart {
  const session = { ...newSession(RIVAL, CARD, total), id: RIVAL_SESSION }
  return { ...newCart(total, nowMs), sessions: [session] }
}

/** One cart's Medusa, with all that its processes ask of it. */
export function medusaFor(collectionId: string, cart: Cart, { ledger, setup, workers }: Around) {
  const carts = new Map([
    [collectionId, cart],
    [RIVAL, rivalCart(cart)],
  ])
  return {
    ...refusing(medusaInMemory(carts, ledger.database), setup),
    ...medusaRefundsInMemory(carts),
    ...refundWritingOf(cart),
    payableCart: () =>
      Promise.resolve({
        currency: "usd",
        country: "lr",
        phone: null,
        providerIds: cart.sessions.map(({ providerId }) => providerId),
      }),
    paidSessionsOfOrder: () =>
      Promise.resolve(
        cart.payments.flatMap(({ sessionId, isCanceled }) => (isCanceled ? [] : [sessionId])),
      ),
    async refundCaptured(_sessionId: string, { createdBy }: { readonly createdBy: string }) {
      const [worker] = workers
      const row = openMedusaRefund(cart, cart.payments[0]?.amount ?? "0", createdBy)
      const told = await worker?.ask({ act: "refund", rowId: row })
      if (told?.kind === "done") return writeMedusaRefund(cart, row)
      closeMedusaRefund(cart, row, true)
      throw new Error("Medusa's own failure: the provider refused the refund")
    },
  }
}

/** Medusa refuses to complete the cart some times: stock is short, the database away. */
function refusing(
  medusa: ReturnType<typeof medusaInMemory>,
  { medusaRefuses, medusaRefusesRefunds, medusaRefusesByRule }: Setup,
): ReturnType<typeof medusaInMemory> {
  let left = medusaRefuses
  let refundsLeft = medusaRefusesRefunds
  const refuseRefund = () => {
    refundsLeft -= 1
    if (refundsLeft >= 0) throw new Error("the shop's database does not answer")
  }
  return {
    ...medusa,
    async makeRefund(refund) {
      refuseRefund()
      return medusa.makeRefund(refund)
    },
    async removeRefundTransactions(ids) {
      refuseRefund()
      return medusa.removeRefundTransactions(ids)
    },
    async completeCart(cartId) {
      if (medusaRefusesByRule) throw new MedusaRefusal("Promotion usage exceeds the limit")
      left -= 1
      if (left >= 0) throw new Error("Some variant does not have the required inventory")
      return medusa.completeCart(cartId)
    },
  }
}
