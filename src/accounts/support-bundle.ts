/**
 * What an engineer elsewhere needs to know of a store, without anything of a person: versions,
 * settings, health, how many operations there are in each state, and on demand the story of one of
 * them and lines of a log. All texts of it pass through `rules/impersonal.ts`.
 */
import type { AccountDeps } from "./deps"
import { readAccounts } from "./read-accounts"
import { readHealth } from "./read-health"
import type { AccountResponse } from "./schemas/accounts"
import { impersonalFacts, impersonalText } from "./rules/impersonal"
import { countOperations, postgresVersion, storyOf } from "./sql/support-rows"

export type SupportRequest = {
  readonly operationId: string | undefined
  /** Lines of a log, oldest first. */
  readonly log: readonly string[]
  /** Of plugin, Medusa and Node. */
  readonly versions: Readonly<Record<string, string>>
  /** Names of environment variables that are set; their values stay where they are. */
  readonly variables: readonly string[]
}

/** @returns what can be written as JSON; `operation` is null where none was asked for or found */
export async function supportBundle(deps: AccountDeps, request: SupportRequest) {
  const { operationId, log, versions, variables } = request
  const { database, digest } = deps
  const { accounts } = await readAccounts(deps)
  const { status, checks } = await readHealth(deps)
  return {
    versions: { ...versions, postgres: await postgresVersion(database) },
    variables: [...variables].sort(),
    accounts: accounts.map((account) => settingsOf(account, digest)),
    health: {
      status,
      checks: checks.map(({ name, status: found, code, facts }) => ({
        name,
        status: found,
        code,
        facts: impersonalFacts(facts, digest),
      })),
    },
    operations: (await countOperations(database)).map(({ count, ...what }) => ({
      ...impersonalFacts(what, digest),
      count,
    })),
    operation: operationId === undefined ? null : await operationOf(deps, operationId),
    log: log.map((line) => impersonalText(line, digest)),
  }
}

/** No label, address or client, which name the merchant. */
function settingsOf(account: AccountResponse, digest: AccountDeps["digest"]) {
  const { id, source, state, has_secret, is_default, policies } = account
  const { source_kind, fee_bearer, order_placement, version } = account
  return {
    ...impersonalFacts({ id }, digest),
    ...{ source, state, has_secret, is_default, version },
    ...{ source_kind, fee_bearer, order_placement, policies: impersonalFacts(policies, digest) },
  }
}

async function operationOf({ database, digest }: AccountDeps, id: string) {
  const story = await storyOf(database, id)
  if (!story) return null
  return {
    ...impersonalFacts(story.row, digest),
    events: story.events.map(({ seq, name, state, code, facts, at }) => ({
      ...{ seq, name, state, code, at: at.toISOString() },
      facts: impersonalFacts(facts, digest),
    })),
  }
}
