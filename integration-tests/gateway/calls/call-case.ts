/** The type of a call in the table, and the values that the calls share. */
import { moneyFromMajor, parseCurrency } from "../../../src/core/money"
import type { CurrencyCode, Money } from "../../../src/core/money"
import type { CallOptions } from "../../../packages/gateway/src/call"
import type { Gateway } from "../../../packages/gateway/src/create-gateway"
import type { OperationName } from "../../../packages/gateway/src/operations"
import type { Outcome } from "../../../packages/gateway/src/outcome"

export const REFERENCE = "550e8400-e29b-41d4-a716-446655440000"
export const PHONE = "231770000001"

export function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code)
  if (!parsed) throw new Error(`${code} is no currency`)
  return parsed
}

export function money(amount: string, code = "USD"): Money {
  const parsed = moneyFromMajor(amount, currency(code))
  if (!parsed) throw new Error(`${amount} is no amount`)
  return parsed
}

export const TIMES = {
  created_at: "2026-06-01T10:00:00Z",
  updated_at: "2026-06-01T10:00:00Z",
}

type AnswerBody = Readonly<Record<string, unknown>>

export type CallCase = {
  readonly operation: Exclude<OperationName, "token.obtain">
  /** The gateway's answer; an array for a list. */
  readonly body: AnswerBody | readonly AnswerBody[]
  readonly run: (gateway: Gateway, options?: CallOptions) => Promise<Outcome<unknown>>
}
