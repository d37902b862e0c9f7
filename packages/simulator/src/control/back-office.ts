/**
 * Controls for what the gateway's staff or chance would do to a merchant: verify it, freeze a
 * wallet, add money, close a payment account, end outgoing money, rotate a key.
 */
import { moneyOutBookOf, type MoneyOutView, type WalletView } from "../book/money-out-view"
import type { WalletState } from "../book/money-records"
import { minorFromWire } from "../money"
import { isVerified, setVerified } from "../rules/gates"
import { merchantOf, merchantsOf, rotateKey, type MerchantProfile } from "../rules/merchants"
import { settleMoneyOut } from "../rules/money-out"
import { adjust, setWalletState } from "../rules/wallets"
import type { World } from "../world"
import { WrongControl } from "./wrong-control"

export type MerchantView = MerchantProfile & { isVerified: boolean; clientIds: string[] }

export type BackOffice = {
  merchants(): MerchantView[]
  /**
   * A merchant that is not verified gets 403 for outgoing money, payment links and hosted pages.
   */
  setVerified(ownerId: number, isVerified: boolean): void
  /** Voids the client's secret and tokens. Only this call returns the new secret. */
  rotateKey(clientId: string): { clientSecret: string }
  wallets(): WalletView[]
  /** Only an `ACTIVE` wallet pays out, refunds or transfers. */
  setWalletState(walletId: number, state: WalletState): WalletView
  /** Adds this many major units from outside the book, or takes them out if negative. */
  deposit(walletId: number, amount: number): WalletView
  /** An account that is not active cannot be executed against. */
  setAccountActive(accountId: number, isActive: boolean): void
  /** Ends a payout, transfer or refund now. */
  settle(reference: string, status: "COMPLETED" | "FAILED"): MoneyOutView
}

export function backOfficeOf(world: World): BackOffice {
  const view = moneyOutBookOf(world)
  const { money } = world.book
  const walletView = (id: number) =>
    found(
      view.wallets().find((wallet) => wallet.id === id),
      `wallet ${id}`,
    )
  const wallet = (id: number) => found(money.wallets.get(id), `wallet ${id}`)
  return {
    merchants: () =>
      merchantsOf(world).map((merchant) => ({
        ...merchant,
        isVerified: isVerified(world, merchant.ownerId),
        clientIds: world.settings.merchants
          .filter(({ ownerId }) => ownerId === merchant.ownerId)
          .map(({ clientId }) => clientId),
      })),
    setVerified: (ownerId, value) => setVerified(world, merchantOf(world, ownerId).ownerId, value),
    rotateKey: (clientId) => rotateKey(world, clientId),
    wallets: view.wallets,
    setWalletState(id, state) {
      setWalletState(world, wallet(id), state)
      return walletView(id)
    },
    deposit(id, amount) {
      const changed = wallet(id)
      const minor = minorFromWire(Math.abs(amount), changed.currency)
      if (minor === null) throw new WrongControl(`That is no amount in ${changed.currency}.`)
      adjust(world, changed, Math.sign(amount) * minor)
      return walletView(id)
    },
    setAccountActive(id, isActive) {
      world.book.update(found(world.book.accounts.get(id), `payment account ${id}`), { isActive })
    },
    settle(reference, status) {
      settleMoneyOut(world, found(money.moneyOut.get(reference), `money out ${reference}`), status)
      return found(view.moneyOut(reference), `money out ${reference}`)
    },
  }
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new WrongControl(`There is no ${what}.`)
  return value
}
