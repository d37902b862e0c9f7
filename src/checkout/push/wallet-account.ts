/**
 * Opens the payment account that an execution charges. A wallet's account may be there already,
 * from a former purchase or from a call whose answer was lost. The gateway may then refuse to make
 * it again, and has no call that finds it. So each account's id is kept under its number, and the
 * refusal is searched for it.
 *
 * The gateway charges an account as that of the number it was registered for. So an account is used
 * for its own number and operator alone, and only where it belongs to the party of the source.
 */
import type { CurrencyCode } from "../../core/money"
import type { Operation } from "../../core/operation"
import { refusal } from "../../core/refusal"
import type { CleanText, ExactText } from "../../core/said/texts"
import { saysKnownAlready } from "../../core/said/refused-words"
import type { FlowDeps } from "../../engine/deps"
import type { Failure } from "../../gateway"
import type { Instructions, StartContext } from "../context"
import { findPayers, keepPayer, type PayerNumber } from "../sql/payers"
import { startRefusalOf, type StartRefusal } from "../start-refusal"

/** The wallet or card that pays, and the currency it is charged in. */
export type Payer = {
  readonly paymentMethod: ExactText
  readonly provider: string
  /** The wallet's operator, or the card's brand. */
  readonly carrier: CleanText | null
  readonly payerCurrency: CurrencyCode
}

type Holder = Pick<Operation, "flow"> & { readonly partyId: number }

/** @returns the id of a new account, or of the one that is there already; or why there is none */
export async function openAccount(
  deps: Pick<FlowDeps, "database" | "digest">,
  context: StartContext,
  { flow, partyId }: Holder,
  { provider, paymentMethod: method }: Payer,
  instructions: Instructions,
): Promise<number | StartRefusal> {
  const number = numberOf(deps, context, instructions)
  const made = await context.gateway.paymentAccounts.create(
    { ...holderOf(flow, instructions), provider, method, partyId },
    context.callOptions(),
  )
  if (made.kind === "done") {
    if (made.value.isActive === false)
      return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
    const { id } = made.value
    if (flow !== "card") {
      await keepPayer(deps.database, number, { partyId, paymentAccounts: { [method]: id } })
    }
    return id
  }
  // A card's account serves one attempt (contract, 12).
  if (flow === "card" || !mayBeThere(made)) return startRefusalOf(made)
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
  partyId: number,
  method: string,
): Promise<number | undefined> {
  const payers = await findPayers(database, number)
  return payers.find((one) => one.partyId === partyId)?.paymentAccounts[method]
}

/** The refusal may name the existing account and its party; another party's can't be charged. */
function namedAccount({ error }: Failure, partyId: number): number | undefined {
  const { existing } = error
  if (!existing || !saysKnownAlready(error)) return undefined
  return existing.partyId === undefined || existing.partyId === partyId ? existing.id : undefined
}

function holderOf(flow: Operation["flow"], { name, phone }: Instructions) {
  if (flow === "card") return { accountName: name ?? "Card" }
  const accountName = name ?? `Wallet ...${phone.hint}`
  return { accountName, countryCode: phone.country, phone: phone.digits }
}
