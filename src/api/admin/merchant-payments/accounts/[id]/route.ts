import { readAccount } from "../../../../../accounts/read-accounts"
import { removeAccount } from "../../../../../accounts/remove-account"
import { changeAccount } from "../../../../../accounts/save-account"
import { accountsRoute } from "../../../../routes"

export const GET = accountsRoute("GET accounts/:id", async (deps, { id }) => ({
  account: await readAccount(deps, id),
}))

export const POST = accountsRoute("POST accounts/:id", async (deps, { id, body, adminId }) => ({
  account: await changeAccount(deps, id, body, adminId),
}))

export const DELETE = accountsRoute("DELETE accounts/:id", async (deps, { id, adminId }) => {
  await removeAccount(deps, id, adminId)
  return { id, deleted: true }
})
