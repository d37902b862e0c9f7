/**
 * What is to be written of a decision, when the operation is checked again, and whether that check
 * uses one of the schedule up. Pure: `check.ts` writes it, under the lease that it holds.
 */
import type { Decision, Findings } from "../core/decide/decision"
import { majorText } from "../core/money"
import { hasEnded, type Operation } from "../core/operation"
import type { SecretBox } from "../core/secret-box"
import { leftOfWatchMs, nextWatchInMs, type Pace } from "../core/schedule"
import type { Advance, Changes } from "../ledger/advance-operation"
import type { Postponement } from "../ledger/postpone-operation"
import type { Learned } from "./collection"
import { otherFacts } from "./execution-changes"
import { KINDS } from "./kinds"
import { amountFacts } from "./moved-amounts"

export type Verdict =
  | { readonly kind: "postpone"; readonly postponement: Postponement }
  | { readonly kind: "write"; readonly advance: Advance }

type Using = { readonly roll: () => number; readonly pace: Pace; readonly box: SecretBox }

/** @param roll a number from 0 to 1, asked for where a gap is spread */
export function verdictOn(
  operation: Operation,
  decision: Decision,
  learned: Learned,
  { roll, pace, box }: Using,
): Verdict {
  const { event, code } = decision
  const changes = changesOf(operation, decision, learned, box)
  const { inMs, isCounted } = nextOf(operation, decision, pace, roll)
  if (event === undefined && Object.keys(changes).length === 0) {
    const wasAnswered = learned.execution !== undefined || learned.source !== undefined
    return { kind: "postpone", postponement: { inMs: inMs ?? null, wasAnswered, isCounted } }
  }
  // An end starts the watch's own count, from before its first check where one comes earlier;
  // completed money starts the count of settling.
  const begun = event === "expire" && decision.next.kind === "in" ? -1 : 0
  const checks = event && event !== "see" ? begun : operation.checks + (isCounted ? 1 : 0)
  return {
    kind: "write",
    advance: {
      event: event ?? { note: noteOf(decision, learned) },
      code,
      facts: factsOf(operation, decision, learned),
      changes: { ...changes, checkedAt: true, checks },
      next: inMs === undefined ? "never" : { inMs },
      lease: "release",
    },
  }
}

function changesOf(
  operation: Operation,
  decision: Decision,
  learned: Learned,
  box: SecretBox,
): Changes {
  const { marks, event, reason } = decision
  const kind = KINDS[operation.type]
  const { absentAt, failedAt, contradictedAt } = operation
  const isDoneInTime = event === "complete" && reason === undefined
  // It said FAILED and then PROCESSING again: the reason that the shopper was shown is taken back.
  const isTakenBack = marks?.failed === false && failedAt !== null
  return {
    ...(learned.execution && kind.learned(operation, learned.execution, box)),
    ...kind.concluded?.(operation, decision, learned),
    ...(reason !== undefined && reason !== operation.reason ? { reason } : {}),
    ...(isDoneInTime || isTakenBack ? { reason: null } : {}),
    ...(marks?.absent === "anew"
      ? { absentAt: true }
      : marked("absentAt", marks?.absent, absentAt)),
    ...marked("failedAt", marks?.failed, failedAt),
    ...marked("contradictedAt", marks?.contradicted, contradictedAt),
    ...(marks?.closing === null ? { closing: null } : {}),
  }
}

/** A mark that is set stays as it was: what counts is when it was first seen so. */
function marked(
  column: "absentAt" | "failedAt" | "contradictedAt",
  mark: boolean | undefined,
  since: Date | null,
): Changes {
  return mark === undefined || mark === (since !== null) ? {} : { [column]: mark }
}

function factsOf(
  operation: Operation,
  decision: Decision,
  { findings, execution }: Learned,
): Readonly<Record<string, unknown>> {
  return {
    execution: findings.execution && describe(findings.execution),
    source: findings.source && describe(findings.source),
    ...sourceTotal(decision, findings),
    ...(findings.execution && amountFacts(findings.execution, execution)),
    ...(KINDS[operation.type].keepsOtherFields
      ? otherFacts(operation, execution, decision.event)
      : {}),
  }
}

/** What the gateway asks for, where it is not what was asked for: for an admin. */
function sourceTotal({ reason }: Decision, { source }: Findings): object {
  const isOdd = reason === "amount_mismatch" || reason === "currency_mismatch"
  if (!isOdd || source?.kind !== "seen") return {}
  return { source_total: `${majorText(source.total)} ${source.total.currency}` }
}

/** `inMs` undefined: never again. */
function nextOf(
  operation: Operation,
  decision: Decision,
  pace: Pace,
  roll: () => number,
): { readonly inMs: number | undefined; readonly isCounted: boolean } {
  const { next } = decision
  const leftMs = leftOfWatchMs(operation)
  if (next.kind === "watch" && decision.event === undefined && leftMs > 0) {
    return { inMs: Math.min(leftMs, next.atMostMs ?? leftMs), isCounted: false }
  }
  const inMs = nextInMs(operation, decision, pace, roll())
  if (next.kind !== "watch" || next.atMostMs === undefined) {
    return { inMs, isCounted: next.kind !== "in" }
  }
  const isSooner = inMs === undefined || next.atMostMs < inMs
  return isSooner ? { inMs: next.atMostMs, isCounted: false } : { inMs, isCounted: true }
}

function nextInMs(
  operation: Operation,
  { next, event }: Decision,
  pace: Pace,
  fraction: number,
): number | undefined {
  const { nextCheckMs } = KINDS[operation.type]
  switch (next.kind) {
    case "now":
      return 0
    case "in":
      return next.ms
    case "schedule":
      if (hasEnded(operation) || event === "doubt" || event === "complete") return undefined
      return nextCheckMs(operation, fraction, pace)
    case "watch":
      if (event === "fail") return nextWatchInMs("failed", 0, fraction)
      if (event === "expire") return nextWatchInMs("expired", 0, fraction)
      if (operation.state === "failed" || operation.state === "expired") {
        return nextWatchInMs(operation.state, operation.checks + 1, fraction)
      }
      return nextCheckMs(operation, fraction, pace)
  }
}

function noteOf({ marks }: Decision, { findings }: Learned): string {
  if (marks?.failed) return "failed_once"
  return findings.execution?.kind === "absent" ? "absent" : "seen"
}

function describe(finding: NonNullable<Findings["execution"] | Findings["source"]>): string {
  return finding.kind === "seen" ? finding.status : finding.kind
}
