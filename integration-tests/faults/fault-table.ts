/**
 * Every fault that the network and the gateway can produce, and what each kind of call then
 * answers. The one table of expectations: `call-sites.spec.ts` plays it on real sockets.
 *
 * The kinds of calls are those of `operations.ts`: `token`; `read`; `record`, which may go out
 * again only where nothing of it was done; `once`, a record that never does (a cancel, a removal);
 * `money`.
 */
import { LIMITS } from "../../src/core/limits"
import type {
  GatewayErrorCode,
  OperationName,
  OperationSpec,
  Outcome,
  Reason,
} from "../../src/gateway"
import { OPERATIONS } from "../../src/gateway"
import {
  cutWithLength,
  cutWithoutLength,
  drip,
  hang,
  html,
  huge,
  json,
  maintenance,
  redirect,
  reset,
  stall,
} from "../gateway/scripted-server"
import type { Answer } from "../gateway/scripted-server"

export const CALL_KINDS = ["token", "read", "record", "once", "money"] as const
export type CallKind = (typeof CALL_KINDS)[number]

export function kindOf(operation: OperationName): CallKind {
  if (operation === "token.obtain") return "token"
  const { effect, tries }: OperationSpec = OPERATIONS[operation]
  return effect === "record" && tries === 1 ? "once" : effect
}

type Kind = Outcome<unknown>["kind"]

export type Expected = {
  readonly kind: Kind | readonly Kind[]
  readonly code?: GatewayErrorCode
  readonly reason?: Reason
  /**
   * How often the request reaches the gateway; a range where a race between two sockets decides.
   */
  readonly sends: number | readonly [least: number, most: number]
}

/**
 * What stands at the other end. `answers` and their repeats are played one per request, the last
 * for ever.
 */
export type Wire =
  | {
      readonly at: "answers"
      readonly answers: (body: unknown, operation: OperationName) => readonly Answer[]
    }
  /** Nobody listens. */
  | { readonly at: "closed" }
  /** The name can't exist. */
  | { readonly at: "no_name" }
  /** The handshake is cut. */
  | { readonly at: "no_tls" }
  /** The connection is taken and nothing is ever said. */
  | { readonly at: "black_hole" }
  /** The kept connection was closed by the gateway a moment ago. */
  | { readonly at: "stale_connection"; readonly answers: (body: unknown) => readonly Answer[] }

export type Fault = {
  readonly id: `N${number}`
  readonly name: string
  readonly wire: Wire
  /** Plays with a deadline of half a second, all operations side by side. */
  readonly waitsForDeadline?: true
  readonly expected: Readonly<Record<CallKind, Expected>>
  /** Operations for which it is none. */
  readonly notFor?: readonly OperationName[]
}

const always = (...answers: readonly Answer[]): Wire => ({ at: "answers", answers: () => answers })
const withBody = (answer: (body: unknown) => Answer): Wire => ({
  at: "answers",
  answers: (body) => [answer(body)],
})
const status = (code: number, headers?: Readonly<Record<string, string>>): Wire =>
  always(json(code, { detail: "as it is" }, headers))

const tooLarge = (hasLength: boolean): Wire => ({
  at: "answers",
  answers: (_, operation) => {
    const { bodyLimitBytes = LIMITS.bodyLimitBytes }: OperationSpec = OPERATIONS[operation]
    return [huge(hasLength, bodyLimitBytes)]
  },
})

/** It may have happened: reads go out again where that can help, nothing else does. */
function inDoubt(reason: Reason, readSends: 1 | 3): Fault["expected"] {
  const read = { kind: "unknown", code: "GATEWAY_UNAVAILABLE", reason, sends: readSends } as const
  const acted = { kind: "unknown", code: "GATEWAY_INDETERMINATE", reason, sends: 1 } as const
  return { token: read, read, record: acted, once: acted, money: acted }
}

function notSent(reason: Reason): Fault["expected"] {
  const expected = { kind: "not_sent", code: "GATEWAY_UNREACHABLE", reason, sends: 0 } as const
  return { token: expected, read: expected, record: expected, once: expected, money: expected }
}

