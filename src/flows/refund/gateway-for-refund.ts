import type { Operation } from "../../core/operation"
import type { Gateway } from "../../gateway"
import { findById } from "../../ledger/find-operations"
import { gatewayFor } from "../gateway-for"
import type { RefundDeps } from "./refund-deps"

/**
 * Whom to ask about a refund: whom its collection may be asked of. A refund has no source of its own by
 * which other credentials could show that they are the same merchant's.
 */
export async function gatewayForRefund(
  deps: RefundDeps,
  refund: Operation,
): Promise<Gateway | undefined> {
  const parent = await findById(deps.database, refund.parentId ?? "")
  return parent && gatewayFor(deps, parent)
}
