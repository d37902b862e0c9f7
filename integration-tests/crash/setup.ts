/** What a scenario is made of, and the gateway that plays it. */
import type { Simulator } from "../../packages/simulator/src"
import type { FaultEntry } from "../../packages/simulator/src/faults"
import type { Death } from "../histories/death"
import type { Reader } from "../histories/reader"
import type { WorkerProcess } from "../histories/worker-process"
import type { LedgerDatabase } from "../support/ledger-database"
import type { MedusaFaultAtWork } from "./medusa-faults"
import type { Script } from "./scripts"
import { openSimulator } from "../histories/gateway"
import { PASSCODE, ROTATED_ID, ROTATED_SECRET } from "../histories/secrets"

/** The processes of a scenario, and who reads its pages. */
export type Cast = {
  readonly ledger: LedgerDatabase
  readonly victim: WorkerProcess
  readonly survivors: readonly WorkerProcess[]
  readonly reader: Reader
}

/** What the shopper does whose `start` died: presses again at once, a little later, or never. */
export type Shopper = "at once" | "later" | "never"

export type Setup = {
  readonly seed: string
  readonly script: Script
  readonly faults: Readonly<Record<string, readonly FaultEntry[]>>
  readonly isDocumentFirst: boolean
  readonly isOrderFirst: boolean
  /** Null: none dies. */
  readonly death: Death | null
  readonly isRehearsed: boolean
  readonly medusaFault: MedusaFaultAtWork
  readonly shopper: Shopper
  /** How often Medusa refuses to complete the cart. */
  readonly medusaRefuses: number
  /** How often it refuses to write a refund, or to take one out. */
  readonly medusaRefusesRefunds: number
  /** By a rule, each time. */
  readonly medusaRefusesByRule: boolean
  readonly isRefundFailedLate: boolean
  readonly isOrphanRefunded: boolean
  /** What a source reads while its prompt waits; undefined: `PROCESSING`. */
  readonly promptedSource: "ACTIVE" | undefined
  readonly isRepeatRefused: boolean
  /** Of a checkout session; undefined: far longer than a scenario wants one. */
  readonly sessionLifeMs: number | undefined
}

/** So much later the payer says yes, or a refund that was refused comes back as failed. */
export const APPROVED_AFTER_MS = 20_000
/** A payment that nobody answers is checked some sixty times in its three days. */
export const CHECKS_MAX = 200
/** How often a shopper presses who hears that the payment service does not answer. */
export const TRIES = 4

export async function openGateway(setup: Setup, nowMs: () => number): Promise<Simulator> {
  const simulator = await openSimulator(setup.seed, nowMs, {
    passcode: PASSCODE,
    merchants: [
      { ownerId: 1, name: "Rotated", clientId: ROTATED_ID, clientSecret: ROTATED_SECRET },
    ],
    ...(setup.promptedSource === undefined ? {} : { promptedSource: setup.promptedSource }),
    ...(setup.isRepeatRefused ? { repeatedExecution: "REFUSE" } : {}),
    // The processes' own clocks do not leap.
    tokenLifeMinutes: 10_000_000,
    newSourceStatus: setup.isDocumentFirst ? "IDLE" : "ACTIVE",
    ...(setup.sessionLifeMs === undefined ? {} : { sessionLifeMs: setup.sessionLifeMs }),
  })
  simulator.plan({ outcome: "approve", afterMs: APPROVED_AFTER_MS })
  const { outcome, refundOutcome } = setup.script
  if (refundOutcome) {
    simulator.plan({ operationType: "REFUND", outcome: refundOutcome, afterMs: 500, times: 1 })
  }
  if (setup.isRefundFailedLate) {
    const afterMs = APPROVED_AFTER_MS
    simulator.plan({ operationType: "REFUND", outcome: "decline", afterMs, times: 1 })
  }
  if (outcome) simulator.plan({ outcome, afterMs: APPROVED_AFTER_MS, times: 1 })
  for (const [operation, entries] of Object.entries(setup.faults)) {
    simulator.faults.script(operation, entries)
  }
  return simulator
}
