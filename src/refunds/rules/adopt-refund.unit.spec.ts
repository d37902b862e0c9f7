import { anOperation } from "../../../integration-tests/support/an-operation"
import { isOnItsWay, markedRefund, refundMark, existingOf, type Existing } from "./adopt-refund"
import type { MedusaOperation } from "../../core/operation"

const at = new Date("2026-11-22T09:00:00Z")
const click = { rowId: "ref_now", amount: "22.20592", ageMs: 0 }

const aRefund = (given: Partial<MedusaOperation>): MedusaOperation =>
  anOperation({
    type: "REFUND",
    medusaAmount: "22.205920",
    medusaRefundId: "ref_before",
    readAt: new Date(at.getTime() + 1_000),
    ...given,
  })

const ON_ITS_WAY = { state: "in_flight" } as const
const FAILED_ONCE = { state: "in_flight", failedAt: at } as const
const ANSWERED = { answeredAt: at } as const

type Row = readonly [
  what: string,
  refund: Partial<MedusaOperation>,
  isShown: boolean,
  existing: Existing,
]

describe("a refund of the same amount", () => {
  it.each<Row>([
    // Bound to no row of Medusa's: nothing shows it.
    ["accepted", ON_ITS_WAY, false, "adopt"],
    [
      "accepted, never asked for by Medusa",
      { ...ON_ITS_WAY, medusaRefundId: null },
      false,
      "adopt",
    ],
    ["accepted and answered", { ...ON_ITS_WAY, ...ANSWERED }, false, "adopt"],
    ["completed", { state: "completed" }, false, "adopt"],
    ["a draft", { state: "drafted" }, false, "in_progress"],
    ["sent, of which nothing is known", { state: "submitted" }, false, "in_progress"],
    ["sent, of which nothing is known", { state: "submitted", failedAt: at }, false, "in_progress"],
    ["failed once, looked at again soon", FAILED_ONCE, false, "in_progress"],
    ["before a person", { state: "review" }, false, "under_review"],
    ["failed", { state: "failed" }, false, "another"],
    ["expired", { state: "expired" }, false, "another"],
    ["gone back after it had failed", { state: "review", isDuplicate: true }, false, "another"],
    [
      "accepted as a duplicate payment",
      { state: "completed", isDuplicate: true },
      false,
      "another",
    ],
    // Bound to a row that Medusa has.
    ["accepted, its answer still to come", ON_ITS_WAY, true, "in_progress"],
    ["sent, its answer still to come", { state: "submitted" }, true, "in_progress"],
    ["accepted and answered", { ...ON_ITS_WAY, ...ANSWERED }, true, "another"],
    ["completed and answered", { state: "completed", ...ANSWERED }, true, "another"],
    ["failed, still to be put right", { state: "failed", ...ANSWERED }, true, "another"],
    // Asked again under the row that it is bound to.
    ["its own, accepted", { ...ON_ITS_WAY, medusaRefundId: "ref_now" }, true, "adopt"],
    ["its own, unknown", { state: "submitted", medusaRefundId: "ref_now" }, true, "in_progress"],
  ])("[B20] %s (%j, shown: %s) stands as %s", (_, refund, isShown, existing) => {
    expect(existingOf(aRefund(refund), click, isShown)).toBe(existing)
  })
})

it("one that was answered after the click may be what is asked for, shown or not", () => {
  const readAt = new Date(at.getTime() + 5_000)
  const before = aRefund({ ...ON_ITS_WAY, ...ANSWERED, readAt })
  for (const isShown of [true, false]) {
    expect(existingOf(before, { ...click, ageMs: 5_001 }, isShown)).toBe("in_progress")
  }
  expect(existingOf(before, { ...click, ageMs: 4_999 }, true)).toBe("another")
  expect(existingOf(before, { ...click, ageMs: 4_999 }, false)).toBe("adopt")
  const own = aRefund({ ...before, medusaRefundId: click.rowId })
  expect(existingOf(own, { ...click, ageMs: 5_001 }, true)).toBe("adopt")
})

it("a refund of another amount is another, by the exact amount that was asked for", () => {
  for (const medusaAmount of ["22.20591", "22.21", "22"]) {
    expect(existingOf(aRefund({ ...ON_ITS_WAY, medusaAmount }), click, false)).toBe("another")
  }
})

it("a collection is no refund on its way", () => {
  expect(isOnItsWay(anOperation({ state: "completed" }))).toBe(false)
})

it("the job's mark names its refund, and nobody else's id does", () => {
  expect(markedRefund(refundMark("mpop_1"))).toBe("mpop_1")
  for (const createdBy of [null, "", "user_1", "mp_operation", "x mp_operation:mpop_1"]) {
    expect(markedRefund(createdBy)).toBeUndefined()
  }
})
