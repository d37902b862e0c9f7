/** Notes that admins type in the review are kept with the payment, without phone numbers. */
import { ofMedusa } from "../../../src/core/operation"
import { keptNote } from "../../../src/ledger/kept-note"
import type { FlowDeps } from "../../../src/engine/deps"
import { resolveOperation } from "../../../src/review/resolve"
import { useReviewHarness } from "../../support/review-harness"

const review = useReviewHarness()

it.each([
  ["called +231 77 000 0042, she agreed", "called •••042, she agreed"],
  ["called 0770-000-042", "called •••042"],
  ["231770000042 and +231770000042", "•••042 and •••042"],
  ["on 02-11-2026, order 1234, 12 500.00 LRD", "on 02-11-2026, order 1234, 12 500.00 LRD"],
  ["3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b", "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b"],
  ["01234567-8901-4345-8789-012345678901", "01234567-8901-4345-8789-012345678901"],
  ["a\0b\uD800c\nd", "a\uFFFDb\uFFFDc\nd"],
])("the note %j is kept as %j", (typed, kept) => {
  expect(keptNote(typed)).toBe(kept)
})

it("a note's phone number reaches no event, and its zero byte stops no decision", async () => {
  const { operation } = await review.late()
  await review.resolve(operation, "dismiss", { note: "rang +231 770 000 042 twice\0" })
  const [decided] = await review.decided(operation)
  expect(decided).toMatchObject({ name: "dismiss", facts: { note: "rang •••042 twice\uFFFD" } })
})

it("Medusa's refund gets the note as the plugin keeps it", async () => {
  const { operation } = await review.late()
  const { deps } = review.its()
  const notes: string[] = []
  const harness: FlowDeps = {
    ...deps,
    medusa: {
      ...deps.medusa,
      record: async (...asked: Parameters<typeof deps.medusa.record>) => ({
        ...(await deps.medusa.record(...asked)),
        payments: [
          {
            sessionId: ofMedusa(operation).paymentSessionId,
            isCanceled: false,
            isCaptured: true,
            isInOrder: false,
          },
        ],
      }),
      refundCaptured: (_: string, { note }: { note: string }) => {
        notes.push(note)
        return Promise.resolve()
      },
    },
  }
  await resolveOperation(harness, {
    operationId: operation.id,
    action: "refund",
    note: "late\0, 0770000042",
    adminId: "user_ada",
  })
  expect(notes).toEqual(["late\uFFFD, •••042"])
})
