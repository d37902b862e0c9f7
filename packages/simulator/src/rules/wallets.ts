/**
 * Wallets and their balances (specification, "Concepts" and "Wallet states"). A balance is computed
 * from the book: opening money, plus completed collections and incoming transfers, less completed
 * outgoing money. Money on its way out is reserved; failed money is free again.
 *
 * Only an `ACTIVE` wallet pays out, refunds or transfers. A wallet in any state receives money: the
 * specification has no rule against it.
 */
import type { Wallet, WalletState } from "../book/money-records"
import { CURRENCIES, minorFromWire, type Currency } from "../money"
import { wrongState } from "../problem"
import type { World } from "../world"
import { stepAt } from "./timeline"

/** Whole numbers of the smallest unit. `available` is `total` less `reserved`. */
export type Balance = { totalMinor: number; reservedMinor: number; availableMinor: number }

/** A merchant's wallet in a currency; created if missing. */
export function merchantWallet(world: World, ownerId: number, currency: Currency): Wallet {
  const known = [...world.book.money.wallets.values()].find(
    ({ holder, ...wallet }) =>
      "ownerId" in holder && holder.ownerId === ownerId && wallet.currency === currency,
  )
  const opening = minorFromWire(world.settings.openingBalances[currency] ?? 0, currency) ?? 0
  return known ?? newWallet(world, { ownerId }, currency, opening)
}

/** The wallet that a transfer to a party reaches; created if missing. */
export function partyWallet(world: World, partyId: number, currency: Currency): Wallet {
  const known = [...world.book.money.wallets.values()].find(
    ({ holder, ...wallet }) =>
      "partyId" in holder && holder.partyId === partyId && wallet.currency === currency,
  )
  return known ?? newWallet(world, { partyId }, currency, 0)
}

/** Gives every merchant a wallet in every currency, so that its id can be read in the portal. */
export function openWallets(world: World): void {
  for (const { ownerId } of world.settings.merchants) {
    CURRENCIES.forEach((currency) => merchantWallet(world, ownerId, currency))
  }
}

function newWallet(
  world: World,
  holder: Wallet["holder"],
  currency: Currency,
  otherMinor: number,
): Wallet {
  return world.book.money.addWallet({
    id: world.book.next("wallet"),
    createdAtMs: world.time.nowMs(),
    holder,
    currency,
    state: "ACTIVE",
    otherMinor,
  })
}

export function balanceOf(world: World, { id, holder, currency, otherMinor }: Wallet): Balance {
  const nowMs = world.time.nowMs()
  let totalMinor = otherMinor
  let reservedMinor = 0
  if ("ownerId" in holder) {
    for (const execution of world.book.executions.values()) {
      const isTheirs = execution.ownerId === holder.ownerId && execution.payeeCurrency === currency
      if (isTheirs && stepAt(execution.steps, nowMs).status === "COMPLETED") {
        totalMinor += execution.payeeMinor
      }
    }
  }
  for (const moneyOut of world.book.money.moneyOut.values()) {
    const { status } = stepAt(moneyOut.steps, nowMs)
    if (status === "FAILED") continue
    const hasMoved = status === "COMPLETED"
    if (moneyOut.walletId === id && hasMoved) totalMinor -= moneyOut.payerMinor
    if (moneyOut.walletId === id && !hasMoved) reservedMinor += moneyOut.payerMinor
    if (moneyOut.toWalletId === id && hasMoved) totalMinor += moneyOut.payeeMinor
  }
  return { totalMinor, reservedMinor, availableMinor: totalMinor - reservedMinor }
}

/** Throws 422 on a field if the wallet may not or can't pay this much. */
export function requireBalance(
  world: World,
  wallet: Wallet,
  amountMinor: number,
  field: string[],
): void {
  if (wallet.state !== "ACTIVE") throw wrongState(field, `The wallet is ${wallet.state}`)
  if (balanceOf(world, wallet).availableMinor < amountMinor) {
    throw wrongState(field, "The wallet's balance is too low")
  }
}

export const setWalletState = (world: World, wallet: Wallet, state: WalletState): Wallet =>
  world.book.update(wallet, { state })

/** Adds money from outside the book, or takes it out if negative. */
export const adjust = (world: World, wallet: Wallet, minor: number): Wallet =>
  world.book.update(wallet, { otherMinor: wallet.otherMinor + minor })
