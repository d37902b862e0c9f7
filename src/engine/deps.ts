/**
 * What every flow is given. Jobs, routes and subscribers get `FlowDeps`. The payment providers live
 * in another container and get `MoneyDeps`.
 */
import type { Asked } from "../core/flows"
import type { AccountId, CredentialId, PaymentCollectionId } from "../core/ids"
import type { Operation } from "../core/operation"
import type { Clock, Ids, Logger, Random } from "../core/ports"
import type { SecretBox } from "../core/secret-box"
import type { Gateway } from "../gateway"
import type { Credential } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import type { Database } from "../ledger/database"
import type { TurnAsk } from "../ledger/limits/start-turns"
import type { People } from "../ledger/requests"
import type { MedusaPort, MedusaRefunds } from "./medusa-port"

export type Settings = {
  /** Origins a shopper may be sent back to; the first is the default. */
  readonly storefrontOrigins: readonly string[]
  /** Wildcards of preview deployments. A page of one of them is sent back to, if it asked itself. */
  readonly previewOrigins?: readonly string[]
  /**
   * Where browsers and the gateway's page reach this server, without a slash at the end; needed for
   * hosted payments.
   */
  readonly publicUrl: string | undefined
  /** The shop's time zone, by whose days pages and files of the admin count; absent: none is set. */
  readonly timeZone?: string | undefined
}

export type LedgerDeps = {
  readonly database: Database
  readonly logger: Logger
}

export type FlowDeps = LedgerDeps & {
  readonly medusa: MedusaPort
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly settings: Settings
  readonly budget: CheckBudget
  readonly shopperLimit: ShopperLimit
  /** The store's captcha check. Absent: no captcha is asked for. */
  readonly captcha?: Captcha
  readonly box: SecretBox
  /** The shop's users, for what two admins have to agree on. */
  readonly people: People
  /** The checks of this process, of all its passes. */
  readonly underWay: UnderWay
  /** This process's name, by which people can find it. No two processes have the same. */
  readonly worker: string
  /**
   * A keyed digest of a text that guessing must not find, such as a phone number. All processes of
   * the store have the same key.
   */
  digest(text: string): string
  /** All accounts, the default first. Cached for some seconds. */
  accounts(): Promise<readonly Account[]>
  /** The credential that the account's client uses now; kept by the ledger at its first use. */
  credentialOf(account: Account): Promise<Credential>
  /**
   * The client of an account, for what is new; undefined while the account has no credentials.
   * `gatewayFor` gives the client for an operation that exists.
   */
  gatewayOf(account: Account): Gateway | undefined
  /**
   * The client of a kept credential, which its account may no longer use. Only for operations that
   * were made with it. Undefined for a credential of the environment and for a dropped one.
   */
  keptGateway?(credentialId: CredentialId): Promise<Gateway | undefined>
  /** Drops the cached accounts, because this process changed one. */
  forgetAccounts?(): void
}

/** Enough to move money. It reads Medusa by SQL alone, so a payment provider can use it. */
export type MoneyDeps = Omit<FlowDeps, "medusa" | "settings" | "worker" | "captcha"> & {
  readonly medusa: MedusaRefunds
}

/**
 * Spreads over time the questions that this process was granted. The budget that all workers share
 * is in the database (`ledger/limits/check-budget.ts`).
 */
export type CheckBudget = {
  /** Resolves when one more question may go out. */
  take(accountId: AccountId, signal?: AbortSignal): Promise<void>
  /** Sends nothing for `ms` milliseconds, because the gateway asked for a pause. */
  pause(accountId: AccountId, ms: number): void
  /** Whether the pause has not ended yet. */
  isPaused(accountId: AccountId): boolean
}

/** How often shoppers may cause calls to the gateway, counted by all processes together. */
export type ShopperLimit = {
  /** Takes from every limit or from none. @returns milliseconds until it may be taken; 0: taken */
  take(ask: ShopperAsk): Promise<number>
  /** Gives back what was taken and then not used. */
  uncount(ask: ShopperAsk): Promise<void>
  /**
   * Milliseconds until a phone number that has never paid may be prompted again. Absent: such
   * numbers are not counted.
   */
  unpaidNumberMs?(digits: string): Promise<number>
  /** How long no card may be tried. Absent: declined cards are not counted. */
  cardsPaused?(ask: ShopperAsk, accountId: AccountId): Promise<CardsPaused>
  /** The queue of starts while the gateway complains. Absent: no shopper waits. */
  readonly turns?: StartTurns
}

