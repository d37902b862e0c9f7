/**
 * Medusa's own refund of a whole payment in review that it captured, in the admin's name. An order
 * that stands gets transaction and credit line by the workflow. Without one the workflow does not
 * run (H24, H25): then the Payment module refunds, and the job delivers what the order lacks.
 */
import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { refusal, refusalThroughMedusa } from "../../core/refusal"
import type { Database } from "../../ledger/database"
import { WITH_ORDER } from "./refund-sql"
import { runWorkflow } from "./workflows"

const PAYMENT = `
  select p.id, p.amount::text as amount,
         o.id is not null and o.status <> 'canceled' and o.canceled_at is null as has_order
    from payment p ${WITH_ORDER}
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
      await runWorkflow(container, "refund-payment-workflow", input)
    } else {
      const payments: IPaymentModuleService = container.resolve(Modules.PAYMENT)
      await payments.refundPayment(input)
    }
  } catch (error) {
    throw refusalThroughMedusa(error) ?? error
  }
}
