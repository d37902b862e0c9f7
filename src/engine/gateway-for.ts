/**
 * Which client asks about an operation. The ids of a source and of a gateway session belong to one
 * merchant of one gateway. If the account has other credentials by now, these first have to read
 * the operation's own source, with the reference that we gave it. That proves that they are the
 * same merchant's, and they take over.
 */
import type { CredentialId, MerchantId } from "../core/ids"
import { operationIdOf } from "../core/source-reference"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { NotFound, type Gateway, type Outcome } from "../gateway"
import {
  findCredential,
  isProvenFor,
  succeedCredential,
  type Credential,
} from "../ledger/accounts/credentials"
import { accountById, type Account } from "../ledger/accounts/find-accounts"
import { findCredentialsOfClient } from "../ledger/accounts/merchant-client"
import { databaseFault, isAway } from "../ledger/database-error"
import { findById } from "../ledger/find-operations"
import { perStore } from "../ledger/per-store"
import type { MoneyDeps } from "./deps"
import { isOfAccount } from "./gateway-refusal"

/**
 * The client with the account's own credentials, if they are proven to be this merchant's. Else that
 * of another account of the same merchant client, else the one with the credentials that made the
 * operation, if they are kept. A refund has no source that
 * could prove anything, so its collection's client is used.
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
  const same = credentialId === null ? undefined : await clientGateway(deps, credentialId)
  // Its own account's new credentials have to prove themselves below.
  if (same && same.account.id !== operation.accountId) return same.gateway
  const kept = credentialId === null ? undefined : await deps.keptGateway?.(credentialId)
  // Credentials that the gateway has contradicted are not tried again while the kept ones work.
  const isSpared =
    kept && !kept.isDenied && own?.unproven && isContradicted(deps, operation, own.unproven)
  if (!isSpared && (await hasProven(deps, operation, own, kept))) return own?.gateway
  return kept
}

/**
 * Whose the account's new credentials are could not be asked, because the gateway gave no answer:
 * they are not missing, and the next question may show it. Only what the gateway itself has said
 * against them counts, a 404 once it has lasted.
 */
export async function isProofAwaited(deps: MoneyDeps, operation: Operation): Promise<boolean> {
  const proof = await openProofOf(deps, operation)
  return proof !== undefined && proof.contradictedAtMs === undefined && proof.isRefused !== true
}

/** As `isProofAwaited`, where the last answer said nothing at all against them, not even a 404. */
export async function isProofUnheard(deps: MoneyDeps, operation: Operation): Promise<boolean> {
  const proof = await openProofOf(deps, operation)
  return proof !== undefined && Object.keys(proof).length === 0
}

/** @returns what was said against the account's new credentials; undefined: no proof is open */
async function openProofOf(deps: MoneyDeps, operation: Operation): Promise<Doubt | undefined> {
  const own = await ownGatewayOf(deps, operation)
  if (!own?.unproven || operation.sourceId === null) return undefined
  return proofsOf(deps).doubts.get(keyOf(operation, own.unproven)) ?? {}
}

/**
 * As `gatewayFor`, for a person who waits.
 *
 * @throws Refusal `gateway_unavailable`, `not_configured`
 */
export async function requireGateway(deps: MoneyDeps, operation: Operation): Promise<Gateway> {
  const gateway = await gatewayFor(deps, operation)
  if (gateway) return gateway
  const isAway = await isProofAwaited(deps, operation)
  throw refusal(isAway ? "gateway_unavailable" : "not_configured")
}

/** The first account that works with this credential's merchant client, and its gateway client. */
export async function clientGateway(
  deps: Pick<MoneyDeps, "accounts" | "credentialOf" | "database" | "gatewayOf">,
  credentialId: CredentialId,
): Promise<{ readonly account: Account; readonly gateway: Gateway } | undefined> {
  const accounts = await deps.accounts()
  // The environment's credential is kept at its first use, so it is asked for before the search.
  const working = await Promise.all(accounts.map((account) => clientOf(deps, account)))
  const credentials = await findCredentialsOfClient(deps.database, credentialId)
  return working.find((one) => one !== undefined && credentials.has(one.id))
}

