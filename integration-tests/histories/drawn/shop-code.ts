/** What the shop's own code does in Medusa, unguarded, and what becomes of its customers. */
import { idFrom, type AdminId } from "../../../src/core/ids"
import { eraseCustomerData } from "../../../src/reconciliation/customer-data"
import type { Deeds } from "./commands"
import { CUSTOMER_ID } from "./medusa"
import type { World } from "./world"

const ADA = idFrom<AdminId>("user_ada")

export function shopCodeIn({
  medusa,
  processes,
}: World): Deeds<"region" | "promotion" | "customer"> {
  const { cart } = medusa
  return {
    region({ has }) {
      if (has) delete cart.isProviderOff
      else cart.isProviderOff = true
    },
    promotion({ total }) {
      if (medusa.isPlaced()) return
      if (total === null) delete cart.sum
      else cart.sum = total
    },
    customer({ does }) {
      if (does !== "is erased") {
        cart.customer = { id: CUSTOMER_ID, hasAccount: does === "registers" }
        return
      }
      processes.launch(processes.serve("shop"), async ({ database, medusa: asked }) => {
        const customersOwn = asked.customersOwn.bind(asked)
        await eraseCustomerData({ database, medusa: { customersOwn } }, CUSTOMER_ID, ADA)
      })
    },
  }
}
