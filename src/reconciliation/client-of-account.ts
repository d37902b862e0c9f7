/**
 * Whose lists an account's comparison reads. All accounts of one merchant client, removed ones too,
 * have the same lists. Each compares its own payments; what belongs to none of them is listed once,
 * by the first account that works with the client.
 */
import type { CredentialId } from "../core/ids"
import type { FlowDeps } from "../engine/deps"
import { clientGateway } from "../engine/gateway-for"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import { findCredentialsOfClient, findLatestCredential } from "../ledger/accounts/merchant-client"

export type ClientOfAccount = {
  /** Undefined: no account of the client has working credentials. */
  readonly gateway: Gateway | undefined
  /** The credential by which the gateway is asked. */
  readonly account: Account
  /** All credentials of the client. */
  readonly credentialIds: readonly CredentialId[]
  /** The account lists what belongs to none. */
  readonly isFirst: boolean
}

export async function clientOfAccount(deps: FlowDeps, account: Account): Promise<ClientOfAccount> {
  const own = deps.gatewayOf(account)
  const credentialId = own
    ? (await deps.credentialOf(account)).id
    : await findLatestCredential(deps.database, account.id)
  if (credentialId === undefined) {
    return { gateway: own, account, credentialIds: [], isFirst: true }
  }
  const first = await clientGateway(deps, credentialId)
  return {
    gateway: own ?? first?.gateway,
    account: own ? account : (first?.account ?? account),
    credentialIds: [...(await findCredentialsOfClient(deps.database, credentialId))],
    isFirst: first === undefined || first.account.id === account.id,
  }
}
