/**
 * Payment accounts: the wallet or card of a party (contract notes, sections 1, 2b and 12).
 * Registering a wallet twice makes two accounts; the contract does not show otherwise. A control
 * can make an account inactive. A wallet's account can be used again, a card's can't.
 */
import type { OperationType, PaymentAccount, Provider } from "../book/records"
import { alreadyRegistered, refused } from "../problem"
import type { World } from "../world"
import { operatorByMethod, operatorOf } from "./operators"

export type AccountRequest = {
  account_name: string
  provider: Provider
  method: string
  party_id: number
  country_code?: string | null
  insensitive_account_number?: string | null
}

const PHONE = /^[1-9]\d{7,14}$/
const NUMBER_FIELD = ["body", "insensitive_account_number"]

export function registerAccount(
  world: World,
  ownerId: number,
  operationType: OperationType,
  request: AccountRequest,
): PaymentAccount {
  const party = world.book.parties.get(request.party_id)
  if (party?.ownerId !== ownerId) throw refused(["body", "party_id"], "Party not found")
  if (request.provider !== providerFor(request.method)) {
    throw refused(["body", "provider"], "Provider and method do not fit")
  }
  if (request.method === "WALLET" && operationType === "COLLECTION") {
    throw refused(["body", "method"], "A wallet cannot be collected from")
  }
  const isCard = request.method === "CREDIT_CARD"
  if (isCard && operationType === "PAYOUT" && !world.settings.paysOutToCards) {
    throw refused(["body", "method"], "This merchant is not set up to pay out to cards")
  }
  if (request.country_code && !/^[A-Z]{2}$/.test(request.country_code)) {
    throw refused(["body", "country_code"], "Not a two-letter country code")
  }
  const phone = walletPhone(request)
  requireNewWallet(world, operationType, request, phone)
  return world.book.addAccount({
    ownerId,
    createdAtMs: world.time.nowMs(),
    id: world.book.next("account"),
    name: request.account_name,
    provider: request.provider,
    method: request.method,
    operationType,
    partyId: party.id,
    phone,
    countryCode: request.country_code ?? null,
    isActive: true,
    ...(isCard && operationType === "COLLECTION" ? takenCard(world, ownerId) : {}),
  })
}

/** By habit, a wallet is registered once for a party, an operation type and a method. */
function requireNewWallet(
  { book, habits }: World,
  operationType: OperationType,
  { party_id: partyId, method }: AccountRequest,
  phone: string | null,
): void {
  if (phone === null || !habits.has("known_wallet_refused")) return
  const isKnown = [...book.accounts.values()].some(
    (known) =>
      known.partyId === partyId &&
      known.phone === phone &&
      known.method === method &&
      known.operationType === operationType,
  )
  if (isKnown) throw alreadyRegistered(NUMBER_FIELD, "This account is already registered")
}

/** The card that was asked about, for one account: the next needs another prediction. */
function takenCard({ predictedCards }: World, ownerId: number): { cardToken?: string } {
  const cardToken = predictedCards.get(ownerId)
  predictedCards.delete(ownerId)
  return cardToken === undefined ? {} : { cardToken }
}

/** The provider of a method. */
export function providerFor(method: string): Provider {
  if (method === "CREDIT_CARD") return "CARD_PROCESSOR"
  return method === "WALLET" ? "PLATFORM" : "MOBILE_MONEY_GATEWAY"
}

function walletPhone({ method, insensitive_account_number: number }: AccountRequest) {
  const operator = operatorByMethod(method)
  if (!operator) {
    if (number) throw refused(NUMBER_FIELD, "Only mobile money accounts have a number here")
    return null
  }
  if (!number || !PHONE.test(number)) {
    throw refused(NUMBER_FIELD, "Not a phone number in E.164 digits without +")
  }
  // Assumed: the contract does not say whether a number may have moved to another operator.
  if (operatorOf(number)?.countryCode !== operator.countryCode) {
    throw refused(["body", "method"], "The method does not serve this phone number")
  }
  return number
}

/** The merchant's account of a collection execution, by its id as text. Throws 422. */
export function collectableAccount(
  world: World,
  ownerId: number,
  partyId: number,
  id: string,
): PaymentAccount {
  const account = ownAccount(world, ownerId, id)
  const field = ["body", "payment_account_id"]
  if (account?.partyId !== partyId) {
    throw refused(field, "Payment account not registered for the party")
  }
  if (account.operationType !== "COLLECTION" || !account.isActive) {
    throw refused(field, "Payment account cannot be used for a collection")
  }
  if (account.method === "CREDIT_CARD" && wasTried(world, account)) {
    throw refused(field, "A card's payment account serves one attempt")
  }
  return account
}

const wasTried = (world: World, { id }: PaymentAccount): boolean =>
  [...world.book.executions.values()].some(({ accountId }) => accountId === id)

/**
 * The recipient of a payout session. Whether it is active is checked only by the execution. Throws
 * 422.
 */
export function payoutAccount(world: World, ownerId: number, id: string): PaymentAccount {
  const account = ownAccount(world, ownerId, id)
  if (account?.operationType === "PAYOUT") return account
  throw refused(["body", "payout_account_id"], "Payout account not found")
}

/** The recipient of a payout execution: the session's account, if it is active. Throws 422. */
export function payableAccount(
  world: World,
  ownerId: number,
  sessionAccountId: number,
  id: string,
): PaymentAccount {
  const account = payoutAccount(world, ownerId, id)
  const field = ["body", "payout_account_id"]
  if (account.id !== sessionAccountId) throw refused(field, "Not the account of the session")
  if (!account.isActive) throw refused(field, "Payout account is not active")
  return account
}

function ownAccount(world: World, ownerId: number, id: string): PaymentAccount | undefined {
  const account = /^\d+$/.test(id) ? world.book.accounts.get(Number(id)) : undefined
  return account?.ownerId === ownerId ? account : undefined
}
