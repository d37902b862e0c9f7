/**
 * Whom to ask about an operation. The ids of a source and of a gateway session belong to one
 * merchant of one gateway. When the account's credentials are others by now, they first have to
 * read the operation's own source, by the reference that we gave it; then they are the same
 * merchant's, and take over.
 */
import { operationIdOf } from "../core/document-reference"
import type { Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import {
  findCredential,
  isProvenFor,
  succeedCredential,
  type Credential,
} from "../ledger/accounts/credentials"
import { accountById } from "../ledger/accounts/find-accounts"
import { findById } from "../ledger/find-operations"
import type { MoneyDeps } from "./deps"

/**
 * With the account's own credentials where they are proven to be this merchant's, else with those
 * that the operation was made with, if they are kept. A refund has no source that could prove it,
 * so its collection's gateway is used.
 */
export async function gatewayFor(
  deps: MoneyDeps,
  operation: Operation,
): Promise<Gateway | undefined> {
  if (operation.type !== "REFUND") return gatewayOfSource(deps, operation)
  const parent = await findById(deps.database, operation.parentId ?? "")
  return parent && gatewayOfSource(deps, parent)
}

async function gatewayOfSource(
  deps: MoneyDeps,
  operation: Operation,
): Promise<Gateway | undefined> {
  const own = await ownGatewayOf(deps, operation)
  if (own && !own.unproven) return own.gateway
  const { credentialId } = operation
  const kept = credentialId === null ? undefined : await deps.keptGateway?.(credentialId)
  // Once it could not, it is not asked to show it at each check: the kept one serves.
  const isHopeless = kept && own?.unproven && complained.has(pairOf(operation, own.unproven))
  if (!isHopeless && (await hasProven(deps, operation, own, kept))) return own?.gateway
  return kept
}

/** As `gatewayFor`, but only the account's own credentials: their lists have to include it. */
export async function provenGateway(
  deps: MoneyDeps,
  operation: Operation,
): Promise<Gateway | undefined> {
  const own = await ownGatewayOf(deps, operation)
  if (own && !own.unproven) return own.gateway
  return (await hasProven(deps, operation, own)) ? own?.gateway : undefined
}

/** The account's own client; `unproven` has first to show that it is the same merchant's. */
type OwnGateway = { readonly gateway: Gateway; readonly unproven?: Credential }

async function ownGatewayOf(
  deps: MoneyDeps,
  operation: Operation,
): Promise<OwnGateway | undefined> {
  const account = accountById(await deps.accounts(), operation.accountId)
  const gateway = account && deps.gatewayOf(account)
  if (!gateway) return undefined
  const { credentialId: madeWith } = operation
  // Nothing of it is at the gateway, so nothing can be mistaken there.
  const isUnknownThere = operation.sourceId === null && operation.reference === null
  if (madeWith === null || isUnknownThere) return { gateway }
  const current = await deps.credentialOf(account)
  if (current.id === madeWith) return { gateway }
  if (await isProvenFor(deps.database, madeWith, current.id)) return { gateway }
  return { gateway, unproven: current }
}

async function hasProven(
  deps: MoneyDeps,
  operation: Operation,
  own: OwnGateway | undefined,
  kept?: Gateway,
): Promise<boolean> {
  const { sourceId, sourceType, credentialId: from } = operation
  // A source is what it could be shown by.
  if (!own?.unproven || sourceId === null || from === null) return false
  const { gateway, unproven: current } = own
  await deps.budget.take(operation.accountId)
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const outcome = await acts.retrieve(sourceId, { patience: "job" })
  const owners = [current.ownerId, (await findCredential(deps.database, from))?.ownerId ?? null]
  const isSame =
    outcome.kind === "done" &&
    (await isMadeFor(deps, operation, outcome.value.referenceId)) &&
    owners.every((owner) => owner === null || owner === (outcome.value.ownerId ?? owner))
  if (!isSame) {
    complainOnce(deps, operation, current, kept !== undefined)
    return false
  }
  const ownerId = outcome.value.ownerId ?? null
  await succeedCredential(deps.database, { from, to: current.id, ownerId })
  deps.logger.info("merchant payments: the account's new credentials have taken over")
  return true
}

/**
 * By the reference, which is ours alone: another merchant, or another gateway, may have a document
 * under the same number. A source that was taken over carries the reference of the first try.
 */
async function isMadeFor(
  deps: MoneyDeps,
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
const complained = new Set<string>()

function pairOf({ credentialId }: Operation, current: Credential): string {
  return `${credentialId} ${current.id}`
}

function complainOnce(
  deps: MoneyDeps,
  operation: Operation,
  current: Credential,
  isKept: boolean,
): void {
  const pair = pairOf(operation, current)
  if (complained.has(pair)) return
  complained.add(pair)
  const what =
    `merchant payments: ${operation.id}, and maybe others, was made with other credentials than ` +
    "the account has now, and these could not show that they are the same merchant's."
  if (isKept) deps.logger.warn(`${what} It is asked about with the former ones, which are kept.`)
  else {
    deps.logger.error(
      `${what} It is not asked about. Put the former credentials back, or look the payment up in ` +
        "the merchant portal.",
    )
  }
}
