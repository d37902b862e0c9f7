/**
 * Whether a list of documents can say anything about an operation: numbers of documents belong to
 * one merchant of one gateway, and an account may have other credentials by now.
 */
import type { Operation } from "../core/operation"
import { isProvenFor } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { provenGateway } from "../engine/gateway-for"

type Parted = { readonly askable: Operation[]; readonly others: Operation[] }

/**
 * Where no payment under way proves the new credentials, the first one with a document does. Else
 * the days before a rotation on a quiet day would stay uncompared for good.
 *
 * @returns what sets apart the operations of credentials that the account's own do not follow
 */
export function partingWith(
  deps: FlowDeps,
  account: Account,
): (operations: readonly Operation[]) => Promise<Parted> {
  const followed = new Map<string, Promise<boolean>>()
  const proven = new Map<string, Promise<boolean>>()
  const isFollowed = async (madeWith: string): Promise<boolean> => {
    // An account without credentials has no lists either.
    if (!deps.gatewayOf(account)) return false
    const current = await deps.credentialOf(account)
    return current.id === madeWith || isProvenFor(deps.database, madeWith, current.id)
  }
  const prove = async (operation: Operation) => (await provenGateway(deps, operation)) !== undefined
  const isAskable = async (operation: Operation): Promise<boolean> => {
    const { credentialId, sourceId } = operation
    if (credentialId === null) return true
    if (await once(followed, credentialId, () => isFollowed(credentialId))) return true
    if (sourceId === null) return (await proven.get(credentialId)) ?? false
    return once(proven, credentialId, () => prove(operation))
  }
  return async (operations) => {
    const parted: Parted = { askable: [], others: [] }
    for (const one of operations) {
      const part = (await isAskable(one)) ? parted.askable : parted.others
      part.push(one)
    }
    return parted
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
