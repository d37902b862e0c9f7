/**
 * What every flow is given. There are two ways in: jobs, routes and subscribers get everything; the
 * payment providers live in another container and get `MoneyDeps`.
 */
import type { Operation } from "../core/operation"
import type { Clock, Ids, Logger, Random } from "../core/ports"
import type { SecretBox } from "../core/secret-box"
import type { Gateway } from "../gateway"
import type { Credential } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import type { Database } from "../ledger/database"
import type { TurnAsk } from "../ledger/start-turns"
import type { Host, HostRefunds } from "./host"

export type Settings = {
  /** Origins a shopper may be sent back to; the first is the default. */
  readonly storefrontOrigins: readonly string[]
  /** Where the gateway's page can reach this server, as an origin; needed for hosted payments. */
  readonly publicUrl: string | undefined
}

export type LedgerDeps = {
  readonly database: Database
  readonly logger: Logger
}

export type FlowDeps = LedgerDeps & {
  readonly host: Host
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly settings: Settings
  readonly budget: CheckBudget
  readonly shopperLimit: ShopperLimit
  /** Absent: there is no way to ask the shop, and no captcha is asked for. */
  readonly captcha?: Captcha
  readonly box: SecretBox
  /** The checks of this process, of all its passes. */
  readonly underWay: UnderWay
  /** This process, by a name that people can find it under; one of its own for each. */
  readonly worker: string
  /** Of a text that trying must not find: under a key that all processes of the store have. */
  digest(text: string): string
  /** Cached for some seconds; the default first. */
  accounts(): Promise<readonly Account[]>
  /** The credential that the account's client uses now; kept by the ledger at its first use. */
  credentialOf(account: Account): Promise<Credential>
  /**
   * The client of an account, or undefined while there are no credentials for it. For what is new;
   * about an operation that exists ask `gatewayFor`.
   */
  gatewayOf(account: Account): Gateway | undefined
  /**
   * The client of a credential that is kept, and maybe no longer its account's; undefined for those
   * of the environment, and for one that was dropped. For what was made with it, and nothing else.
   */
  keptGateway?(credentialId: string): Promise<Gateway | undefined>
  /** An account was changed by this process: the next reading of them is a new one. */
  forgetAccounts?(): void
}

/** Enough to move money. Of Medusa it has what SQL can read, so a payment provider can use it. */
export type MoneyDeps = Omit<FlowDeps, "host" | "settings" | "worker" | "captcha"> & {
  readonly host: HostRefunds
}

/**
 * How this process spreads over time what the claims allow it. The budget that all workers share is
 * in the database (`ledger/check-budget.ts`).
 */
export type CheckBudget = {
  /** Resolves when one more question may go out. */
  take(accountId: string, signal?: AbortSignal): Promise<void>
  /** The gateway asked to be left alone: nothing goes out for so long. */
  pause(accountId: string, ms: number): void
  /** What the account may be asked a second from now on, by all workers together. */
  allow(accountId: string, perSecond: number): void
}

/** How often shoppers may make the gateway work, counted by all processes together. */
export type ShopperLimit = {
  /** Takes all of it or nothing. @returns milliseconds until it may be had; 0: it is taken */
  take(ask: ShopperAsk): Promise<number>
  /** What was taken was not used. */
  giveBack(ask: ShopperAsk): Promise<void>
  /** Milliseconds until this number may be asked once more; absent: no day is counted. */
  unpaidNumberMs?(digits: string): Promise<number>
  /** How long no card may be tried; absent: declined cards are not counted. */
  cardsPaused?(ask: ShopperAsk, accountId: string): Promise<CardsPaused>
  /** Whose turn it is while the gateway complains; absent: nobody waits. */
  readonly turns?: StartTurns
}

export type CardsPaused = {
  /** For this shopper: cart, customer, browser or network. */
  readonly ofShopperMs: number
  /** For all shoppers of the account, of whom only a captcha is asked. */
  readonly ofAccountMs: number
}

/** The shop's own check that a person starts a card payment, and no program. */
export type Captcha = {
  /** Whether the shop has one. */
  isThere(): boolean
  /** @returns false also where the shop's check fails, or does not answer in time. Never rejects */
  verify(given: CaptchaGiven): Promise<boolean>
}

export type CaptchaGiven = {
  /** What the captcha's service gave the browser. */
  readonly captcha_token: string
  readonly payment_session_id: string
  readonly cart_id: string | null
}

export type StartTurns = {
  /** Whether this shopper waits for a turn already, and was counted when it was given. */
  has(key: string): Promise<boolean>
  /**
   * @param refused the gateway said just now that it is too much
   * @returns milliseconds until the turn comes; undefined: there is no queue
   */
  take(ask: TurnAsk, refused?: { readonly wasItsTurn: boolean }): Promise<number | undefined>
  /** @returns false: another request of the same shopper has used it */
  use(key: string): Promise<boolean>
}

export type ShopperAsk = {
  /** Who is counted; none of it is kept as it is. */
  readonly counted: {
    /** Digits. */
    readonly phone?: string | undefined
    readonly cart?: string | undefined
    /** Of a start by card: apart, so that cards take nothing from the phone of the same cart. */
    readonly cardCart?: string | undefined
    /** The registered one. */
    readonly customer?: string | undefined
    readonly network?: string | undefined
    /** The browser there, as far as it says which it is. */
    readonly client?: string | undefined
    /** The operation that a shopper gives up. */
    readonly cancelled?: string | undefined
  }
  /** The payment that is started, by whose end its network is judged. */
  readonly started?:
    | {
        readonly collectionId: string
        /** A phone, or a card's bank; null: none. */
        readonly asks: "phone" | "card" | null
      }
    | undefined
}

/** A check under way, with the operation as it is held just now. */
export type Held = { operation: Operation }

export type UnderWay = {
  /** How many places of a group there are in all. */
  of(group: string): number
  taken(group: string): number
  /** Those of which places are taken. */
  groups(): Iterable<string>
  /** One more of this group may begin. */
  isFree(group: string): boolean
  /** @returns what gives the place back */
  take(group: string): () => void
  /** Called whenever a place is given back, until what is returned is called. */
  onFree(listener: () => void): () => void
  /** From now on its lease is kept. @returns what ends that */
  hold(held: Held): () => void
  /**
   * Medusa does not answer: the check gives its place to another, and its lease is still kept. Only
   * so many of a group do so; then nothing of the group begins until one is answered.
   * @returns what is called when Medusa has answered
   */
  leave(group: string, held: Held): () => void
  /** The operations of the checks that {@link leave left}. */
  unanswered(): readonly string[]
  /** Keeps the leases that were not kept for some time. */
  keepLeases(database: Database): Promise<void>
}
