/** Medusa that refuses, as often as the plot says, before it does as it is told. */
import { hostInMemory, type Cart } from "../support/host-in-memory"
import { hostRefundsInMemory } from "../support/host-refunds-in-memory"
import type { LedgerDatabase } from "../support/ledger-database"
import { refundWritingOf } from "./medusa-refund"
import type { Plot } from "./plot"

export type StandIn = ReturnType<typeof hostInMemory>

/** One cart's Medusa, with all that its processes ask of it. */
export function medusaFor(collectionId: string, cart: Cart, ledger: LedgerDatabase, plot: Plot) {
  const carts = new Map([[collectionId, cart]])
  return {
    ...refusing(hostInMemory(carts, ledger.database), plot),
    ...hostRefundsInMemory(carts),
    ...refundWritingOf(cart),
  }
}

/** Medusa refuses to complete the cart some times: stock is short, the database away. */
function refusing(host: StandIn, { hostRefuses, hostRefusesRefunds }: Plot): StandIn {
  let left = hostRefuses
  let refundsLeft = hostRefusesRefunds
  const refuseRefund = () => {
    refundsLeft -= 1
    if (refundsLeft >= 0) throw new Error("the shop's database does not answer")
  }
  return {
    ...host,
    async makeRefund(refund) {
      refuseRefund()
      return host.makeRefund(refund)
    },
    async removeRefundTransactions(ids) {
      refuseRefund()
      return host.removeRefundTransactions(ids)
    },
    async completeCart(cartId) {
      left -= 1
      if (left >= 0) throw new Error("Some variant does not have the required inventory")
      return host.completeCart(cartId)
    },
  }
}
