/**
 * Medusa's own refund of a payment that it captured and that is in review: all of it, in the name
 * of the admin who decided. Onto an order that stands by the workflow, with its transaction and
 * credit line. Where there is no such order the workflow does not run (H24, H25): then by the
 * Payment module alone, and what an order still lacks of it the job brings there, as of any refund.
 */
import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { refusal, refusalThroughMedusa } from "../../core/refusal"
import type { Database } from "../../ledger/database"

const PAYMENT = `
  select p.id, p.amount::text as amount,
         o.id is not null and o.status <> 'canceled' and o.canceled_at is null as has_order
    from payment p
    left join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null
   where p.payment_session_id = $1 and p.deleted_at is null and p.canceled_at is null
   limit 1`

/** @throws Refusal what the payment provider refused it with */
export async function refundCaptured(
  container: MedusaContainer,
  database: Database,
  sessionId: string,
  refund: { readonly createdBy: string; readonly note: string },
): Promise<void> {
  const [row] = await database.query(PAYMENT, [sessionId])
  if (!row) throw refusal("refund_unavailable")
  const input = {
    payment_id: String(row["id"]),
    amount: Number(row["amount"]),
    created_by: refund.createdBy,
    note: refund.note,
  }
  try {
    if (row["has_order"] === true) {
      await container.resolve(Modules.WORKFLOW_ENGINE).run("refund-payment-workflow", { input })
    } else {
      const payments: IPaymentModuleService = container.resolve(Modules.PAYMENT)
      await payments.refundPayment(input)
    }
  } catch (error) {
    throw refusalThroughMedusa(error) ?? error
  }
}
