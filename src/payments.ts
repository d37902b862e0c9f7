/**
 * Payments for the shop's own code. `query.graph` reads the same under the name `merchant_payment`;
 * docs/shop-code.md says what each field means.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import type { MerchantPaymentFilters, MerchantPaymentPage } from "./core/merchant-payment"
import type { MerchantPayment } from "./core/schemas/merchant-payment"

export type { MerchantPayment, MerchantPaymentFilters, MerchantPaymentPage }

type PaymentLists = {
  listMerchantPayments(
    filters: MerchantPaymentFilters,
    page: MerchantPaymentPage,
  ): Promise<MerchantPayment[]>
}

/**
 * Payments by filter, the newest first.
 *
 * @param container the container of a route (`req.scope`), a job, a subscriber or a workflow's step
 * @throws MedusaError `invalid_data` for a filter that does not exist
 */
export function findPayments(
  container: MedusaContainer,
  filters: MerchantPaymentFilters,
  page: MerchantPaymentPage = {},
): Promise<MerchantPayment[]> {
  const payments: PaymentLists = container.resolve("merchantPayments")
  return payments.listMerchantPayments(filters, page)
}
