/**
 * A refund that Medusa asked for, and what Medusa holds of it: each test names only what it is
 * about.
 */
import { refundMark } from "../../src/refunds/rules/adopt-refund"
import type { MedusaOperation } from "../../src/core/operation"
import type { Known } from "../../src/refunds/rules/decide-delivery"
import type {
  MedusaCreditLine,
  MedusaRow,
  MedusaTransaction,
  RefundRecords,
} from "../../src/core/medusa-records"
import { afterNoon, anOperation, MINUTE, SECOND } from "./an-operation"

export const aRefund = (given: Partial<MedusaOperation> = {}): MedusaOperation =>
  anOperation({
    type: "REFUND",
    state: "completed",
    medusaRefundId: "ref_1",
    medusaAmount: "19.99",
    createdAt: afterNoon(0),
    answeredAt: afterNoon(3 * SECOND),
    readAt: afterNoon(10 * MINUTE),
    ...given,
  })

export const aRow = (given: Partial<MedusaRow> = {}): MedusaRow => ({
  id: "ref_1",
  amount: "19.99",
  createdBy: "user_ada",
  ageMs: 10 * MINUTE,
  ...given,
})
export const BOUND = aRow()
export const MARKED = aRow({ id: "ref_2", createdBy: refundMark(anOperation({}).id) })
/** Of a process that died before it asked. */
export const UNOWNED = aRow({ id: "ref_9", amount: "5", ageMs: 20 * MINUTE })

export const aTransaction = (given: Partial<MedusaTransaction> = {}): MedusaTransaction => ({
  id: "ordtrx_1",
  referenceId: "ref_1",
  paymentId: "pay_1",
  amount: "19.99",
  version: 1,
  ageMs: 10 * MINUTE,
  ...given,
})

export const aCreditLine = (given: Partial<MedusaCreditLine> = {}): MedusaCreditLine => ({
  ids: ["ordcl_1"],
  rowId: null,
  amount: "19.99",
  ...given,
})

export const ORDER = { id: "order_1", isCanceled: false, version: 1, open: "0", isCounted: true }

export const shown = (given: Partial<RefundRecords> = {}): RefundRecords => ({
  paymentId: "pay_1",
  order: ORDER,
  isCollectionCounted: true,
  rows: [],
  transactions: [],
  creditLines: [],
  ...given,
})

export const known = (given: Partial<RefundRecords> = {}, refund = aRefund()): Known => ({
  records: shown(given),
  refunds: [refund],
})
