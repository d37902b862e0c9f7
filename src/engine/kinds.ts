/**
 * What differs between the types of operation, one row for each. Sending (`send.ts`) and checking
 * (`check.ts`) are the same for all of them. A new type is a new row.
 */
import { decide } from "../core/decide/collection"
import type { Decision, ExecutionFinding, Findings } from "../core/decide/decision"
import { decidePayout, decideRefund } from "../core/decide/money-out"
import type { GatewaySessionId, Reference } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Operation, OperationType } from "../core/operation"
import type { SecretBox } from "../core/secret-box"
import { nextCheckInMs, nextRefundCheckInMs } from "../core/schedule"
import type { CallOptions, Execution, Failure, Gateway, Outcome } from "../gateway"
import { advanceOperation, type Advance, type Changes } from "../ledger/advance-operation"
import { advanceRefund, type RefundAdvance } from "../ledger/advance-refund"
import type { Database } from "../ledger/database"
import { askExecution, askPayout, askRefund, askTransfer, type Asked } from "./ask-gateway"
import { cardSecretIn } from "./card-secret"
import {
  concludedOf,
  renewSession,
  sourceQuestions,
  type Asking,
  type Learned,
  type SourceQuestions,
} from "./collection"
import type { FlowDeps, MoneyDeps } from "./deps"
import { executionChanges, withAmounts } from "./execution-answer"
import { refusedExecution, unconfirmedMoneyOut, type Refused } from "./gateway-refusal"

/** The operation as written, and a refund's collection if that was written, too. */
export type Written = { readonly operation: Operation; readonly parent?: Operation | undefined }

export type Patience = CallOptions["patience"]

export type Kind = {
  /** The word for it in log lines. */
  readonly word: string
  /** Asks for its execution under its reference. */
  ask(
    gateway: Gateway,
    reference: Reference | null,
    options?: CallOptions,
  ): Promise<Asked<ExecutionFinding, Execution>>
  /** Compares an answer's amounts with what was asked for. Absent: the amounts decide nothing. */
  readonly withAmounts?: typeof withAmounts
  /** Moves the money. Undefined: the row lacks what the call needs. Absent: never sent again. */
  execute?(
    gateway: Gateway,
    operation: Operation,
    patience: Patience,
  ): Promise<Outcome<Execution> | undefined>
  /** Replaces a gateway session that the gateway refused. Undefined: no other one was opened. */
  renewSession?(
    deps: MoneyDeps,
    gateway: Gateway,
    operation: Operation,
    outcome: Outcome<Execution>,
  ): Promise<GatewaySessionId | undefined>
  /** Says why the gateway refused the execution. */
  refused(failure: Failure): Refused
  decide(operation: Operation, findings: Findings): Decision
  /** What an answer about its execution adds to the ledger. */
  learned(operation: Operation, execution: Execution, box: SecretBox): Changes
  /** What all answers of a check together add to the ledger. */
  concluded?(operation: Operation, decision: Decision, learned: Learned): Changes
  /** The questions to its source, which is a second witness. Absent: it has no source. */
  source?(
    deps: MoneyDeps & Pick<FlowDeps, "medusa">,
    gateway: Gateway,
    asking: Asking,
  ): SourceQuestions
  /** Milliseconds until the first check after a sending. `status`: the gateway's answer, if any. */
  firstCheckMs(status?: string): number
  /** Milliseconds until the next check of an operation that is under way. */
  nextCheckMs(operation: Operation, fraction: number, askedMs: number): number
  advance(
    database: Database,
    operation: Operation,
    advance: Advance & RefundAdvance,
  ): Promise<Written | undefined>
}

const COLLECTION: Kind = {
  word: "payment",
  ask: askExecution,
  async execute(gateway, operation, patience) {
    const { reference: referenceId, gatewaySessionId: sessionId, paymentAccountId } = operation
    const { payerCurrency: currency } = operation
    if (!referenceId || sessionId === null || paymentAccountId === null || !currency) {
      return undefined
    }
    const request = { sessionId, paymentAccountId, currency, referenceId }
    return gateway.executions.collection(request, { patience })
  },
  renewSession,
  refused: refusedExecution,
  decide,
  learned: (operation, execution, box) => ({
    ...executionChanges(operation, execution),
    ...cardSecretIn(box, operation, execution),
  }),
  concluded: concludedOf,
  source: sourceQuestions,
  firstCheckMs: (status) => (status === "COMPLETED" ? 0 : LIMITS.waitingCheckFloorMs),
  nextCheckMs: nextCheckInMs,
  advance: advanceAlone,
}

const REFUND: Kind = {
  word: "refund",
  ask: askRefund,
  withAmounts,
  async execute(gateway, { gatewaySessionId: sessionId, reference: referenceId }, patience) {
    if (!referenceId || sessionId === null) return undefined
    return gateway.executions.refund({ sessionId, referenceId }, { patience })
  },
  refused: refusedExecution,
  decide: (operation, { execution }) => decideRefund(operation, execution),
  learned: withoutIntent,
  firstCheckMs: () => LIMITS.refundChecksMs[0],
  nextCheckMs: nextRefundCheckInMs,
  advance: advanceRefund,
}

const PAYOUT: Kind = {
  word: "payout",
  ask: askPayout,
  withAmounts,
  refused: unconfirmedMoneyOut,
  decide: (operation, { execution }) => decidePayout(operation, execution),
  learned(operation, execution) {
    const { payerCurrency } = execution
    const isNews = payerCurrency !== undefined && payerCurrency !== operation.payerCurrency
    return { ...withoutIntent(operation, execution), ...(isNews ? { payerCurrency } : {}) }
  },
  firstCheckMs: () => LIMITS.refundChecksMs[0],
  nextCheckMs: nextRefundCheckInMs,
  advance: advanceAlone,
}

export const KINDS: Readonly<Record<OperationType, Kind>> = {
  COLLECTION,
  REFUND,
  PAYOUT,
  TRANSFER: { ...PAYOUT, word: "transfer", ask: askTransfer },
}

async function advanceAlone(
  database: Database,
  operation: Operation,
  advance: Advance,
): Promise<Written | undefined> {
  const advanced = await advanceOperation(database, operation, advance)
  return advanced && { operation: advanced }
}

/**
 * A refund keeps the payment intent that it gives back. A payout or transfer needs none: its money
 * is never given back.
 */
function withoutIntent(operation: Operation, execution: Execution): Changes {
  const changes = executionChanges(operation, execution)
  delete changes.paymentIntentId
  return changes
}
