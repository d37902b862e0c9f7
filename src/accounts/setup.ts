/** What the flows about accounts ask of the host: how the store is set up. */
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
  /** Registered with Medusa and enabled, whoever's they are. */
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
