/**
 * The policy of each admin route, for stores with Medusa's roles; without roles every admin may use
 * each route.
 */
import { ADMIN, ADMIN_ROOT, type AdminEndpoints, type Method } from "./endpoints"

const endpoints: AdminEndpoints = ADMIN

/** The policies in the form that Medusa's middlewares take. */
export const adminPolicies = Object.entries(endpoints).map(([key, { policy }]) => {
  const [method, address] = key.split(" ") as [Method, string]
  const matcher = `${ADMIN_ROOT}${address}`
  return { matcher, methods: [method], middlewares: [], policies: [policy] }
})
