import { methodLabels } from "../../../../../../core/method-labels"
import { readReceiptOfSession } from "../../../../../../worker/receipts"
import { shopperReceipt } from "../../../../../../worker/rules/receipt"
import { shopperRoute } from "../../../../../shopper"

export const GET = shopperRoute("GET sessions/:id/receipt", async (deps, shopper) => {
  const { operation, fetched } = await readReceiptOfSession(deps, shopper)
  const labelOf = methodLabels(await deps.accounts())
  return { receipt: shopperReceipt(operation, fetched, labelOf) }
})
