/**
 * Whom to ask about an operation. The ids of a source and of a gateway session belong to one merchant of
 * one gateway. When the account's credentials are others by now, they first have to read the operation's
 * own source, by the reference that we gave it; then they are the same merchant's, and take over.
 */
import { operationIdOf } from "../core/document-reference"
import type { Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { accountById } from "../ledger/accounts"
import {
  findCredential,
  isProvenFor,
  succeedCredential,
  type Credential,
} from "../ledger/credentials"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "./deps"

type GatewayDeps = Omit<FlowDeps, "host" | "settings" | "worker">

/**
 * @returns undefined where there are no credentials, or none that are proven to be this merchant's:
 *   nothing may be asked, closed or sent then
 */
export async function gatewayFor(
  deps: GatewayDeps,
  operation: Operation,
): Promise<Gateway | undefined> {
  const account = accountById(await deps.accounts(), operation.accountId)
  const gateway = account && deps.gatewayOf(account)
  if (!gateway) return undefined
  const { credentialId: madeWith } = operation
  // Nothing of it is at the gateway, so nothing can be mistaken there.
  const isUnknownThere = operation.sourceId === null && operation.reference === null
  if (madeWith === null || isUnknownThere) return gateway
  const current = await deps.credentialOf(account)
  if (current.id === madeWith) return gateway
  if (await isProvenFor(deps.database, madeWith, current.id)) return gateway
  return (await prove(deps, gateway, operation, current)) ? gateway : undefined
}

async function prove(
  deps: GatewayDeps,
  gateway: Gateway,
  operation: Operation,
  current: Credential,
): Promise<boolean> {
  const { sourceId, credentialId: from } = operation
  if (sourceId === null || from === null) return false
  await deps.budget.take(operation.accountId)
  const acts = operation.sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const outcome = await acts.retrieve(sourceId, { patience: "job" })
  const owners = [current.ownerId, (await findCredential(deps.database, from))?.ownerId ?? null]
  const isSame =
    outcome.kind === "done" &&
    (await isMadeFor(deps, operation, outcome.value.referenceId)) &&
    owners.every((owner) => owner === null || owner === (outcome.value.ownerId ?? owner))
  if (!isSame) {
    alertOnce(deps, operation, current)
    return false
  }
  const ownerId = outcome.value.ownerId ?? null
  await succeedCredential(deps.database, { from, to: current.id, ownerId })
  deps.logger.info("merchant payments: the account's new credentials have taken over")
  return true
}

/**
 * By the reference, which is ours alone: another merchant, or another gateway, may have a document under
 * the same number. A source that was taken over carries the reference of the first try.
 */
async function isMadeFor(
  deps: GatewayDeps,
  operation: Operation,
  reference: string | undefined,
): Promise<boolean> {
  const makerId = operationIdOf(reference ?? "")
  if (makerId === undefined || makerId === operation.id) return makerId !== undefined
  const maker = await findById(deps.database, makerId)
  return (
    maker?.paymentCollectionId === operation.paymentCollectionId &&
    maker.sourceId === operation.sourceId &&
    maker.credentialId === operation.credentialId
  )
}

/** Pairs of credentials that were complained about by this process: it is tried again and again. */
const alerted = new Set<string>()

function alertOnce(deps: GatewayDeps, { id, credentialId }: Operation, current: Credential): void {
  const pair = `${credentialId} ${current.id}`
  if (alerted.has(pair)) return
  alerted.add(pair)
  deps.logger.error(
    `merchant payments: ${id}, and maybe others, was made with other credentials than the account ` +
      "has now, and these could not show that they are the same merchant's. It is not asked about. " +
      "Put the former credentials back, or look the payment up in the merchant portal.",
  )
}