function refused(code: GatewayErrorCode, sends: Partial<Record<CallKind, Expected["sends"]>> = {}) {
  const times = (kind: CallKind): Expected => ({ kind: "refused", code, sends: sends[kind] ?? 1 })
  return {
    token: times("token"),
    read: times("read"),
    record: times("record"),
    once: times("once"),
    money: times("money"),
  }
}

/** A token that was got just now is used again after each pause, as far as the deadline goes. */
const REPLAYED = [2, LIMITS.tokenSendsPerCallMax] as const

function done(sends: number): Fault["expected"] {
  const expected = { kind: "done", sends } as const
  return { token: expected, read: expected, record: expected, once: expected, money: expected }
}

/** A token call has no "not found": at the base address is no gateway. */
const noGateway: Expected = { kind: "unknown", code: "GATEWAY_UNAVAILABLE", sends: 1 }
/** A token call whose form is refused says that the credentials are none. */
const noCredentials: Expected = { kind: "refused", code: "GATEWAY_UNAUTHENTICATED", sends: 1 }

export const FAULTS: readonly Fault[] = [
  {
    id: "N01",
    name: "refused connection",
    wire: { at: "closed" },
    expected: notSent("connection_refused"),
  },
  { id: "N01", name: "no such name", wire: { at: "no_name" }, expected: notSent("dns") },
  { id: "N01", name: "handshake cut", wire: { at: "no_tls" }, expected: notSent("tls") },
  {
    id: "N02",
    name: "black hole",
    wire: { at: "black_hole" },
    // One connect deadline after the other: what is left of a read is too short for a third.
    expected: notSent("connect_timeout"),
  },
  {
    id: "N03",
    name: "no answer before the deadline",
    wire: always(hang),
    waitsForDeadline: true,
    expected: inDoubt("deadline", 1),
  },
  {
    id: "N05",
    name: "reset",
    wire: always(reset),
    expected: inDoubt("connection_lost", 3),
  },
  {
    id: "N07",
    name: "stale connection",
    wire: { at: "stale_connection", answers: (body) => [json(200, body)] },
    expected: {
      token: { kind: "done", sends: [1, 2] },
      read: { kind: "done", sends: [1, 2] },
      // Seen before the request is written: another connection. Seen afterwards: nobody can tell.
      record: { kind: ["done", "unknown"], sends: [0, 1] },
      once: { kind: ["done", "unknown"], sends: [0, 1] },
      money: { kind: ["done", "unknown"], sends: [0, 1] },
    },
  },
  {
    id: "N08",
    name: "body stalls",
    wire: always(stall),
    waitsForDeadline: true,
    expected: inDoubt("deadline", 1),
  },
  {
    id: "N09",
    name: "body drips past the deadline",
    wire: always(drip),
    waitsForDeadline: true,
    expected: inDoubt("deadline", 1),
  },
  {
    id: "N10",
    name: "body cut, with a length",
    wire: withBody(cutWithLength),
    expected: inDoubt("connection_lost", 3),
  },
  {
    id: "N11",
    name: "body cut, without a length and without an error",
    wire: withBody(cutWithoutLength),
    expected: inDoubt("not_json", 3),
  },
  { id: "N12", name: "HTML", wire: always(html), expected: inDoubt("html", 1) },
  {
    id: "N13",
    name: "JSON without the fields",
    wire: always(json(200, { ok: true })),
    expected: inDoubt("wrong_shape", 1),
    // Their answer is an object without fields: any object is one.
    notFor: ["invoices.items.remove", "orders.items.remove"],
  },
  {
    id: "N13",
    name: "JSON that is a text",
    wire: always(json(200, "ok")),
    expected: inDoubt("wrong_shape", 1),
  },
  {
    id: "N14",
    name: "too large, with a length",
    wire: tooLarge(true),
    expected: inDoubt("too_large", 1),
  },
  {
    id: "N14",
    name: "too large, without a length",
    wire: tooLarge(false),
    expected: inDoubt("too_large", 1),
  },
  { id: "N15", name: "307", wire: always(redirect), expected: inDoubt("redirect", 1) },
  {
    id: "N16",
    name: "401 once",
    wire: { at: "answers", answers: (body) => [json(401, { detail: "no" }), json(200, body)] },
    expected: { ...done(2), token: { ...noCredentials, sends: 1 } },
  },
  {
    id: "N17",
    name: "401 again",
    wire: status(401),
    expected: refused("GATEWAY_UNAUTHENTICATED", {
      read: REPLAYED,
      record: REPLAYED,
      once: REPLAYED,
      money: REPLAYED,
    }),
  },
  { id: "N18", name: "403", wire: status(403), expected: refused("GATEWAY_FORBIDDEN") },
  {
    id: "N19",
    name: "404",
    wire: status(404),
    expected: { ...refused("GATEWAY_NOT_FOUND"), token: noGateway },
  },
  {
    id: "N19",
    name: "a page with 404",
    wire: always(maintenance),
    expected: inDoubt("status", 1),
  },
  {
    id: "N19",
    name: "JSON with 404 that is not the API's",
    wire: always(json(404, { message: "no route matched" })),
    expected: inDoubt("status", 1),
  },
  {
    id: "N20",
    name: "422 with a text",
    wire: status(422),
    expected: { ...refused("GATEWAY_INVALID"), token: noCredentials },
  },
  {
    id: "N20",
    name: "422 with fields",
    wire: always(
      json(422, {
        detail: [{ loc: ["body", "currency"], msg: "Field required", type: "missing" }],
      }),
    ),
    expected: { ...refused("GATEWAY_INVALID"), token: noCredentials },
  },
  {
    id: "N21",
    name: "429 for two seconds, then well",
    wire: {
      at: "answers",
      answers: (body) => [json(429, {}, { "retry-after": "2" }), json(200, body)],
    },
    expected: {
      ...refused("GATEWAY_RATE_LIMITED"),
      // Refused, so nothing was made: a record is sent again, once, when it may.
      record: { kind: "done", sends: 2 },
    },
  },
  {
    id: "N21",
    name: "429 until a date",
    wire: status(429, { "retry-after": "Mon, 01 Jun 2026 10:00:02 GMT" }),
    expected: refused("GATEWAY_RATE_LIMITED", { record: 2 }),
  },
  {
    id: "N21",
    name: "429 until a date in the past",
    wire: status(429, { "retry-after": "Mon, 01 Jun 2020 10:00:00 GMT" }),
    expected: refused("GATEWAY_RATE_LIMITED", { record: 2 }),
  },
  {
    id: "N21",
    name: "429 for a day",
    wire: status(429, { "retry-after": "86400" }),
    expected: refused("GATEWAY_RATE_LIMITED"),
  },
  {
    id: "N21",
    name: "429 for a time that is none",
    wire: status(429, { "retry-after": "whenever" }),
    expected: refused("GATEWAY_RATE_LIMITED", { record: 2 }),
  },
  {
    id: "N22",
    name: "429 without a time",
    wire: status(429),
    expected: refused("GATEWAY_RATE_LIMITED", { record: 2 }),
  },
  ...([500, 502, 503, 504] as const).map((code): Fault => ({
    id: "N23",
    name: String(code),
    wire: status(code),
    expected: inDoubt("status", 3),
  })),
  {
    id: "N25",
    name: "503 with a time",
    wire: status(503, { "retry-after": "1" }),
    expected: inDoubt("status", 1),
  },
  ...([408, 409, 425] as const).map((code): Fault => ({
    id: "N28",
    name: String(code),
    wire: status(code),
    expected: inDoubt("status", 3),
  })),
  {
    id: "N28",
    name: "a status that the contract does not have",
    wire: status(418),
    expected: inDoubt("status", 1),
  },
]

/** Faults that are not one row of the table above, and the suite of this folder that plays them. */
export const ELSEWHERE = {
  N04: "commit.spec.ts",
  N06: "commit.spec.ts",
  N24: "commit.spec.ts",
  N26: "commit.spec.ts",
  N27: "another-answer.spec.ts",
  N29: "token-endpoint.spec.ts",
  N30: "slow-everything.spec.ts",
} as const satisfies Partial<Record<`N${number}`, string>>
