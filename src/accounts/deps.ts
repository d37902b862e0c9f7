/** What the flows about accounts are given besides what every flow is, such as the host's setup. */
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"

export type SetupRegion = {
  readonly id: string
  readonly name: string
  /** Upper case. */
  readonly currency: string
  /** ISO two letters, lower case. */
  readonly countries: readonly string[]
  /** All that are enabled, other plugins' too. */
  readonly providerIds: readonly string[]
}

export type HostSetup = {
  /** Registered with Medusa and enabled, other plugins' too. */
  readonly providerIds: readonly string[]
  readonly regions: readonly SetupRegion[]
  /** Upper case. */
  readonly knownCurrencies: readonly string[]
  readonly lrdDigits: number | null
}

export type SetupHost = {
  read(): Promise<HostSetup>
  /** By Medusa's own workflow: these and no others. */
  setRegionProviders(regionId: string, providerIds: readonly string[]): Promise<void>
  /** `in-memory`, or what else it is; null: not known. */
  readonly locking: string | null
  readonly workflowEngine: string | null
}

/** The account that the environment is, as this process has read it. */
export type EnvironmentAccount = {
  readonly id: string
  /** Undefined while the variables are not set, or not usable. */
  readonly account: Account | undefined
  readonly clientId: string | null
  /** Where each field comes from: a variable, an option, or `default`. */
  readonly sources: Readonly<Record<string, string>>
}

/** What a client of the gateway is made of, before anything of it is kept. */
export type ClientFacts = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

export type AccountDeps = FlowDeps & {
  readonly setup: SetupHost
  readonly environment: EnvironmentAccount
  /** A client that nothing else uses; the caller closes it. Throws for a wrong address. */
  openGateway(client: ClientFacts, onDate?: (date: string) => void): Gateway
  /** As `openGateway`, with the environment's secret, which stays inside; undefined without one. */
  openEnvironmentGateway(onDate?: (date: string) => void): Gateway | undefined
}
