import { papersFrom } from "../../../../../../medusa/wiring/papers-from"
import { receiptOfPayment } from "../../../../../../papers/read-receipt"
import type { ReceiptPageResponse } from "../../../../../../papers/receipt-page-response"
import { renderReceipt } from "../../../../../../papers/render-receipt"
import { operationIdIn, receiptPageQuery } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"

/** The customer's receipt, as the page that the customer sees, with its link. */
export const GET = adminRoute(async (_deps, request) => {
  const { lang = "en" } = parsed(receiptPageQuery, request.query)
  const id = operationIdIn(request.params)
  const { document, url } = await receiptOfPayment(papersFrom(request.scope), id)
  const receipt_page: ReceiptPageResponse = {
    html: renderReceipt(document, lang),
    receipt_url: url,
  }
  return { receipt_page }
})
