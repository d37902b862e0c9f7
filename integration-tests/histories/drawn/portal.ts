/** What somebody does in the merchant's portal, without the shop. */
import { LIMITS } from "../../../src/core/limits"
import { idFrom, type PaymentIntentId, type Reference } from "../../../src/core/ids"
import { moneyFromMajor, parseCurrency } from "../../../src/core/money"
import type { Deeds } from "./commands"
import type { World } from "./world"

/** No id of the shop begins so. */
const REFERENCE = "00000000-0000-4000-8000-"
const DIGITS = 12

export function portalIn(world: World): Deeds<"close" | "portal refund"> {
  const { simulator, portal, portalRefunds, clock } = world
  return {
    async close({ source }) {
      const { [source]: made } = simulator.book.documents()
      if (made?.status === "ACTIVE") await portal().orders.cancel(made.id)
    },
    async "portal refund"({ payment, part }) {
      const paid = simulator.book.executions().filter(({ charges }) => charges > 0)
      const one = paid[payment % Math.max(1, paid.length)]
      const document = one && simulator.book.document(one.sourceId)
      const currency = document && parseCurrency(document.currency)
      if (!one || !currency) return
      const amount = moneyFromMajor(part === "all" ? document.totalAmount : part, currency)
      if (!amount) return
      const session = await portal().sessions.refund({
        originalPaymentIntentId: idFrom<PaymentIntentId>(one.paymentIntentId),
        amount,
        expiresAt: new Date(clock.nowMs() + LIMITS.refundSessionMs),
      })
      if (session.kind !== "done") return
      const nth = String(portalRefunds.size + 1).padStart(DIGITS, "0")
      const referenceId = idFrom<Reference>(`${REFERENCE}${nth}`)
      // It may be carried out, whatever becomes of the answer.
      portalRefunds.add(referenceId)
      await portal().executions.refund({ sessionId: session.value.id, referenceId })
    },
  }
}
