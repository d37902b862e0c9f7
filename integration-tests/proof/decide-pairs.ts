/**
 * Any operation with any answers of the gateway, and what `decide` may never make of them. The
 * rules stand here a second time, in the words of the promises, and know nothing of how it decides.
 */
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { decide } from "../../src/core/decide/collection"
import type { Decision, Findings } from "../../src/core/decide/decision"
import { LIMITS } from "../../src/core/limits"
import {
  END_REASONS,
  isPush,
  REVIEW_REASONS,
  stateAfter,
  STATES,
  type Operation,
} from "../../src/core/operation"
import {
  afterNoon,
  aHostedOperation,
  anOperation,
  DAY,
  HOUR,
  MINUTE,
  money,
  SECOND,
} from "../support/an-operation"

/** When the operations were read; every age is measured against it. */
const READ_AT = afterNoon(10 * SECOND)
const before = (ms: number) => new Date(READ_AT.getTime() - ms)

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
/** Around the moments at which something changes, and in between. */
const ages = fc.oneof(
  fc.constantFrom(
    0,
    LIMITS.failedSecondCheckMs - 1,
    LIMITS.failedSecondCheckMs,
    LIMITS.absentWitnessedAfterMs - 1,
    LIMITS.absentWitnessedAfterMs,
    LIMITS.resendEveryMs - 1,
    LIMITS.resendEveryMs,
    LIMITS.neverLandedAfterMs - 1,
    LIMITS.neverLandedAfterMs,
    LIMITS.collectionAskMs,
  ),
  fc.nat(HOUR),
  fc.nat(8 * DAY),
)
const moments = ages.map(before)
const totals = fc.oneof(
  fc.constant(money(1_999)),
  fc.constantFrom(money(1_998), money(2_000), money(1_999, "LRD"), money(0)),
  fc.nat(5_000).map((minor) => money(minor)),
)

const unanswered = fc.oneof(
  fc.constantFrom(
    { kind: "absent" } as const,
    { kind: "refused" } as const,
    { kind: "unknown" } as const,
  ),
  fc.record({ kind: fc.constant("later" as const), afterMs: maybe(fc.nat(MINUTE)) }),
)
const executions = fc.oneof(
  unanswered,
  fc.record({
    kind: fc.constant("seen" as const),
    status: fc.constantFrom("PENDING", "PROCESSING", "COMPLETED", "COMPLETED", "FAILED", "ODD"),
  }),
)
const sources = fc.oneof(
  unanswered,
  fc.record({
    kind: fc.constant("seen" as const),
    status: fc.constantFrom("IDLE", "ACTIVE", "PROCESSING", "PAID", "PAID", "CANCELED", "ODD"),
    total: totals,
  }),
)

const findings: fc.Arbitrary<Findings> = fc.record(
  {
    execution: executions,
    source: sources,
    isAmountStale: fc.boolean(),
    sourceOwner: fc.constantFrom("this", "another", "unsure"),
  },
  { requiredKeys: [] },
)

const operations: fc.Arbitrary<Operation> = fc
  .record({
    isHosted: fc.boolean(),
    given: fc.record({
      state: fc.constantFrom(...STATES),
      amount: totals.filter(({ minor }) => minor > 0n),
      collected: fc.constantFrom(null, null, null, money(1_999)),
      lastSending: fc.constantFrom("sending", "accepted", "in_doubt", "not_sent", "refused"),
      sendings: fc.integer({ min: 1, max: 3 }),
      lastSentAt: moments,
      submittedAt: moments,
      createdAt: moments,
      expiresAt: fc.integer({ min: -DAY, max: HOUR }).map((ms) => before(-ms)),
      absentAt: orNull(moments),
      failedAt: orNull(moments),
      contradictedAt: orNull(moments),
      recordedAt: orNull(moments),
      closing: fc.constantFrom(null, null, "never_landed", "canceled", "window_closed"),
      sourceStatus: fc.constantFrom("ACTIVE", "IDLE", "PROCESSING", "CANCELED", "PAID", null),
      sourceId: fc.constantFrom(30_001, 30_001, null),
    }),
    isUnsent: fc.boolean(),
  } as const)
  .map(({ isHosted, given, isUnsent }) => {
    const isEnded = given.state === "failed" || given.state === "expired"
    if (isHosted) return aHostedOperation({ ...given, lastSending: null, lastSentAt: null })
    return anOperation({ ...given, ...(isUnsent && isEnded ? { reference: null } : {}) })
  })

export const pairs = fc.tuple(operations, findings)

/** @returns a sentence for each rule that `decide` breaks over these facts */
export function brokenRules(operation: Operation, given: Findings): string[] {
  const decision = decide(operation, given)
  const isSure = isDeepStrictEqual(decision, decide(operation, given))
  return [
    ...(isSure ? [] : ["the same facts are decided in two ways"]),
    ...rulesBrokenBy(operation, given, decision),
  ]
}

