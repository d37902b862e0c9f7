/** What the flows about accounts are given besides what every flow is. */
import type { SecretBox } from "../core/secret-box"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import type { SetupHost } from "./setup"

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
  readonly box: SecretBox
  readonly setup: SetupHost
  readonly environment: EnvironmentAccount
  /** A client that nothing else uses; whoever opens it closes it. Throws for a wrong address. */
  openGateway(client: ClientFacts, onDate?: (date: string) => void): Gateway
  /**
   * The environment's secret stays inside: a client of it, as `openGateway`; undefined where there
   * is none.
   */
  openEnvironmentGateway(onDate?: (date: string) => void): Gateway | undefined
}
