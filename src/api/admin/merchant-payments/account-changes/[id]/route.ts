import { refuseChange } from "../../../../../accounts/guard-account"
import { accountsRoute } from "../../../../routes"

export const DELETE = accountsRoute("DELETE account-changes/:id", async (deps, { id, adminId }) => {
  await refuseChange(deps, { id, adminId, note: undefined })
  return { id, refused: true }
})
