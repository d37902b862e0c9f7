import { papersFrom } from "../../../../../../medusa/wiring/papers-from"
import { renewReceiptLink } from "../../../../../../papers/read-receipt"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute(
  "POST operations/:id/receipt-link",
  async (_deps, { id }, { scope }) => ({
    receipt_url: await renewReceiptLink(papersFrom(scope), id),
  }),
)
