import type { GatewayErrorCode } from "./errors"
import type { OperationName } from "./operations"
import type { Outcome } from "./outcome"

/** One finished method call, for metrics and tests. */
export type CallReport = {
  readonly operation: OperationName
  readonly ms: number
  readonly kind: Outcome<unknown>["kind"]
  readonly code?: GatewayErrorCode
}
