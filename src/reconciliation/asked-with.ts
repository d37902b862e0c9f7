/**
 * Whether a list of documents can say anything about an operation: numbers of documents belong to
 * one merchant of one gateway, and an account may have other credentials by now.
 */
import type { Operation } from "../core/operation"
import { isProvenFor } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { provenGateway } from "../engine/gateway-for"

export type IsAskable = (operation: Operation) => Promise<boolean>

/**
 * Where no payment is under way that would prove the new credentials, the first one with a document
 * does: else a rotation on a quiet day would leave the days before it uncompared for good.
 *
 * @returns false for operations of credentials that the account's own are not proven to follow
 */
export function askableWith(deps: FlowDeps, account: Account): IsAskable {
  const followed = new Map<string, Promise<boolean>>()
  const proven = new Map<string, Promise<boolean>>()
  const isFollowed = async (madeWith: string): Promise<boolean> => {
    // It has none; whatever the lists would say is not read either.
    if (!deps.gatewayOf(account)) return false
    const current = await deps.credentialOf(account)
    return current.id === madeWith || isProvenFor(deps.database, madeWith, current.id)
  }
  const prove = async (operation: Operation) => (await provenGateway(deps, operation)) !== undefined
  return async (operation) => {
    const { credentialId, sourceId } = operation
    if (credentialId === null) return true
    if (await once(followed, credentialId, () => isFollowed(credentialId))) return true
    if (sourceId === null) return (await proven.get(credentialId)) ?? false
    return once(proven, credentialId, () => prove(operation))
  }
}

/** Asked at most once for each credential. */
function once(
  known: Map<string, Promise<boolean>>,
  credentialId: string,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const answer = known.get(credentialId) ?? ask()
  known.set(credentialId, answer)
  return answer
}

export async function partedBy(
  operations: readonly Operation[],
  isAskable: IsAskable,
): Promise<{ readonly askable: Operation[]; readonly others: Operation[] }> {
  const askable: Operation[] = []
  const others: Operation[] = []
  for (const operation of operations) {
    ;((await isAskable(operation)) ? askable : others).push(operation)
  }
  return { askable, others }
}
