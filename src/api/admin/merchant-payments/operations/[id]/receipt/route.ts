import { methodLabels } from "../../../../../../core/method-labels"
import { readReceiptOfOperation } from "../../../../../../worker/receipts"
import { adminReceipt } from "../../../../../../worker/rules/receipt"
import { adminRoute } from "../../../../../routes"

export const GET = adminRoute("GET operations/:id/receipt", async (deps, { id }) => {
  const { operation, fetched } = await readReceiptOfOperation(deps, id)
  const labelOf = methodLabels(await deps.accounts())
  return { receipt: adminReceipt(operation, fetched, labelOf) }
})
