/**
 * Sends money from the merchant's wallet to a mobile wallet, because an admin says so.
 *
 * The passcode and the recipient's whole number live in this call alone, and encrypted in a request
 * that waits for a second admin: they are in no other row, and in no event, log line, error or
 * answer. So only this call can send.
 *
 * If the process dies before the reference is committed, nothing was sent and the draft ends. After
 * the commit, the job asks the gateway about the reference until the end is known; it never sends.
 */
import type { PartyId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { parseWalletPhone, phoneRefusal, type Phone } from "../core/phone"
import { refusal } from "../core/refusal"
import {
  Invalid,
  NotFound,
  type Failure,
  type Gateway,
  type MmoProviderInfo,
  type PayoutPasscode,
  type PayoutSession,
} from "../gateway"
import type { NotOpened, Opened } from "../engine/send"
import type { MoneyDeps } from "../engine/deps"
import { refusedMoneyOut } from "../engine/gateway-refusal"
import type { ShopperTime } from "../engine/shopper-time"
import { NOT_USABLE, sendOnce } from "./draft-payout"
import { subjectOf } from "./known-payout"
import { moneyAsked, type MoneyAsked } from "./money-asked"
import type { Payout } from "./sql/find-payouts"

export type PayoutRequest = MoneyAsked & {
  readonly name: string
  /** The recipient's number as typed; three digits of it are kept. */
  readonly phone: string
  /** The ISO two-letter country, for a number without a country code. */
  readonly countryCode: string | undefined
  readonly passcode: PayoutPasscode
}

/** What a request for a payout keeps encrypted. */
export type SealedPayout = { readonly phone: string; readonly passcode: PayoutPasscode }

type Recipient = { readonly name: string; readonly phone: Phone; readonly wallet: MmoProviderInfo }

/**
 * @throws Refusal when nothing was sent: `amount_not_payable`, `currency_not_served`,
 *   `invalid_phone`, `operator_unknown`, `idempotency_key_reused`, `wrong_passcode`,
 *   `wallet_too_low`, `not_verified`, `gateway_refused`, `gateway_unavailable`, `not_configured`
 */
export async function requestPayout(deps: MoneyDeps, request: PayoutRequest): Promise<Payout> {
  const amount = moneyAsked(request)
  const parsed = parseWalletPhone(request.phone, request.countryCode)
  if ("problem" in parsed) throw phoneRefusal(parsed.problem)
  const { phone } = parsed
  const asked = {
    type: "PAYOUT",
    amount,
    recipientName: request.name,
    phoneHint: phone.hint,
    walletId: null,
    counterpartyId: null,
    to: phone.digits,
  } as const
  const sealed: SealedPayout = { phone: `+${phone.digits}`, passcode: request.passcode }
  const subject = subjectOf(deps, asked)
  const whole = { ...asked, subject, toSeal: JSON.stringify(sealed) }
  return sendOnce(deps, request, whole, async (gateway, time) => {
    const wallet = await walletOf(gateway, phone, amount.currency, time)
    const { paymentMethod, carrier = null } = wallet
    const recipient = { name: request.name, phone, wallet }
    return {
      operator: { paymentMethod, carrier },
      open: (draft) => open(gateway, draft, recipient, request.passcode, time),
    }
  })
}

/**
 * Asks without effect and before the draft, so that a number of no operator leaves no row behind.
 */
async function walletOf(
  gateway: Gateway,
  phone: Phone,
  currency: string,
  time: ShopperTime,
): Promise<MmoProviderInfo> {
  const outcome = await gateway.predictions.mmoProviderInfo(
    { phone: phone.digits, operationType: "PAYOUT" },
    time.callOptions(),
  )
  if (outcome.kind !== "done") {
    const { error } = outcome
    if (error instanceof NotFound || error instanceof Invalid) throw refusal("operator_unknown")
    throw refusedMoneyOut(outcome).refusal
  }
  const { currencies } = outcome.value
  if (currencies.some((served) => served === currency)) return outcome.value
  throw refusal("currency_not_served.payment_method", { currency }, { currencies })
}

async function open(
  gateway: Gateway,
  draft: Operation,
  recipient: Recipient,
  passcode: PayoutPasscode,
  time: ShopperTime,
): Promise<Opened | NotOpened | Failure> {
  const party = await partyOf(gateway, recipient, time)
  if (typeof party !== "number") return party
  const { wallet, phone } = recipient
  const account = await gateway.paymentAccounts.create(
    {
      accountName: recipient.name,
      provider: wallet.provider,
      method: wallet.paymentMethod,
      partyId: party,
      countryCode: phone.country,
      phone: phone.digits,
      operationType: "PAYOUT",
    },
    time.callOptions(),
  )
  if (account.kind !== "done") return account
  const payoutAccountId = account.value.id
  const session = await gateway.sessions.payout(
    { payoutAccountId, amount: draft.amount },
    time.callOptions(),
  )
  if (session.kind !== "done") return session
  if (account.value.isActive === false || session.value.status !== "ACTIVE") return NOT_USABLE
  const lifeMs = lifeOf(session.value)
  return {
    kind: "opened",
    sessionId: session.value.id,
    changes: {
      partyId: party,
      paymentAccountId: payoutAccountId,
      ...(session.value.walletId === undefined ? {} : { walletId: session.value.walletId }),
    },
    ...(lifeMs === undefined ? {} : { lifeMs }),
    call: (_, referenceId) =>
      gateway.executions.payout(
        { sessionId: session.value.id, payoutAccountId, referenceId, passcode },
        { patience: "shopper" },
      ),
  }
}

/**
 * Making a party has no idempotency key, so a party that the gateway lists is not made again. If
 * the list fails, the merchant gets a second contact for the same recipient.
 */
async function partyOf(
  gateway: Gateway,
  { name, phone }: Recipient,
  time: ShopperTime,
): Promise<PartyId | Failure> {
  const listed = await gateway.parties.list({ fullname: name }, time.callOptions())
  const parties = listed.kind === "done" ? listed.value : []
  const known = parties.find((one) => one.fullname === name && one.phone === phone.digits)
  if (known) return known.id
  const made = await gateway.parties.create(
    { fullname: name, phone: phone.digits, countryCode: phone.country },
    time.callOptions(),
  )
  return made.kind === "done" ? made.value.id : made
}

/**
 * Milliseconds that the session lives, by the gateway's clock alone. They are counted from our
 * commit, which comes later, so our end is no sooner than the gateway's own; it is no later than
 * the last check.
 */
function lifeOf({ createdAt, expiresAt }: PayoutSession): number | undefined {
  const lifeMs = Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "")
  return lifeMs > 0 ? Math.min(lifeMs, LIMITS.refundAskMs) : undefined
}
