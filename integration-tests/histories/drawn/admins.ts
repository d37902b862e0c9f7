/** What admins do in Medusa, on the payments' pages and in the merchant's portal. */
import { idFrom, type AdminId } from "../../../src/core/ids"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { resolveOperation } from "../../../src/review/resolve"
import type { Offer } from "../onlooker"
import { clickRefund } from "../shop"
import type { Deeds } from "./commands"
import type { Told } from "./turn-taking"
import type { World } from "./world"

const REFUNDED_AFTER_MS = 8_000
const ADA = idFrom<AdminId>("user_ada")

type Doings = Deeds<"close" | "refund" | "refund ends">

export function adminsIn(world: World): Doings {
  const { simulator, portal } = world
  return {
    async close({ source }) {
      const { [source]: made } = simulator.book.documents()
      if (made?.status === "ACTIVE") await portal.orders.cancel(made.id)
    },
    refund({ part, admins }) {
      for (let admin = 0; admin < admins; admin++) refund(world, part)
    },
    "refund ends"({ outcome }) {
      const afterMs = REFUNDED_AFTER_MS
      simulator.plan({ operationType: "REFUND", outcome, afterMs, times: 1 })
    },
  }
}

/** Medusa makes its row and asks; what follows from the answer it writes, unless it died with us. */
function refund({ medusa, processes, onlooker }: World, part: string): void {
  const { cart } = medusa
  const [payment] = cart.payments
  if (!payment || !cart.order) return
  const shop = processes.serve("shop")
  const amount = part === "all" ? (payment.amount ?? "0") : part
  const ask = (rowId: string) =>
    new Promise<Told>((answer) =>
      processes.launch(
        shop,
        (deps) => sendRefundOfMedusa({ ...deps, medusa: medusa.refundsOf(shop) }, rowId),
        (told) => {
          if (told.kind === "done") onlooker.told.refunds.add(rowId)
          answer(told)
        },
      ),
    )
  void clickRefund(cart, amount, ask)
}

/**
 * An admin answers the question of a payment's page by one of the answers that it offers. What is
 * offered is accepted, unless the gateway's line broke meanwhile.
 */
export function answerOffer(
  { processes, simulator, onlooker, surprises }: World,
  offer: Offer,
): void {
  const { operationId, action } = offer
  const struck = () => simulator.faults.history().length
  const before = struck()
  processes.launch(
    processes.begin("shop"),
    (deps) => resolveOperation(deps, { operationId, action, note: "seen", adminId: ADA }),
    (told) => {
      if (told.kind !== "refused" || struck() > before) return
      if (onlooker.isRefusedRightly(offer, told.code)) return
      surprises.push(`shown: ${action} was offered, and refused: ${told.code}`)
    },
  )
}
