/**
 * Turns what an admin asks for into one row, and sends it: once its reference is committed, the
 * money is sent once, and never again. The caller's key stands for one movement of money from the
 * first click to the last (`known-payout.ts`). Where two admins are needed, the first one's is kept
 * as a request, and carried out as it was asked when another approves it (`approve-payout.ts`).
 */
import { derivedReference } from "../core/derived-reference"
import type { CredentialId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Money } from "../core/money"
import { hasEnded, type Operation } from "../core/operation"
import { Refusal, refusal, refusedByGateway } from "../core/refusal"
import { payerWords } from "../core/search-words"
import type { Failure, Gateway } from "../gateway"
import { accountFor, type Account } from "../ledger/accounts/find-accounts"
import { findById } from "../ledger/find-operations"
import { forgetSealed } from "../ledger/requests"
import type { MoneyDeps } from "../engine/deps"
import { refusedMoneyOut } from "../engine/gateway-refusal"
import { carryOut, type NotOpened, type Opened } from "../engine/send"
import { shopperTime, type ShopperTime } from "../engine/shopper-time"
import { moneyOutSpan } from "../telemetry/spans"
import { askSecondAdmin } from "./ask-second-admin"
import { keptNote } from "../ledger/kept-note"
import { assertNoneInDoubt, knownUnder, type Asked } from "./known-payout"
import { assertBelowCap, needsSecondAdmin, roomFor } from "./may-send"
import type { MoneyAsked } from "./money-asked"
import { readPayout } from "./payout-view"
import type { Payout } from "./sql/find-payouts"
import { insertPayout, type PayoutDraft } from "./sql/insert-payout"

type Operator = Pick<PayoutDraft, "paymentMethod" | "carrier">

/** The gateway made a session that can't be used. */
export const NOT_USABLE: NotOpened = {
  kind: "not_opened",
  refused: { refusal: refusedByGateway(""), reason: "declined", code: "session_unusable" },
}

type Prepared = {
  readonly operator?: Operator
  /** Opens the gateway session, once the draft is in the ledger. */
  open(draft: Operation): Promise<Opened | NotOpened | Failure>
}

/**
 * @param prepare makes only calls to the gateway that leave nothing behind
 * @returns the payout or transfer made now, or before under the same key
 * @throws Refusal as {@link draftOnce}, and of `refusedMoneyOut` with `id` and `state` of the row
 *   that was made. Only where `ended` is true it is certain that nothing was sent under the key.
 */
export function sendOnce(
  deps: MoneyDeps,
  request: MoneyAsked,
  asked: Asked,
  prepare: Prepare,
): Promise<Payout> {
  return moneyOutSpan(asked.type, () => sendInSpan(deps, request, asked, prepare))
}

type Prepare = (gateway: Gateway, time: ShopperTime) => Prepared | Promise<Prepared>

async function sendInSpan(
  deps: MoneyDeps,
  request: MoneyAsked,
  asked: Asked,
  prepare: Prepare,
): Promise<Payout> {
  const known = await knownUnder(deps, request, asked)
  if (known) return known
  const paying = await payingAccount(deps, asked.amount, request)
  const { operator, open } = await prepare(paying.gateway, shopperTime(deps.clock))
  const made = await draftOnce(deps, paying, request, { ...asked, ...operator })
  if ("known" in made) return made.known
  const { draft } = made
  try {
    await carryOut(deps, paying.gateway, draft, () => open(draft), refusedMoneyOut)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const now = await findById(deps.database, draft.id)
    const state = now?.state ?? draft.state
    throw error.with({ id: draft.id, state, ended: now !== undefined && hasEnded(now) })
  } finally {
    if (request.request) await forgetSealed(deps.database, request.request.id)
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
  { askedBy, request }: MoneyAsked,
): Promise<Paying> {
  const account = accountFor(await deps.accounts(), currency)
  const gateway = account && deps.gatewayOf(account)
  if (!account || !gateway) throw refusal("not_configured")
  if (!account.currencies.includes(currency)) {
    throw refusal("currency_not_served", { currency }, { currencies: account.currencies })
  }
  if (request && request.accountId !== account.id) throw refusal("request_ended.account")
  const { id: credentialId } = await deps.credentialOf(account)
  await roomFor(deps, { accountId: account.id, credentialId, currency }, askedBy)
  return { account, gateway, credentialId }
}

/**
 * @returns the draft, held by lease until it is sent; or what another request made under the key
 * @throws Refusal of {@link knownUnder}, `money_out_above_cap`, `money_out_needs_second_admin`,
 *   `money_out_in_doubt`, and as {@link payingAccount}
 */
async function draftOnce(
  deps: MoneyDeps,
  { account, credentialId }: Paying,
  request: MoneyAsked,
  asked: Asked & Partial<Operator>,
): Promise<{ readonly draft: Operation } | { readonly known: Payout }> {
  const { askedBy } = request
  const { type, amount, recipientName, phoneHint, walletId, counterpartyId, to } = asked
  const key = request.request?.rowKey ?? request.idempotencyKey
  const place = { accountId: account.id, credentialId, currency: amount.currency }
  for (let attempt = 0; attempt < LIMITS.moneyOutTries; attempt++) {
    const room = await roomFor(deps, place, askedBy)
    assertBelowCap(room, amount)
    if (!request.request && needsSecondAdmin(room, amount)) {
      await askSecondAdmin(deps, { ...place, turn: room.turn }, request, asked)
    } else {
      await assertNoneInDoubt(deps, request, asked)
      const draft = await insertPayout(
        deps.database,
        {
          type,
          amount,
          recipientName,
          phoneHint,
          walletId,
          counterpartyId,
          paymentMethod: asked.paymentMethod ?? null,
          carrier: asked.carrier ?? null,
          searchWords: payerWords({ name: recipientName, email: null, phone: to }, deps.digest),
          id: deps.ids.operationId(),
          // The same key means the same reference, even if a restored database has lost the key, or a
          // draft under it that ended unsent.
          draftReference: derivedReference("money out", deps.digest(request.idempotencyKey)),
          accountId: account.id,
          credentialId,
          idempotencyKey: key,
          askedBy,
          request: request.request,
          note: request.note === undefined ? undefined : keptNote(request.note),
          turn: room.turn,
        },
        deps.people,
      )
      if (draft) return { draft }
    }
    // Another request has sent money meanwhile, or asked for it: all is read again.
    const known = await knownUnder(deps, request, asked)
    if (known) return { known }
  }
  throw refusal("gateway_unavailable")
}
