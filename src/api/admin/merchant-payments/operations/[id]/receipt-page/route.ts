import { papersFrom } from "../../../../../../medusa/wiring/papers-from"
import { receiptOfPayment } from "../../../../../../papers/read-receipt"
import { renderReceipt } from "../../../../../../papers/render-receipt"
import { adminRoute } from "../../../../../routes"

export const GET = adminRoute(
  "GET operations/:id/receipt-page",
  async (_deps, { id, query }, { scope }) => {
    const { document, url } = await receiptOfPayment(papersFrom(scope), id)
    return { receipt_page: { html: renderReceipt(document, query.lang ?? "en"), receipt_url: url } }
  },
)
