/** Dependencies of the flows about accounts, beyond those of every flow, such as Medusa's setup. */
import type { AccountId } from "../core/ids"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import type { SettingProblem } from "./rules/setting-problems"

export type SetupRegion = {
  readonly id: string
  readonly name: string
  /** The region's currency code, upper case. */
  readonly currency: string
  /** ISO country codes: two letters, lower case. */
  readonly countries: readonly string[]
  /** Ids of all payment providers that the region has enabled, other plugins' too. */
  readonly providerIds: readonly string[]
}

export type MedusaSetup = {
  /** Ids of all payment providers registered with Medusa and enabled, other plugins' too. */
  readonly providerIds: readonly string[]
  readonly regions: readonly SetupRegion[]
  /** The decimal digits of each currency in Medusa, by its code in upper case. */
  readonly knownCurrencies: Readonly<Record<string, number>>
}

export type MedusaSetupPort = {
  read(): Promise<MedusaSetup>
  /**
   * Makes these the region's only providers, through Medusa's own workflow, and puts them on
   * Medusa's list of providers that a region can have.
   */
  setRegionProviders(regionId: string, providerIds: readonly string[]): Promise<void>
  /** Takes our providers off that list until the store boots with the plugin again. */
  unlistProviders(): Promise<void>
  /** The regions of carts, by the cart's id; without those that Medusa does not know. */
  regionsOfCarts(cartIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** `in-memory`, or the name of Medusa's locking module; null: not known. */
  readonly locking: string | null
  readonly workflowEngine: string | null
}

/** The account that environment variables define, as this process has read them. */
type EnvironmentAccount = {
  readonly id: AccountId
  /** Undefined while the variables are not set, or not usable. */
  readonly account: Account | undefined
  readonly clientId: string | null
  /** Where each field comes from: a variable, an option, or `default`. */
  readonly sources: Readonly<Record<string, string>>
  /** What is wrong with variables and options. Absent: nothing. */
  readonly problems?: readonly SettingProblem[]
}

/** The values from which a gateway client is made, before any of them is stored. */
export type ClientFacts = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

export type AccountDeps = FlowDeps & {
  /** What the database lacks of the tables that this version needs, asked now. */
  readonly tables: { missing(): Promise<readonly string[]> }
  readonly setup: MedusaSetupPort
  readonly environment: EnvironmentAccount
  /** A client that nothing else uses; the caller closes it. Throws for a wrong address. */
  openGateway(client: ClientFacts, onDate?: (date: string) => void): Gateway
  /** As `openGateway`, with the environment's secret, which stays inside; undefined without it. */
  openEnvironmentGateway(onDate?: (date: string) => void): Gateway | undefined
}
