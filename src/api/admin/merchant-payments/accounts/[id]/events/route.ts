import { readAccountEvents } from "../../../../../../accounts/read-accounts"
import { accountsRoute } from "../../../../../routes"

export const GET = accountsRoute("GET accounts/:id/events", (deps, { id }) =>
  readAccountEvents(deps, id),
)