/** Undefined as well for an account that can't be opened: that stops no other. */
async function clientOf(deps: Pick<MoneyDeps, "credentialOf" | "gatewayOf">, account: Account) {
  try {
    const gateway = deps.gatewayOf(account)
    return gateway && { account, gateway, id: (await deps.credentialOf(account)).id }
  } catch (error) {
    if (isAway(databaseFault(error))) throw error
    return undefined
  }
}

/** As `gatewayFor`, but only with the account's own credentials, whose lists must include it. */
export async function provenGateway(
  deps: MoneyDeps,
  operation: Operation,
): Promise<Gateway | undefined> {
  const own = await ownGatewayOf(deps, operation)
  if (own && !own.unproven) return own.gateway
  return (await hasProven(deps, operation, own)) ? own?.gateway : undefined
}

/** The account's own client. `unproven`: a credential not yet shown to be the same merchant's. */
type OwnGateway = { readonly gateway: Gateway; readonly unproven?: Credential }

async function ownGatewayOf(
  deps: MoneyDeps,
  operation: Operation,
): Promise<OwnGateway | undefined> {
  const account = accountById(await deps.accounts(), operation.accountId)
  const gateway = account && deps.gatewayOf(account)
  if (!gateway) return undefined
  const { credentialId: madeWith } = operation
  // The gateway has nothing of this operation, so no id can be mistaken for another merchant's.
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
  // Only the operation's source can prove whose the new credentials are.
  if (!own?.unproven || sourceId === null || from === null) return false
  const { gateway, unproven: current } = own
  await deps.budget.take(operation.accountId)
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const outcome = await acts.retrieve(sourceId, { patience: "job" })
  const said = await contradictionIn(deps, operation, current, outcome)
  if (said !== undefined || outcome.kind !== "done") {
    noteUnproven(deps, operation, current, said, outcome, kept !== undefined)
    return false
  }
  const ownerId = outcome.value.ownerId ?? null
  await succeedCredential(deps.database, { from, to: current.id, ownerId })
  forget(deps, operation, current)
  deps.logger.info("merchant payments: the account's new credentials have taken over")
  return true
}

/**
 * What an answer says against the credential. An answer without a reference proves nothing, for it
 * or against it.
 */
type Contradiction = "another_reference" | "another_owner" | "absent"
type Said = Contradiction | "no_reference"

async function contradictionIn(
  deps: MoneyDeps,
  operation: Operation,
  current: Credential,
  outcome: Outcome<{ readonly referenceId?: string; readonly ownerId?: MerchantId }>,
): Promise<Said | undefined> {
  if (outcome.kind !== "done") {
    const isAbsent = outcome.kind === "refused" && outcome.error instanceof NotFound
    return isAbsent ? "absent" : undefined
  }
  const { referenceId, ownerId } = outcome.value
  const former = await findCredential(deps.database, operation.credentialId)
  const owners = [current.ownerId, former?.ownerId ?? null]
  if (owners.some((owner) => owner !== null && owner !== (ownerId ?? owner))) return "another_owner"
  if (referenceId === undefined) return "no_reference"
  return (await isMadeFor(deps, operation, referenceId)) ? undefined : "another_reference"
}

/**
 * Compares the reference, which is ours alone: another merchant or gateway may have a source under
 * the same number. A source that a retry took over carries the reference of the first try.
 */
async function isMadeFor(
  deps: MoneyDeps,
  operation: Operation,
  reference: string,
): Promise<boolean> {
  const makerId = operationIdOf(reference)
  if (makerId === undefined || makerId === operation.id) return makerId !== undefined
  const maker = await findById(deps.database, makerId)
  return (
    maker?.paymentCollectionId === operation.paymentCollectionId &&
    maker.sourceId === operation.sourceId &&
    maker.credentialId === operation.credentialId
  )
}

