/**
 * Transfers: between platform wallets, with no external gateway and no fee (contract notes, section
 * 15). A party with the phone number of another merchant is that merchant; any other party gets
 * wallets of its own.
 */
import type { MoneyOut, Wallet } from "../book/money-records"
import type { Party, TransferSession } from "../book/records"
import { refused } from "../problem"
import type { World } from "../world"
import { repeated, type Executed } from "./executions"
import { requireVerified } from "./gates"
import { isMoneyOut, sendOut } from "./money-out"
import { askedMoney, chosenExpiryMs, executableSession, newSession } from "./sessions"
import { merchantWallet, partyWallet, requireBalance } from "./wallets"

export type TransferSessionRequest = {
  from_wallet_id: number
  to_counterparty_id: number
  amount: number
  currency: string
  expires_at: string
}

export type TransferRequest = { session_id: string; reference_id: string }

/** Opens a transfer session. Throws 403 and 422. */
export function openTransfer(
  world: World,
  ownerId: number,
  request: TransferSessionRequest,
): TransferSession {
  requireVerified(world, ownerId)
  const wallet = ownWallet(world, ownerId, request.from_wallet_id)
  const counterpartyId = request.to_counterparty_id
  recipientOf(world, ownerId, counterpartyId)
  const asked = askedMoney(request.amount, request.currency)
  if (asked.currency !== wallet.currency) {
    throw refused(["body", "currency"], "The wallet is in another currency")
  }
  const expiresAtMs = chosenExpiryMs(world, request.expires_at)
  if (world.settings.walletChecks === "SESSION") {
    requireBalance(world, wallet, asked.minor, ["body", "from_wallet_id"])
  }
  const session: TransferSession = {
    ...newSession(world, ownerId, expiresAtMs),
    type: "TRANSFER",
    fromWalletId: wallet.id,
    counterpartyId,
    amountMinor: asked.minor,
    currency: asked.currency,
  }
  world.book.addSession(session)
  return session
}

/** Executes once. Repeating the same reference with the same body answers again. */
export function executeTransfer(
  world: World,
  ownerId: number,
  request: TransferRequest,
): Executed<MoneyOut> {
  requireVerified(world, ownerId)
  const { session_id: sessionId, reference_id: reference } = request
  const known = repeated(world, ownerId, reference, isMoneyOut("TRANSFER", sessionId))
  if (known) return known
  const session = executableSession(world, ownerId, "TRANSFER", sessionId)
  const party = recipientOf(world, ownerId, session.counterpartyId)
  const asked = { minor: session.amountMinor, currency: session.currency }
  return sendOut(world, {
    reference,
    session,
    wallet: ownWallet(world, ownerId, session.fromWalletId),
    payer: asked,
    payee: asked,
    phone: party.phone,
    provider: "PLATFORM",
    method: "WALLET",
    toWalletId: walletReached(world, party, session).id,
  })
}

function walletReached(world: World, party: Party, { ownerId, currency }: TransferSession): Wallet {
  const merchant = world.settings.merchants.find(
    (other) => other.phone === party.phone && other.ownerId !== ownerId,
  )
  return merchant
    ? merchantWallet(world, merchant.ownerId, currency)
    : partyWallet(world, party.id, currency)
}

function ownWallet(world: World, ownerId: number, id: number): Wallet {
  const wallet = world.book.money.wallets.get(id)
  if (wallet && "ownerId" in wallet.holder && wallet.holder.ownerId === ownerId) return wallet
  throw refused(["body", "from_wallet_id"], "Wallet not found")
}

function recipientOf(world: World, ownerId: number, counterpartyId: number): Party {
  const counterparty = world.book.counterparties.get(counterpartyId)
  const partyId = counterparty?.ownerId === ownerId ? counterparty.partyId : null
  const party = partyId === null ? undefined : world.book.parties.get(partyId)
  if (party) return party
  throw refused(["body", "to_counterparty_id"], "Counterparty not found")
}
