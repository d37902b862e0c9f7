/**
 * Opens the gateway session of a source and the payment account that its execution charges. The two
 * are opened side by side, so that a `start` costs three round trips.
 *
 * A wallet's account may be there already, from a former purchase or from a call whose answer was
 * lost. The gateway may then refuse to make it again, and has no call that finds it. So each
 * account's id is kept under its number, and the refusal is searched for it.
 *
 * The gateway charges an account as that of the number it was registered for. So an account is used
 * for its own number and operator alone, and only where it belongs to the party of the source.
 */
import { FLOWS } from "../../core/flows"
import type { PartyId, PaymentAccountId } from "../../core/ids"
import type { Operation } from "../../core/operation"
import { refusal } from "../../core/refusal"
import { saysKnownAlready } from "../../core/said/refused-words"
import type { FlowDeps } from "../../engine/deps"
import type { Failure } from "../../gateway"
import type { Changes } from "../../ledger/advance-operation"
import type { StartContext } from "../context"
import type { Instructions } from "../offer/read-instructions"
import { findPayers, keepPayer, type PayerNumber } from "../sql/payers"
import { startRefusalOf, type StartRefusal } from "../start-refusal"
import type { Payer } from "./find-payer"

/** @returns the gateway session and the payment account, opened side by side; or why not */
export async function openPush(
  deps: Pick<FlowDeps, "database" | "digest">,
  context: StartContext,
  draft: Operation,
  payer: Payer,
  instructions: Instructions,
): Promise<Pick<Changes, "gatewaySessionId" | "paymentAccountId"> | StartRefusal> {
  const { gateway } = context
  const { flow, sourceId, partyId, sourceType } = draft
  if (sourceId === null || partyId === null) {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  const [session, paymentAccountId] = await Promise.all([
    gateway.sessions.checkout({ sourceId, sourceType }, context.callOptions()),
    openAccount(deps, context, { flow, partyId }, payer, instructions),
  ])
  if (typeof paymentAccountId !== "number") return paymentAccountId
  if (session.kind !== "done") return startRefusalOf(session)
  if (session.value.status !== "ACTIVE") {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  return { gatewaySessionId: session.value.id, paymentAccountId }
}

type Holder = Pick<Operation, "flow"> & { readonly partyId: PartyId }

/** @returns the id of a new account, or of the one that is there already; or why there is none */
async function openAccount(
  deps: Pick<FlowDeps, "database" | "digest">,
  context: StartContext,
  { flow, partyId }: Holder,
  { provider, paymentMethod: method }: Payer,
  instructions: Instructions,
): Promise<PaymentAccountId | StartRefusal> {
  const isByCard = FLOWS[flow].asks === "card"
  const number = numberOf(deps, context, instructions)
  const made = await context.gateway.paymentAccounts.create(
    { ...holderOf(flow, instructions), provider, method, partyId },
    context.callOptions(),
  )
  if (made.kind === "done") {
    if (made.value.isActive === false)
      return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
    const { id } = made.value
    if (!isByCard) {
      await keepPayer(deps.database, number, { partyId, paymentAccounts: { [method]: id } })
    }
    return id
  }
  // A card's account serves one attempt (contract, 12).
  if (isByCard || !mayBeThere(made)) return startRefusalOf(made)
  const kept = await keptAccount(deps, number, partyId, method)
  const id = kept ?? namedAccount(made, partyId)
  if (id !== undefined) return id
  if (!saysKnownAlready(made.error) || made.kind !== "refused") return startRefusalOf(made)
  return { refusal: refusal("gateway_refused.number_known"), isFinal: true }
}

/** Whether the failure can mean that the gateway has the record already, whatever its words are. */
export function mayBeThere({ kind, error }: Failure): boolean {
  const { status } = error
  if (kind === "not_sent" || status === undefined) return false
  return [400, 409, 422, 500].includes(status)
}

/** The payer's number as the ledger keeps it: a keyed digest. */
export function numberOf(
  { digest }: Pick<FlowDeps, "digest">,
  { account, credentialId }: StartContext,
  { phone }: Instructions,
): PayerNumber {
  const numberDigest = digest(`number of payer:${phone.digits}`)
  return { accountId: account.id, credentialId, numberDigest }
}

async function keptAccount(
  { database }: Pick<FlowDeps, "database">,
  number: PayerNumber,
  partyId: PartyId,
  method: string,
): Promise<PaymentAccountId | undefined> {
  const payers = await findPayers(database, number)
  return payers.find((one) => one.partyId === partyId)?.paymentAccounts[method]
}

/** The refusal may name the existing account and its party; another party's can't be charged. */
function namedAccount({ error }: Failure, partyId: PartyId): PaymentAccountId | undefined {
  const { existing } = error
  if (!existing || !saysKnownAlready(error)) return undefined
  const isOther = existing.partyId !== undefined && existing.partyId !== partyId
  return isOther ? undefined : existing.paymentAccountId
}

function holderOf(flow: Operation["flow"], { name, phone }: Instructions) {
  if (FLOWS[flow].asks === "card") return { accountName: name ?? "Card" }
  const accountName = name ?? `Wallet ...${phone.hint}`
  return { accountName, countryCode: phone.country, phone: phone.digits }
}
