/**
 * Turns what an admin asks for into one row, and sends it: once its reference is committed, the
 * money is sent once, and never again. The caller's key stands for one movement of money: the same
 * request again is answered with the first one, whatever became of it; another request under the
 * same key is refused.
 *
 * Of the recipient's number only three digits are compared for that, so two numbers that end alike
 * count as the same.
 */
import type { AccountId, AdminId, CredentialId } from "../core/ids"
import { derivedReference } from "../core/derived-reference"
import { LIMITS } from "../core/limits"
import { exactMoneyFromMajor, isPayable, parseCurrency, type Money } from "../core/money"
import { hasEnded, type Operation } from "../core/operation"
import { Refusal, refusal, refusedByGateway } from "../core/refusal"
import { payerWords } from "../core/search-words"
import type { Failure, Gateway } from "../gateway"
import { accountFor, type Account } from "../ledger/accounts/find-accounts"
import { reopenApproval, type Approval } from "../ledger/approvals"
import { findById } from "../ledger/find-operations"
import { storable } from "../ledger/storable"
import type { MoneyDeps } from "../engine/deps"
import { refusedMoneyOut } from "../engine/gateway-refusal"
import { carryOut, type NotOpened, type Opened } from "../engine/send"
import { shopperTime, type ShopperTime } from "../engine/shopper-time"
import { moneyOutSpan } from "../telemetry/spans"
import { keptNote } from "./kept-note"
import { assertBelowCap, assertSecondAdmin, roomFor } from "./may-send"
import { readPayout } from "./payout-view"
import { findByIdempotencyKey, type Payout } from "./sql/find-payouts"
import { insertPayout, type PayoutDraft } from "./sql/insert-payout"

/** What a request for a payout and one for a transfer have in common. */
export type MoneyAsked = {
  readonly idempotencyKey: string
  /** Major units, as a JSON number or as decimal text. */
  readonly amount: number | string
  readonly currency: string
  /** The admin's reason; kept with the first event. */
  readonly note: string | undefined
  /** The id of the admin, or of the API key. */
  readonly askedBy: AdminId
}

/** What must be equal in all requests under one idempotency key. */
type Sameness = Pick<
  PayoutDraft,
  "type" | "amount" | "recipientName" | "phoneHint" | "walletId" | "counterpartyId"
>

type Operator = Pick<PayoutDraft, "paymentMethod" | "carrier">

/** @throws Refusal `amount_not_payable`, `currency_not_served` */
export function moneyAsked({ amount, currency }: MoneyAsked): Money {
  const code = parseCurrency(currency)
  if (!code) throw refusal("currency_not_served.unknown")
  const money = exactMoneyFromMajor(amount, code)
  if (money && isPayable(money)) return money
  throw refusal("amount_not_payable.given")
}

/** The gateway made a session that can't be used. */
export const NOT_USABLE: NotOpened = {
  kind: "not_opened",
  refused: { refusal: refusedByGateway(""), reason: "declined", code: "session_unusable" },
}

type Prepared = {
  /** The recipient's whole number, for {@link draftOnce}. */
  readonly to: string | null
  readonly operator?: Operator
  /** Opens the gateway session, once the draft is in the ledger. */
  open(draft: Operation): Promise<Opened | NotOpened | Failure>
}

/**
 * @param prepare makes only calls to the gateway that leave nothing behind
 * @returns the payout or transfer made now, or before under the same key
 * @throws Refusal as {@link draftOnce}, and of `refusedMoneyOut` with the `id` of the row that was
 *   made; nothing was sent then, unless its situation is `unconfirmed`
 */
export function sendOnce(
  deps: MoneyDeps,
  request: MoneyAsked,
  asked: Sameness,
  prepare: Prepare,
): Promise<Payout> {
  return moneyOutSpan(asked.type, () => sendInSpan(deps, request, asked, prepare))
}

type Prepare = (gateway: Gateway, time: ShopperTime) => Prepared | Promise<Prepared>

async function sendInSpan(
  deps: MoneyDeps,
  request: MoneyAsked,
  asked: Sameness,
  prepare: Prepare,
): Promise<Payout> {
  const known = await knownUnder(deps, request.idempotencyKey, asked)
  if (known) return known
  const paying = await payingAccount(deps, asked.amount, request.askedBy)
  const { to, operator, open } = await prepare(paying.gateway, shopperTime(deps.clock))
  const made = await draftOnce(deps, paying, request, { ...asked, ...operator }, to)
  if ("known" in made) return made.known
  const { draft, approval } = made
  try {
    await carryOut(deps, paying.gateway, draft, () => open(draft), refusedMoneyOut)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const left = approval && (await findById(deps.database, draft.id))
    // If nothing was sent, the two admins' agreement holds again; an open operation may have
    // landed.
    if (left && hasEnded(left)) await reopenApproval(deps.database, approval.id)
    throw error.with({ id: draft.id })
  }
  return readPayout(deps, asked.type, draft.id)
}

