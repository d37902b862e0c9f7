/** Turns a change that waits for a second admin into the request body that makes the same one. */
import type { AccountBody, WaitingChangeResponse } from "./responses"

const POLICY = "policies."

/** The body lacks the secret, which is stored nowhere. */
export function bodyOfChanges(changes: WaitingChangeResponse["changes"]): AccountBody {
  const typed = Object.entries(changes).filter(([name]) => name !== "client_secret")
  const values = typed.map(([name, { to }]) => [name, to] as const)
  const policies = values.flatMap(([name, to]) =>
    name.startsWith(POLICY) ? [[name.slice(POLICY.length), to] as const] : [],
  )
  return {
    ...Object.fromEntries(values.filter(([name]) => !name.startsWith(POLICY))),
    ...(policies.length > 0 && { policies: Object.fromEntries(policies) }),
  }
}
