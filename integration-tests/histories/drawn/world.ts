/** What everybody in a drawn history acts on. */
import type { Temper } from "../../../packages/simulator/src"
import type { Simulator } from "../../../packages/simulator/src"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import type { Onlooker } from "../onlooker"
import type { ClientSecret } from "./account-reads"
import type { DrivenClock } from "./clock"
import type { DrivenLedger } from "./ledger"
import type { Medusa } from "./medusa"
import type { MerchantRules } from "./merchant-rules"
import type { MeantPayouts } from "./payouts"
import type { News } from "./news"
import type { Processes } from "./processes"
import type { Release } from "./release"
import type { Setting } from "./settings"

export type World = {
  readonly setting: Setting
  /** How the gateway writes its answers. */
  readonly wire: Temper
  readonly ledger: DrivenLedger
  readonly clock: DrivenClock
  readonly simulator: Simulator
  /** As the merchant's portal calls it: with the secret that the gateway takes. */
  readonly portal: () => Gateway
  readonly secret: ClientSecret
  readonly medusa: Medusa
  readonly processes: Processes
  /** Whoever looks at pages, and waits for nobody's turn. */
  readonly onlooker: Onlooker
  /** The job that tells people, and what they were told. */
  readonly news: News
  /** What a flow is given that waits for nobody's turn, while nobody is at work. */
  readonly offDuty: () => FlowDeps
  /** What admins have meant to pay out. */
  readonly payouts: MeantPayouts
  /** What they want of the account. */
  readonly rules: MerchantRules
  /** References of refunds that were made in the merchant's portal. */
  readonly portalRefunds: Set<string>
  /** What no flow may do: an error that is no refusal, a schedule that does not end. */
  readonly surprises: string[]
  readonly logged: string[]
}

export type Flow = (deps: FlowDeps, release: Release) => Promise<unknown>
