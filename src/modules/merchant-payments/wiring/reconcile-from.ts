import type { MedusaContainer } from "@medusajs/framework/types"
import { bounded } from "../../../flows/bounded"
import type { ReconcileDeps } from "../../../flows/reconcile/host"
import { booksReader } from "../host/books-reader"
import { flowsFrom } from "./flows-from"

/** The way into the sweeps and the reconciliation: everything, and Medusa's books beside it. */
export function reconcileFrom(container: MedusaContainer): ReconcileDeps {
  const deps = flowsFrom(container)
  return { ...deps, books: bounded(booksReader(deps.database), deps.clock) }
}
