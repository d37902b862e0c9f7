/** What admins do with an order in Medusa, and on the box that the plugin puts on its page. */
import { closePaymentsOfOrder, checkPaymentsOfOrder } from "../../../src/orders/changed-order"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { cancelPaymentLink } from "../../../src/payment-links/cancel-link"
import { askOnPhone, makePaymentLink } from "../../../src/payment-links/make-link"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Cart } from "../../support/medusa-in-memory"
import {
  closeMedusaRefund,
  openMedusaRefund,
  writeCanceling,
} from "../../support/medusa-refunds-in-memory"
import { PHONE } from "../secrets"
import type { Deeds } from "./commands"
import type { Process } from "./turn-taking"
import type { World } from "./world"

const ADA = "user_ada"

type Doings = Deeds<"cancel order" | "edit order" | "ask">

export function ordersIn(world: World): Doings {
  const { medusa, processes } = world
  const { cart } = medusa
  return {
    "cancel order"() {
      if (!cart.order) return
      const { id: orderId } = cart.order
      const shop = processes.serve("shop")
      processes.launch(shop, async (deps) => {
        await refuseOrderCancel(deps, orderId)
        await shop.turn("Medusa cancels the order")
        const isThere = cart.order?.id === orderId && !cart.order.isCanceled
        if (!isThere || medusa.isLocked()) return
        await cancel(world, shop, deps)
        await closePaymentsOfOrder(deps, orderId)
      })
    },
    "edit order"({ total }) {
      const { order, payments } = cart
      if (!order || order.isCanceled || medusa.isLocked()) return
      const [paid] = payments
      if (!paid) medusa.reprice(total)
      else order.difference = Math.max(0, Number(total) - Number(paid.amount)).toFixed(5)
      processes.launch(processes.serve("shop"), (deps) => checkPaymentsOfOrder(deps, order.id))
    },
    ask({ by }) {
      if (!cart.order) return
      const asked = { orderId: cart.order.id, adminId: ADA, phone: PHONE }
      const flow = { link: makePaymentLink, phone: askOnPhone, "no link": cancelPaymentLink }[by]
      processes.launch(processes.serve("shop"), (deps) => flow(deps, asked))
    },
  }
}

/**
 * Medusa asks for a refund of all that its rows don't show as given back, and cancels the order
 * whatever the answer. A process that dies meanwhile leaves the order as it is.
 */
async function cancel({ medusa }: World, shop: Process, deps: FlowDeps): Promise<void> {
  const provider = medusa.providerIn(shop, deps)
  for (const cart of medusa.carts.values()) {
    const left = leftOf(cart)
    if (cart.order?.id !== medusa.cart.order?.id || left <= 0) continue
    const row = openMedusaRefund(cart, left.toFixed(5), ADA)
    const isRefunded = await provider(row).then(
      () => true,
      () => false,
    )
    if (!isRefunded) closeMedusaRefund(cart, row, true)
    writeCanceling(cart, left.toFixed(5), isRefunded)
  }
  if (medusa.cart.order) medusa.cart.order.isCanceled = true
}

function leftOf({ payments, refunds }: Cart): number {
  const [payment] = payments
  const back = refunds.reduce((sum, { amount }) => sum + Number(amount), 0)
  return payment?.isCaptured === true ? Number(payment.amount) - back : 0
}
