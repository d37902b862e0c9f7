/**
 * What the states of executions and sources mean for the money. Which words are which state is read
 * by the gateway's client.
 */
import { bareWord } from "../../../packages/gateway/src/terms/state-words"
import type { EndReason } from "../operation"

export * from "../../../packages/gateway/src/terms/state-words"

/** The state says that no money is there; whether it ever came is another question. */
export function isWithoutMoney(status: string): boolean {
  return status === "FAILED" || status === "REVERSED"
}

const REASONS: Readonly<Partial<Record<string, EndReason>>> = {
  CANCELLED: "canceled",
  CANCELED: "canceled",
  ABORTED: "canceled",
  REJECTED: "declined",
  DECLINED: "declined",
  DENIED: "declined",
  EXPIRED: "window_closed",
  TIMEDOUT: "window_closed",
  TIMEOUT: "window_closed",
}

/** Why an execution ended, if its word says more than that it ended. */
export function reasonInWord(said: string): EndReason | undefined {
  return REASONS[bareWord(said)]
}

/**
 * The state of an execution, receipt or source says that the money went back. States are an open
 * list, so each word with one of these parts counts.
 */
export function isTakenBack(status: string): boolean {
  return /REFUND|REVERS|CHARGE_?BACK/i.test(status)
}

/** Final, as far as the execution itself can say. */
export function isEndOfExecution(status: string): boolean {
  return status === "COMPLETED" || isWithoutMoney(status)
}
