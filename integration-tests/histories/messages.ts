/** What the referee and a worker process say to each other, over the pipe between them. */
import type { Resolution } from "../../src/review/resolve-collection"
import type { MedusaPort, MedusaRefunds } from "../../src/engine/medusa-port"
import type { PayoutRequest } from "../../src/payouts/request-payout"
import type { TransferRequest } from "../../src/payouts/request-transfer"
import type { StartRequest } from "../../src/checkout/context"
import type { Passed } from "../support/moments"
import type { Pace } from "./pace"
import type { Cut } from "./database-line"
import type { Death } from "./death"
import type { RefundWriting } from "./medusa-refund"

/** The harness of one scenario, as a worker needs it. */
export type Opening = {
  readonly gatewayUrl: string
  /** Divides the waiting times of deadlines, for scripts in which the gateway never answers. */
  readonly speed: number
  readonly death: Death | null
  /** It tells of each exit that it passes. */
  readonly isRehearsed?: boolean
  /** The wall clock of a harness that goes faster; null: the machine's own. */
  readonly pace?: Pace | null
}

export type Act =
  | { readonly act: "open"; readonly opening: Opening }
  | { readonly act: "start"; readonly request: StartRequest }
  /** Medusa has made its row, and asks the provider. */
  | { readonly act: "refund"; readonly rowId: string }
  /** An admin has the first refund that failed made once more. */
  | { readonly act: "retry" }
  | { readonly act: "resolve"; readonly resolution: Resolution }
  | { readonly act: "payout"; readonly request: PayoutRequest }
  | { readonly act: "transfer"; readonly request: TransferRequest }
  /** Another admin approves a payout or transfer that waits. */
  | { readonly act: "approve"; readonly requestId: string; readonly adminId: string }
  | { readonly act: "cancel"; readonly sessionId: string }
  | { readonly act: "methods"; readonly cartId: string }
  | { readonly act: "link"; readonly orderId: string }
  /** An admin is about to cancel the order; the guard before Medusa's route. */
  | { readonly act: "may cancel"; readonly orderId: string }
  /** What Medusa's event says of an order. */
  | { readonly act: "order canceled"; readonly orderId: string }
  | { readonly act: "order changed"; readonly orderId: string }
  | { readonly act: "status"; readonly sessionId: string }
  /** Its account has another client of the same merchant now, and the first one is revoked. */
  | { readonly act: "rotate" }
  /** Its account is another merchant's at another gateway now; the first client is kept. */
  | { readonly act: "move"; readonly gatewayUrl: string }
  | { readonly act: "check" }
  /** The sweep's part that looks for refunds in Medusa's records that nobody has sent. */
  | { readonly act: "mend" }
  | { readonly act: "pace"; readonly pace: Pace }
  /** Its line to the database breaks at its next statement. */
  | { readonly act: "cut"; readonly when: Cut }

export type Announced = { readonly name: string; readonly eventId: string }

export type ToWorker =
  /** `aheadMs`: how far the gateway's clock is ahead of the machine's by now. */
  | { readonly say: "do"; readonly id: number; readonly act: Act; readonly aheadMs: number }
  | { readonly say: "host_answered"; readonly id: number; readonly value: unknown }
  | {
      readonly say: "host_failed"
      readonly id: number
      readonly message: string
      /** By a rule of Medusa's, and no fault. */
      readonly isRefusal: boolean
    }

/** What a process asks of Medusa. */
export type Question = keyof MedusaPort | keyof MedusaRefunds | keyof RefundWriting

export type FromWorker =
  | { readonly say: "done"; readonly id: number; readonly checked: number }
  /** A refusal is an answer, with the code of the store routes. */
  | { readonly say: "refused"; readonly id: number; readonly code: string }
  | { readonly say: "failed"; readonly id: number; readonly message: string }
  | { readonly say: "stopping" }
  /** It got SIGTERM, and ends. */
  | { readonly say: "ending" }
  | { readonly say: "cut" }
  | { readonly say: "passed"; readonly passed: Passed }
  /** The shop's subscribers heard it: the name, and which event of the ledger it is. */
  | { readonly say: "announced"; readonly told: readonly Announced[] }
  | {
      readonly say: "ask_host"
      readonly id: number
      readonly question: Question
      readonly given: readonly unknown[]
    }
