import {
  afterNoon,
  anOperation,
  MINUTE,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import { decidePayout } from "./payout"
import type { Operation } from "../operation"

/** 404, so long after noon, when it was sent; its session ends at 12:15. */
const at404 = (ms: number, lastSending: Operation["lastSending"]) =>
  decidePayout(
    anOperation({
      type: "PAYOUT",
      expiresAt: afterNoon(15 * MINUTE),
      readAt: afterNoon(ms),
      lastSending,
    }),
    { kind: "absent" },
  )

describe("a payout", () => {
  it("not known there is asked for again, not sent", () => {
    const { event, action } = at404(2 * MINUTE, "in_doubt")
    expect([event, action]).toEqual([undefined, undefined])
  })

  it("that never left, and 404, ends", () => {
    expect(at404(2 * SECOND, "not_sent")).toMatchObject({ event: "expire", reason: "never_landed" })
  })
})
