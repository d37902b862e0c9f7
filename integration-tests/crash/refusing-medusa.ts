/** A Medusa that refuses as often as the setup says, and then does what it is asked for. */
import { MedusaRefusal, type MedusaPort } from "../../src/engine/medusa-port"
import { clickRefund } from "../histories/shop"
import type { Cart } from "../support/medusa-in-memory"
import { refundWritingOf } from "../histories/medusa-refund"
import type { Setup } from "./setup"
import type { WorkerProcess } from "../histories/worker-process"

export type Fake = ReturnType<typeof medusaFor>

type Around = {
  readonly setup: Setup
  /** The processes in which its payment providers are. */
  readonly workers: readonly WorkerProcess[]
}

/** One cart's Medusa, with all that its processes ask of it. */
export function medusaFor(cart: Cart, medusa: MedusaPort, { setup, workers }: Around) {
  return {
    ...refusing(medusa, setup),
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
      if (!worker) throw new Error("no process of Medusa's is left")
      const ask = (rowId: string) => worker.ask({ act: "refund", rowId })
      const { kind } = await clickRefund(cart, cart.payments[0]?.amount ?? "0", ask, createdBy)
      if (kind !== "done") throw new Error("Medusa's own failure: the provider refused the refund")
    },
  }
}

/** Medusa refuses to complete the cart some times: stock is short, the database away. */
function refusing(
  medusa: MedusaPort,
  { medusaRefuses, medusaRefusesRefunds, medusaRefusesByRule }: Setup,
): MedusaPort {
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
