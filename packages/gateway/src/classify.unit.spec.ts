import { classify } from "./classify"
import type { Happened } from "./classify"
import type { Effect } from "./operations"

const answered = (status: number, retryAfter?: string, body: unknown = {}): Happened => ({
  what: "answered",
  status,
  body,
  retryAfter,
})
const detail = "Order not found"
const neverSent = (reason: "dns" | "tls" | "connect_timeout" | "connection_refused"): Happened => ({
  what: "never_sent",
  reason,
})
const lost = (reason: Extract<Happened, { what: "lost" }>["reason"]): Happened => ({
  what: "lost",
  reason,
})

/** Per event: its kind, then whether a read, a record and a movement of money may go out again. */
const TABLE: readonly [string, Happened, string, string, string, string][] = [
  ["[N01] name not resolved", neverSent("dns"), "not_sent", "backoff", "backoff", "backoff"],
  ["[N01] refused", neverSent("connection_refused"), "not_sent", "backoff", "backoff", "backoff"],
  ["[N01] TLS failure", neverSent("tls"), "not_sent", "backoff", "backoff", "backoff"],
  [
    "[N02] connect timeout",
    neverSent("connect_timeout"),
    "not_sent",
    "backoff",
    "backoff",
    "backoff",
  ],
  ["[N03][N04] deadline", lost("deadline"), "unknown", "no", "no", "no"],
  ["[N05][N06][N07] reset", lost("connection_lost"), "unknown", "backoff", "no", "no"],
  ["[N08] stalled body", lost("stalled_body"), "unknown", "backoff", "no", "no"],
  ["[N10][N11] half a body", lost("not_json"), "unknown", "backoff", "no", "no"],
  ["[N12] a web page", lost("html"), "unknown", "no", "no", "no"],
  ["[N13] wrong shape", lost("wrong_shape"), "unknown", "no", "no", "no"],
  ["[N14] too large", lost("too_large"), "unknown", "no", "no", "no"],
  ["caller gone", lost("aborted"), "unknown", "no", "no", "no"],
  ["[N15] 301", answered(301), "unknown", "no", "no", "no"],
  ["[N15] 307", answered(307), "unknown", "no", "no", "no"],
  ["[N16] 401", answered(401, undefined, { detail }), "refused", "no", "no", "no"],
  ["[N16] 401 without JSON", answered(401, undefined, null), "unknown", "no", "no", "no"],
  ["[N16] 401 of other JSON", answered(401, "9", { message: "no" }), "unknown", "no", "no", "no"],
  ["[N18] 403", answered(403, undefined, { detail }), "refused", "no", "no", "no"],
  ["[N18] 403 without JSON", answered(403, undefined, null), "unknown", "no", "no", "no"],
  ["[N18] 403 of other JSON", answered(403, "9", { message: "no" }), "unknown", "no", "no", "no"],
  ["[N19] 404", answered(404, undefined, { detail }), "refused", "no", "no", "no"],
  ["[N19] 404 with a list", answered(404, undefined, { detail: [] }), "refused", "no", "no", "no"],
  ["[N19] 404 without JSON", answered(404, undefined, null), "unknown", "no", "no", "no"],
  ["[N19] 404 of other JSON", answered(404), "unknown", "no", "no", "no"],
  ["[N19] 404 of a text", answered(404, undefined, detail), "unknown", "no", "no", "no"],
  [
    "[N19] 404 that says nothing",
    answered(404, undefined, { detail: " " }),
    "unknown",
    "no",
    "no",
    "no",
  ],
  ["[N19] 404 of maintenance, for a time", answered(404, "60"), "unknown", "no", "no", "no"],
  ["[N20] 422", answered(422), "refused", "no", "no", "no"],
  ["[N21] 429 with Retry-After", answered(429, "1"), "refused", "no", "wait", "no"],
  ["[N22] 429 without", answered(429), "refused", "no", "wait", "no"],
  ["[N23][N24] 500", answered(500), "unknown", "backoff", "no", "no"],
  ["[N23] 502", answered(502), "unknown", "backoff", "no", "no"],
  ["[N25] 503 with Retry-After", answered(503, "9"), "unknown", "no", "no", "no"],
  ["[N28] 408", answered(408), "unknown", "backoff", "no", "no"],
  ["[N28] 409", answered(409), "unknown", "backoff", "no", "no"],
  ["[N28] 425", answered(425), "unknown", "backoff", "no", "no"],
  ["a 400, which the contract does not have", answered(400), "unknown", "no", "no", "no"],
  [
    "[N20] a 400 that says why, as of a back end that has no 422",
    answered(400, undefined, { message: "amount: Minimum amount is 5.00 USD" }),
    "refused",
    "no",
    "no",
    "no",
  ],
  ["a 400 with a proxy's page", answered(400, undefined, undefined), "unknown", "no", "no", "no"],
  ["a 410, which the contract does not have", answered(410), "unknown", "no", "no", "no"],
]

const EFFECTS: readonly Effect[] = ["read", "record", "money"]

describe("classify", () => {
  it.each(TABLE)("%s", (_, happened, kind, read, record, money) => {
    const verdicts = EFFECTS.map((effect) => classify(effect, happened))
    expect(verdicts.map((verdict) => verdict.kind)).toEqual([kind, kind, kind])
    expect(verdicts.map((verdict) => ("again" in verdict ? verdict.again : "done"))).toEqual([
      read,
      record,
      money,
    ])
  })

  it("counts every 2xx as an answer to read", () => {
    for (const status of [200, 201, 202]) {
      expect(classify("money", answered(status))).toEqual({ kind: "done" })
    }
  })

  it("never calls a movement of money failed because nothing was heard", () => {
    for (const [, happened, kind] of TABLE) {
      if (happened.what === "lost") expect(kind).toBe("unknown")
    }
  })

  it("does not send anything again once the client is closed", () => {
    expect(classify("read", { what: "never_sent", reason: "closed" })).toEqual({
      kind: "not_sent",
      again: "no",
    })
  })
})
