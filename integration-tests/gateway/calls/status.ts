/** Calls of `gateway.status`. */
import { REFERENCE } from "./call-case"
import type { CallCase } from "./call-case"
import { EXECUTION, PAYOUT_EXECUTION, REFUND_EXECUTION, TRANSFER_EXECUTION } from "./executions"

export const SOURCE = {
  source_id: 301,
  source_type: "ORDER",
  source_number: "ORD-2026-00301",
  status: "PAID",
  currency: "USD",
  total_amount: 42.5,
  paid_at: "2026-06-01T10:05:00Z",
}

export const STATUS_CALLS: readonly CallCase[] = [
  {
    operation: "status.collection",
    body: EXECUTION,
    run: (gateway, options) => gateway.status.collection(REFERENCE, options),
  },
  {
    operation: "status.payout",
    body: PAYOUT_EXECUTION,
    run: (gateway, options) => gateway.status.payout(REFERENCE, options),
  },
  {
    operation: "status.transfer",
    body: TRANSFER_EXECUTION,
    run: (gateway, options) => gateway.status.transfer(REFERENCE, options),
  },
  {
    operation: "status.refund",
    body: REFUND_EXECUTION,
    run: (gateway, options) => gateway.status.refund(REFERENCE, options),
  },
  {
    operation: "status.source",
    body: SOURCE,
    run: (gateway, options) =>
      gateway.status.source({ sourceType: "ORDER", sourceId: 301 }, options),
  },
]
