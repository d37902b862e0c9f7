/**
 * The fields that a change of an account changes, for its events and for the rule of two people
 * (`two-people.ts`).
 */
import type { AccountChanges } from "../../core/schemas/stored-account"
import { bodyOfSettings } from "../../core/account-settings"
import { canonical } from "../../core/canonical"
import type { AccountBody } from "../schemas/accounts"
import type { AccountSettings } from "./account-settings"

type Settings = AccountSettings & { readonly isDefault: boolean }

/** Of a secret, the changes say only that one was entered; they hold neither old nor new one. */
export function accountChanges(
  before: Settings | null,
  after: Settings,
  { client_id, client_secret }: Pick<AccountBody, "client_id" | "client_secret">,
  keptClientId: string | null,
): AccountChanges {
  const [was, is] = [before && facts(before), facts(after)]
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  for (const [name, to] of Object.entries(is)) {
    const from = was?.[name] ?? null
    if (canonical(from) !== canonical(to)) changes[name] = { from, to }
  }
  if (client_id !== undefined && client_id !== keptClientId) {
    changes["client_id"] = { from: keptClientId, to: client_id }
  }
  if (client_secret !== undefined) changes["client_secret"] = { from: null, to: "typed" }
  return changes
}

const POLICY = "policies."

function facts(settings: Settings): Readonly<Record<string, unknown>> {
  const policies = Object.entries(settings.policies)
  return {
    ...bodyOfSettings(settings),
    is_default: settings.isDefault,
    ...Object.fromEntries(policies.map(([name, value]) => [`${POLICY}${name}`, value])),
  }
}
