import { methodLabels } from "../../../../../../core/method-labels"
import { readReceiptOfOperation } from "../../../../../../worker/receipts"
import { adminReceipt } from "../../../../../../worker/rules/receipt"
import { operationIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"

export const GET = adminRoute(async (deps, request) => {
  const { operation, fetched } = await readReceiptOfOperation(deps, operationIdIn(request.params))
  const labelOf = methodLabels(await deps.accounts())
  return { receipt: adminReceipt(operation, fetched, labelOf) }
})