/**
 * What the gateway has said against a credential, for each operation. Only an answer that
 * contradicts counts, and a 404 only once it has lasted. A contradiction holds for
 * `LIMITS.contradictionForMs` at most.
 */
type Doubt = {
  readonly absentAtMs?: number
  readonly contradictedAtMs?: number
  /** The gateway refuses the credential itself. */
  readonly isRefused?: true
}

const proofsOf = perStore(() => ({
  doubts: new Map<string, Doubt>(),
  /** The lines already logged: the proof is tried many times, and each situation is logged once. */
  logged: new Set<string>(),
}))

const keyOf = ({ id }: Operation, current: Credential) => `${id} ${current.id}`
const pairOf = ({ credentialId }: Operation, current: Credential) => `${credentialId} ${current.id}`

function isContradicted(deps: MoneyDeps, operation: Operation, current: Credential): boolean {
  const at = proofsOf(deps).doubts.get(keyOf(operation, current))?.contradictedAtMs
  return at !== undefined && deps.clock.monotonicMs() - at < LIMITS.contradictionForMs
}

function forget(deps: MoneyDeps, operation: Operation, current: Credential): void {
  const { doubts, logged } = proofsOf(deps)
  doubts.delete(keyOf(operation, current))
  const pair = pairOf(operation, current)
  for (const line of logged) if (line.startsWith(pair)) logged.delete(line)
}

/** @returns whether the contradiction counts: a 404 may be a lagging read until it has lasted */
function noteDoubt(
  deps: MoneyDeps,
  operation: Operation,
  current: Credential,
  said: Contradiction,
): boolean {
  const key = keyOf(operation, current)
  const now = deps.clock.monotonicMs()
  const absentAtMs =
    said === "absent" ? (proofsOf(deps).doubts.get(key)?.absentAtMs ?? now) : undefined
  const isLasting = absentAtMs === undefined || now - absentAtMs >= LIMITS.absentConfirmAfterMs
  keepDoubt(deps, key, { absentAtMs, ...(isLasting && { contradictedAtMs: now }) })
  return isLasting
}

function keepDoubt(deps: MoneyDeps, key: string, doubt: Doubt): void {
  const { doubts } = proofsOf(deps)
  doubts.delete(key)
  doubts.set(key, doubt)
  const [oldest = key] = doubts.keys()
  if (doubts.size > LIMITS.contradictionsMax) doubts.delete(oldest)
}

const SAID: Readonly<Record<Contradiction, string>> = {
  another_reference: "the source of its number there carries another reference",
  another_owner: "the source of its number there belongs to another merchant",
  absent: "the gateway says that there is no such source for them",
}

function noteUnproven(
  deps: MoneyDeps,
  operation: Operation,
  current: Credential,
  said: Said | undefined,
  outcome: Outcome<unknown>,
  isKept: boolean,
): void {
  const { doubts, logged } = proofsOf(deps)
  const contradiction = said === "no_reference" ? undefined : said
  if (outcome.kind !== "done" && isOfAccount(outcome.error)) {
    keepDoubt(deps, keyOf(operation, current), { isRefused: true })
  } else if (contradiction === undefined) doubts.delete(keyOf(operation, current))
  const counts = contradiction !== undefined && noteDoubt(deps, operation, current, contradiction)
  const code = outcome.kind === "done" ? "the answer names no reference" : outcome.error.code
  const what = counts ? SAID[contradiction] : `they could not be asked yet: ${code}`
  const line = `${pairOf(operation, current)} ${isKept} ${what}`
  if (logged.has(line)) return
  logged.add(line)
  const text =
    `merchant payments: ${operation.id}, and maybe others, was made with other credentials than ` +
    `the account has now. Whether these are the same merchant's is not shown: ${what}.`
  if (isKept) deps.logger.warn(`${text} It is asked about with the former ones, which are kept.`)
  else if (!counts) deps.logger.error(`${text} It is not asked about until they can be asked.`)
  else {
    deps.logger.error(
      `${text} It is not asked about. Put the former credentials back, or look the payment up in ` +
        "the merchant portal.",
    )
  }
}
