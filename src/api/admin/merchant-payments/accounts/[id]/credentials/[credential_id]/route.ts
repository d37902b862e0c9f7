import { removeCredential } from "../../../../../../../accounts/remove-account"
import { accountsRoute } from "../../../../../../routes"

export const DELETE = accountsRoute(
  "DELETE accounts/:id/credentials/:credential_id",
  async (deps, { id: accountId, credential_id: id, adminId }) => {
    await removeCredential(deps, { id, accountId }, adminId)
    return { id, deleted: true }
  },
)
