/**
 * The part of the book about wallets, outgoing money and merchants. It knows no rules either;
 * `Book.update` changes its records.
 */
import type {
  MerchantRecord,
  MoneyData,
  MoneyOut,
  MoneyOutType,
  RotatedKey,
  Wallet,
} from "./money-records"

export class MoneyBook {
  readonly wallets = new Map<number, Wallet>()
  readonly moneyOut = new Map<string, MoneyOut>()
  readonly merchants = new Map<number, MerchantRecord>()
  readonly rotatedKeys = new Map<string, RotatedKey>()
  readonly #refundsByOriginal = new Map<string, MoneyOut[]>()
  readonly #onChange: () => void

  /** @param data absent in a new book */
  constructor(data: MoneyData | undefined, onChange: () => void) {
    this.#onChange = () => {}
    data?.wallets.forEach((wallet) => this.addWallet(wallet))
    data?.moneyOut.forEach((moneyOut) => this.addMoneyOut(moneyOut))
    data?.merchants.forEach((merchant) => this.setMerchant(merchant))
    data?.rotatedKeys.forEach((key) => this.setRotatedKey(key))
    this.#onChange = onChange
  }

  addWallet(wallet: Wallet): Wallet {
    this.wallets.set(wallet.id, wallet)
    return this.#changed(wallet)
  }

  addMoneyOut(moneyOut: MoneyOut): MoneyOut {
    this.moneyOut.set(moneyOut.reference, moneyOut)
    const { originalReference } = moneyOut
    if (originalReference !== null) {
      const refunds = this.#refundsByOriginal.get(originalReference) ?? []
      this.#refundsByOriginal.set(originalReference, [...refunds, moneyOut])
    }
    return this.#changed(moneyOut)
  }

  setMerchant(merchant: MerchantRecord): MerchantRecord {
    this.merchants.set(merchant.ownerId, merchant)
    return this.#changed(merchant)
  }

  setRotatedKey(key: RotatedKey): RotatedKey {
    this.rotatedKeys.set(key.clientId, key)
    return this.#changed(key)
  }

  /** Every refund of a collection, by the collection's reference, oldest first. */
  refundsOf(originalReference: string): readonly MoneyOut[] {
    return this.#refundsByOriginal.get(originalReference) ?? []
  }

  /** Oldest first. */
  ofType(type: MoneyOutType): MoneyOut[] {
    return [...this.moneyOut.values()].filter(({ operationType }) => operationType === type)
  }

  toJSON(): MoneyData {
    return {
      wallets: [...this.wallets.values()],
      moneyOut: [...this.moneyOut.values()],
      merchants: [...this.merchants.values()],
      rotatedKeys: [...this.rotatedKeys.values()],
    }
  }

  #changed<T>(record: T): T {
    this.#onChange()
    return record
  }
}
