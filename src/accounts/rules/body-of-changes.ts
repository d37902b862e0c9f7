import type { AccountChanges } from "../../core/schemas/stored-account"
import type { AccountBody } from "../schemas/accounts"

const POLICY = "policies."

/** The body that asks for these changes. It lacks the secret, which the changes do not hold. */
export function bodyOfChanges(changes: AccountChanges): AccountBody {
  const values = Object.entries(changes)
    .filter(([name]) => name !== "client_secret")
    .map(([name, { to }]) => [name, to] as const)
  const policies = values.flatMap(([name, to]) =>
    name.startsWith(POLICY) ? [[name.slice(POLICY.length), to] as const] : [],
  )
  return {
    ...Object.fromEntries(values.filter(([name]) => !name.startsWith(POLICY))),
    ...(policies.length > 0 && { policies: Object.fromEntries(policies) }),
  }
}
