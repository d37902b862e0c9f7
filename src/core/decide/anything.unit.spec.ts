import fc from "fast-check"
import {
  aHostedOperation,
  afterNoon,
  anOperation,
  DAY,
  HOUR,
  MINUTE,
  money,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import { decide } from "./collection"
import type { Decision, Findings } from "./decision"
import { LIMITS } from "../limits"
import { STATES, stateAfter, type Operation } from "../operation"

/** A moment before the row was read. */
const NOW_AT = (ms: number) => afterNoon(10 * SECOND + ms)
const unknown = { kind: "unknown" } as const
const refused = { kind: "refused" } as const

describe("whatever the gateway says", () => {
  const unanswered = fc.oneof(
    fc.constant({ kind: "absent" } as const),
    fc.constant(refused),
    fc.constant(unknown),
    fc.record({
      kind: fc.constant("later" as const),
      afterMs: fc.option(fc.nat(60_000), { nil: undefined }),
    }),
  )
  const totals = fc.oneof(
    fc.constant(money(1_999)),
    fc.nat(5_000).map((minor) => money(minor)),
    fc.constant(money(1_999, "LRD")),
  )
  const executions = fc.oneof(
    unanswered,
    fc.record({
      kind: fc.constant("seen" as const),
      status: fc.constantFrom("PENDING", "PROCESSING", "COMPLETED", "FAILED", "REVERSED", "ODD"),
    }),
  )
  const sources = fc.oneof(
    unanswered,
    fc.record({
      kind: fc.constant("seen" as const),
      status: fc.constantFrom("IDLE", "ACTIVE", "PROCESSING", "PAID", "CANCELED", "ODD"),
      total: totals,
    }),
  )
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const moments = maybe(fc.integer({ min: -4 * DAY, max: 0 }))
  const operations = fc
    .record({
      state: fc.constantFrom(...STATES),
      isHosted: fc.boolean(),
      lastSending: fc.constantFrom("sending", "accepted", "in_doubt", "not_sent", "refused"),
      sendings: fc.integer({ min: 1, max: 3 }),
      sentMs: fc.integer({ min: -HOUR, max: 0 }),
      submittedMs: fc.integer({ min: -4 * DAY, max: 0 }),
      absentMs: moments,
      failedMs: moments,
      contradictedMs: moments,
      closing: fc.constantFrom(null, "never_landed", "canceled", "window_closed"),
    } as const)
    .map(({ state, isHosted, sentMs, submittedMs, absentMs, failedMs, contradictedMs, ...rest }) =>
      (isHosted ? aHostedOperation : anOperation)({
        ...rest,
        state,
        lastSentAt: NOW_AT(sentMs),
        submittedAt: NOW_AT(submittedMs),
        absentAt: absentMs === undefined ? null : NOW_AT(absentMs),
        failedAt: failedMs === undefined ? null : NOW_AT(failedMs),
        contradictedAt: contradictedMs === undefined ? null : NOW_AT(contradictedMs),
      }),
    )
  const cases = (check: (operation: Operation, findings: Findings, decision: Decision) => void) =>
    fc.assert(
      fc.property(
        operations,
        maybe(executions),
        maybe(sources),
        maybe(fc.boolean()),
        maybe(fc.constantFrom("this", "another", "unsure")),
        (operation, one, other, isAmountStale, sourceOwner) => {
          const findings: Findings = {
            ...(sourceOwner ? { sourceOwner } : {}),
            ...(one ? { execution: one } : {}),
            ...(other ? { source: other } : {}),
            ...(isAmountStale === undefined ? {} : { isAmountStale }),
          }
          check(operation, findings, decide(operation, findings))
        },
      ),
      { numRuns: 3_000 },
    )

  it("the event is one that the machine has, and never beside an action", () => {
    cases((operation, _findings, { event, action }) => {
      if (!event) return
      expect(stateAfter(operation.state, event)).toBeDefined()
      expect(action).toBeUndefined()
    })
  })

  it("[I3] money counts only when the source says PAID, this amount, this currency", () => {
    cases((operation, findings, { event, reason }) => {
      if (event !== "complete") return
      const paid = findings.source
      expect(paid).toMatchObject({ kind: "seen", status: "PAID" })
      const isEqual =
        paid?.kind === "seen" &&
        paid.total.minor === operation.amount.minor &&
        paid.total.currency === operation.amount.currency
      const isLate = operation.state === "failed" || operation.state === "expired"
      expect(isEqual || (isLate && reason !== "late_payment")).toBe(true)
    })
  })

  it("what is not known is never called failed", () => {
    cases((operation, findings, { event }) => {
      if (event !== "fail") return
      const status: unknown = expect.stringMatching(/^(FAILED|REVERSED)$/)
      expect(findings.execution).toMatchObject({ kind: "seen", status })
      expect(findings.source).toMatchObject({ kind: "seen" })
      expect(operation.failedAt).not.toBeNull()
    })
  })

  it("what has ended moves only to a person, and what is decided stays", () => {
    cases((operation, _findings, { event, action }) => {
      if (event === undefined) return
      const after = stateAfter(operation.state, event)
      if (operation.state === "failed" || operation.state === "expired")
        expect(after).toBe("review")
      expect(["drafted", "completed", "review"]).not.toContain(operation.state)
      expect(action).toBeUndefined()
    })
  })

  it("the same answers give the same decision", () => {
    cases((operation, findings, decision) => expect(decide(operation, findings)).toEqual(decision))
  })

  it("a 404 ends nothing whose source is not closed, whatever the gateway refused", () => {
    cases((operation, findings, { event }) => {
      if (event !== "expire") return
      const isClosed = findings.source?.kind === "seen" && findings.source.status === "CANCELED"
      expect(isClosed).toBe(true)
    })
  })

  it("[B31] the same reference goes again only while it can be paid, its source bearing witness", () => {
    cases((operation, { source }, { action }) => {
      if (action !== "resend") return
      expect(operation.expiresAt.getTime()).toBeGreaterThan(operation.readAt.getTime())
      expect(operation.state).toBe("submitted")
      expect(operation.lastSending).not.toBe("accepted")
      const since = (moment: Date | null) =>
        moment === null ? 0 : operation.readAt.getTime() - moment.getTime()
      const isPayable = source?.kind === "seen" && ["ACTIVE", "IDLE"].includes(source.status)
      if (operation.lastSending === "not_sent") {
        expect(since(operation.lastSentAt)).toBeGreaterThanOrEqual(2 * SECOND)
      } else if (isPayable) {
        expect(since(operation.absentAt)).toBeGreaterThanOrEqual(5 * SECOND)
        expect(since(operation.submittedAt)).toBeLessThan(MINUTE)
      } else {
        expect(source?.kind).toMatch(/absent|refused|later|unknown/)
        expect(since(operation.absentAt)).toBeGreaterThanOrEqual(MINUTE)
        expect(since(operation.lastSentAt)).toBeGreaterThanOrEqual(MINUTE)
      }
    })
  })

  it("[I7] there is a next look, in bounded time, or an end", () => {
    cases((operation, _findings, { event, action, next }) => {
      if (next.kind === "in") expect(next.ms).toBeGreaterThanOrEqual(0)
      const isOver =
        operation.submittedAt !== null &&
        operation.readAt.getTime() - operation.submittedAt.getTime() >= LIMITS.collectionAskMs
      const isOpen = operation.state === "submitted" || operation.state === "in_flight"
      if (isOver && isOpen) expect(event ?? action).toBeDefined()
    })
  })
})