type Paying = {
  readonly account: Account
  readonly gateway: Gateway
  readonly credentialId: CredentialId
}

/**
 * @throws Refusal `not_configured`, `currency_not_served`, `money_out_off`,
 *   `money_out_needs_person`: before the gateway is asked anything
 */
async function payingAccount(
  deps: MoneyDeps,
  { currency }: Money,
  askedBy: AdminId,
): Promise<Paying> {
  const account = accountFor(await deps.accounts(), currency)
  const gateway = account && deps.gatewayOf(account)
  if (!account || !gateway) throw refusal("not_configured")
  if (!account.currencies.includes(currency)) {
    throw refusal("currency_not_served", { currency }, { currencies: account.currencies })
  }
  const { id: credentialId } = await deps.credentialOf(account)
  await roomFor(deps, { accountId: account.id, credentialId, currency }, askedBy)
  return { account, gateway, credentialId }
}

/** @throws Refusal `idempotency_key_reused` */
async function knownUnder(
  deps: Pick<MoneyDeps, "database">,
  key: string,
  asked: Sameness,
): Promise<Payout | undefined> {
  const known = await findByIdempotencyKey(deps.database, key)
  if (known && !isSame(known, asked)) {
    throw refusal("idempotency_key_reused", {}, { id: known.operation.id })
  }
  return known
}

function isSame(known: Payout, asked: Sameness): boolean {
  const { operation } = known
  const name = asked.recipientName === null ? null : storable(asked.recipientName)
  const isSameWallet = asked.type === "PAYOUT" || known.walletId === asked.walletId
  return (
    operation.type === asked.type &&
    operation.amount.minor === asked.amount.minor &&
    operation.amount.currency === asked.amount.currency &&
    operation.phoneHint === asked.phoneHint &&
    known.recipientName === name &&
    known.counterpartyId === asked.counterpartyId &&
    isSameWallet
  )
}

/**
 * @param to the recipient's whole number, because a second admin has to name the same one; kept as
 *   a keyed digest only
 * @returns the draft, held by lease until it is sent; or what another request made under the key
 * @throws Refusal `idempotency_key_reused`, `money_out_above_cap`, `money_out_needs_second_admin`,
 *   and as {@link payingAccount}
 */
async function draftOnce(
  deps: MoneyDeps,
  { account, credentialId }: Paying,
  request: MoneyAsked,
  asked: Sameness & Partial<Operator>,
  to: string | null,
): Promise<
  | { readonly draft: Operation; readonly approval: Approval | undefined }
  | { readonly known: Payout }
> {
  const { askedBy, idempotencyKey } = request
  const { amount } = asked
  const place = { accountId: account.id, credentialId, currency: amount.currency }
  const wanted = { amount, adminId: askedBy, subject: subjectOf(deps, place.accountId, asked, to) }
  let approval: Approval | undefined
  for (let attempt = 0; attempt < LIMITS.moneyOutTries; attempt++) {
    const room = await roomFor(deps, place, askedBy)
    assertBelowCap(room, amount)
    approval ??= await assertSecondAdmin(deps, room, wanted)
    const draft = await insertPayout(deps.database, {
      ...asked,
      paymentMethod: asked.paymentMethod ?? null,
      carrier: asked.carrier ?? null,
      searchWords: payerWords({ name: asked.recipientName, email: null, phone: to }, deps.digest),
      id: deps.ids.operationId(),
      // The same key means the same reference, even if a restored database has lost the key.
      draftReference: derivedReference("money out", deps.digest(idempotencyKey)),
      accountId: account.id,
      credentialId,
      idempotencyKey,
      askedBy,
      agreedWith: approval?.askedBy ?? null,
      note: request.note === undefined ? undefined : keptNote(request.note),
      turn: room.turn,
    })
    if (draft) return { draft, approval }
    const known = await knownUnder(deps, idempotencyKey, asked)
    if (known) return { known }
    // Another request has sent money meanwhile: what is left is read again.
  }
  throw refusal("gateway_unavailable")
}

/** The digest is keyed: a plain one of a phone number could be guessed by trying all numbers. */
function subjectOf(
  { digest }: Pick<MoneyDeps, "digest">,
  accountId: AccountId,
  { type, amount, recipientName, walletId, counterpartyId }: Sameness,
  to: string | null,
): string {
  const { minor, currency } = amount
  const parts = [type, minor.toString(), currency, recipientName, to, walletId, counterpartyId]
  return `money_out ${accountId} ${digest(JSON.stringify(parts))}`
}