type CardsPaused = {
  /** Milliseconds for this shopper, counted by cart, customer, browser and network. */
  readonly ofShopperMs: number
  /** Milliseconds for all shoppers of the account, who are then only asked for a captcha. */
  readonly ofAccountMs: number
}

/** The store's own check that a person, and no program, starts a card payment. */
export type Captcha = {
  /** Whether the store has a captcha check. */
  isThere(): boolean
  /** @returns false also if the store's check fails or does not answer in time. Never rejects */
  verify(given: CaptchaGiven): Promise<boolean>
}

export type CaptchaGiven = {
  /** What the captcha's service gave the browser. */
  readonly captcha_token: string
  readonly payment_session_id: string
  readonly cart_id: string | null
}

type StartTurns = {
  /** Whether this shopper already has a turn. The limits counted the start when it was given. */
  has(key: string): Promise<boolean>
  /**
   * @param refused the gateway has just answered this start with "too many"
   * @returns milliseconds until the turn comes; undefined: there is no queue
   */
  take(ask: TurnAsk, refused?: { readonly wasItsTurn: boolean }): Promise<number | undefined>
  /** Uses the turn. @returns false: another request of the same shopper has used it */
  use(key: string): Promise<boolean>
}

export type ShopperAsk = {
  /** What a start is counted by. None of it is stored as it is. */
  readonly counted: {
    /** The shopper's number: digits only, with the country code. */
    readonly phone?: string | undefined
    readonly cart?: string | undefined
    /** The cart of a start by card, counted apart: cards use up none of its starts by phone. */
    readonly cardCart?: string | undefined
    /** The registered customer's id. */
    readonly customer?: string | undefined
    readonly network?: string | undefined
    /** The browser in that network, as far as it says which one it is. */
    readonly client?: string | undefined
    /** The operation that the shopper cancels. */
    readonly cancelled?: string | undefined
  }
  /** The payment that is started. How it ends counts for or against its network. */
  readonly started?:
    | {
        readonly paymentCollectionId: PaymentCollectionId
        /** What is asked to confirm: a phone, or a card's bank; null: neither. */
        readonly asks: Asked | null
      }
    | undefined
}

/** A check under way, with the operation as this process now holds it. */
export type Held = { operation: Operation }

export type UnderWay = {
  taken(group: string): number
  /** The groups of which places are taken. */
  groups(): Iterable<string>
  /** How many more of this group may begin. */
  room(group: string): number
  /** Whether at least half of the group's places are free, so that a claim is worth its while. */
  isRoomy(group: string): boolean
  /** Takes a place of the group. @returns a function that gives the place back */
  take(group: string): () => void
  /** Calls `listener` whenever a place is given back. @returns a function that ends that */
  onFree(listener: () => void): () => void
  /** Keeps the check's lease from now on. @returns a function that ends that */
  hold(held: Held): () => void
  /**
   * Gives the place of a check that Medusa does not answer to another check; its lease is still
   * kept. At `LIMITS.unansweredMax` of a group, none of the group begins until one is answered.
   * @returns a function to call when Medusa has answered
   */
  leave(group: string, held: Held): () => void
  /** Ids of the operations whose checks {@link leave} has taken and Medusa has not answered yet. */
  unanswered(): readonly string[]
  /** Renews the leases that were last renewed `LIMITS.leaseKeptEveryMs` ago or longer. */
  keepLeases(database: Database): Promise<void>
  /** Notes that this process changes a purchase in Medusa. @returns a function that ends that */
  changePurchase(): () => void
  /** How many purchases it changes. */
  purchases(): number
  /** Notes that this process takes no more work. */
  end(): void
  hasEnded(): boolean
  /** Notes that this process has looked for due payments. */
  passed(): void
  /** Milliseconds since then; null: it has not looked yet. */
  passedMsAgo(): number | null
}
