/**
 * Medusa's build leaves folders called `test` out of the package, so the last word of the route is a
 * parameter; `test` is its only value.
 */
import { testConnection } from "../../../../../../accounts/test-connection"
import { accountsRoute } from "../../../../../routes"

export const POST = accountsRoute("POST accounts/:id/:action", (deps, { id, body }) =>
  testConnection(deps, id, body),
)
