import type { MedusaContainer } from "@medusajs/framework/types"
import type { ReceiptPorts } from "../../papers/read-receipt"
import { paperSource } from "../adapters/paper-order"
import { flowsFrom } from "./flows-from"

/** What the receipts need: what all flows need, and Medusa's order and store. */
export function papersFrom(container: MedusaContainer): ReceiptPorts {
  return { ...flowsFrom(container), papers: paperSource(container) }
}