/** The same of a decision, whoever made it. */
export function rulesBrokenBy(operation: Operation, given: Findings, decision: Decision): string[] {
  return [
    ...aboutForm(operation, decision),
    ...aboutMoney(operation, given, decision),
    ...aboutEnds(operation, given, decision),
    ...aboutSending(operation, given, decision),
    ...aboutTime(operation, decision),
  ]
}

function aboutForm({ state }: Operation, { event, action, reason }: Decision): string[] {
  const known: readonly string[] = [...END_REASONS, ...REVIEW_REASONS]
  const after = event && stateAfter(state, event)
  const needsReason = after === "review" || after === "failed" || after === "expired"
  const isQuiet = state === "drafted" || state === "review" || state === "completed"
  return [
    ...(event && !after ? [`${state} has no ${event}`] : []),
    ...(event && action ? [`${event} while ${action} is still to be done`] : []),
    ...(needsReason && reason === undefined ? [`${event} without a reason`] : []),
    ...(reason !== undefined && !known.includes(reason) ? [`the reason ${reason} is none`] : []),
    ...(isQuiet && (event ?? action) ? [`${state} is moved by an answer: ${event ?? action}`] : []),
  ]
}

function aboutMoney(operation: Operation, given: Findings, { event, reason }: Decision): string[] {
  if (event !== "complete") return []
  const { execution, source } = given
  if (source?.kind !== "seen" || source.status !== "PAID") return ["money without a paid source"]
  const isEqual =
    source.total.minor === operation.amount.minor &&
    source.total.currency === operation.amount.currency
  if (operation.state === "failed" || operation.state === "expired") {
    return (reason === "late_payment") === isEqual ? [] : ["late money under a wrong reason"]
  }
  const isAgreed =
    !isPush(operation) || (execution?.kind === "seen" && execution.status === "COMPLETED")
  return [
    ...(isEqual ? [] : ["completed with another amount or currency"]),
    ...(isAgreed ? [] : ["completed without the execution's word"]),
  ]
}

function aboutEnds(operation: Operation, given: Findings, { event }: Decision): string[] {
  const { execution, source } = given
  const sourceReads = source?.kind === "seen" ? source.status : undefined
  if (event === "fail") {
    const isSecond =
      operation.failedAt !== null &&
      READ_AT.getTime() - operation.failedAt.getTime() >= LIMITS.failedSecondCheckMs
    const isSeen = execution?.kind === "seen" && execution.status === "FAILED"
    const isMoving =
      sourceReads === "PROCESSING" || (sourceReads === "PAID" && given.sourceOwner !== "another")
    return [
      ...(isSeen ? [] : ["failed without FAILED"]),
      ...(isSecond ? [] : ["failed by one look"]),
      ...(isMoving || sourceReads === undefined
        ? ["failed though its source may take the money"]
        : []),
    ]
  }
  if (event === "expire") {
    return sourceReads === "CANCELED" ? [] : ["expired while payable"]
  }
  return []
}

function aboutSending(operation: Operation, given: Findings, { action }: Decision): string[] {
  if (action !== "resend") return []
  const { source } = given
  const agoMs = (moment: Date | null) => (moment ? READ_AT.getTime() - moment.getTime() : 0)
  const isPayable = source?.kind === "seen" && ["ACTIVE", "IDLE"].includes(source.status)
  const isLongAgo =
    agoMs(operation.absentAt) >= LIMITS.absentConfirmAfterMs &&
    agoMs(operation.lastSentAt) >= LIMITS.resendEveryMs
  const isWitnessed = isPayable
    ? agoMs(operation.absentAt) >= LIMITS.absentWitnessedAfterMs
    : source !== undefined && source.kind !== "seen" && isLongAgo
  const hadLeft = operation.lastSending !== "not_sent"
  const isSoon = !hadLeft && agoMs(operation.lastSentAt) < LIMITS.waitingCheckFloorMs
  const wasAnswered = operation.state === "in_flight" || operation.lastSending === "accepted"
  return [
    ...(isPush(operation) ? [] : ["there is nothing to send for a page"]),
    ...(given.execution?.kind === "absent" ? [] : ["sent again though it may be known"]),
    ...(operation.expiresAt.getTime() > READ_AT.getTime() ? [] : ["sent after the time to pay"]),
    ...(isSoon ? ["sent again too soon"] : []),
    ...(hadLeft && !isWitnessed ? ["sent again without a witness"] : []),
    ...(wasAnswered ? ["sent again though the gateway has answered for it"] : []),
  ]
}

function aboutTime(operation: Operation, { event, action, next }: Decision): string[] {
  const isOpen = operation.state === "submitted" || operation.state === "in_flight"
  const submittedAgoMs = READ_AT.getTime() - (operation.submittedAt?.getTime() ?? 0)
  const isOver = isOpen && submittedAgoMs >= LIMITS.collectionAskMs
  const isBounded = next.kind !== "in" || (next.ms >= 0 && next.ms <= LIMITS.collectionAskMs)
  return [
    ...(isBounded ? [] : ["the next look is at no time, or too far"]),
    ...(isOver && !event && !action ? ["asked for ever"] : []),
  ]
}
