/** Every operation of the client against every fault of a real socket. */
import { LIMITS } from "../core/limits"
import { OPERATIONS } from "./operations"
import type { OperationSpec } from "./operations"
import { bench, closeBenches } from "./testing/bench"
import { CALLS, callOf } from "./testing/calls"
import type { CallCase } from "./testing/calls"
import {
  cutWithLength,
  cutWithoutLength,
  drip,
  hang,
  html,
  huge,
  json,
  redirect,
  reset,
  stall,
} from "./testing/scripted-server"
import type { Answer } from "./testing/scripted-server"

afterEach(closeBenches)

/** Shorter than the default, longer than an answer takes on a busy machine. */
const SHORT = { deadlineMs: 500 }

type Fault = {
  readonly name: string
  readonly answer: (call: CallCase) => Answer
  readonly options?: { readonly deadlineMs: number }
  /** How often a read goes out; records and money go out once. */
  readonly reads: number
  readonly reason: string
}

const FAULTS: readonly Fault[] = [
  {
    name: "[N04] deadline, no answer",
    answer: () => hang,
    options: SHORT,
    reads: 1,
    reason: "deadline",
  },
  { name: "[N06] reset", answer: () => reset, reads: 3, reason: "connection_lost" },
  { name: "[N08] stalled body", answer: () => stall, options: SHORT, reads: 1, reason: "deadline" },
  { name: "[N09] dripping body", answer: () => drip, options: SHORT, reads: 1, reason: "deadline" },
  {
    name: "[N10] body cut, with length",
    answer: (call) => cutWithLength(call.body),
    reads: 3,
    reason: "connection_lost",
  },
  {
    name: "[N11] body cut, no length",
    answer: (call) => cutWithoutLength(call.body),
    reads: 3,
    reason: "not_json",
  },
  { name: "[N12] HTML", answer: () => html, reads: 1, reason: "html" },
  {
    name: "[N13] wrong shape",
    // A removal answers an empty object, and so any object is one.
    answer: ({ body }) => json(200, Object.keys(body).length === 0 ? "gone" : { ok: true }),
    reads: 1,
    reason: "wrong_shape",
  },
  {
    name: "[N13] a list of it, or one of the list",
    answer: ({ body }) => json(200, Array.isArray(body) ? body[0] : [body]),
    reads: 1,
    reason: "wrong_shape",
  },
  {
    name: "[N14] too large, with length",
    answer: (call) => huge(true, tooLarge(call)),
    reads: 1,
    reason: "too_large",
  },
  {
    name: "[N14] too large, without",
    answer: (call) => huge(false, tooLarge(call)),
    reads: 1,
    reason: "too_large",
  },
  { name: "[N15] redirect", answer: () => redirect, reads: 1, reason: "redirect" },
  { name: "[N23] 500", answer: () => json(500, {}), reads: 3, reason: "status" },
  { name: "[N23] 502", answer: () => json(502, {}), reads: 3, reason: "status" },
  {
    name: "[N25] 503 with Retry-After",
    answer: () => json(503, {}, { "retry-after": "1" }),
    reads: 1,
    reason: "status",
  },
  { name: "[N28] 409", answer: () => json(409, {}), reads: 3, reason: "status" },
  {
    name: "a status that the contract does not have",
    answer: () => json(418, {}),
    reads: 1,
    reason: "status",
  },
]

const REFUSALS = [
  { name: "[N18] 403", answer: json(403, { detail: "not verified" }), code: "GATEWAY_FORBIDDEN" },
  { name: "[N19] 404", answer: json(404, { detail: "not found" }), code: "GATEWAY_NOT_FOUND" },
  { name: "[N20] 422", answer: json(422, { detail: "no" }), code: "GATEWAY_INVALID" },
  {
    name: "[N21] 429",
    answer: json(429, {}, { "retry-after": "100000" }),
    code: "GATEWAY_RATE_LIMITED",
  },
]

function tooLarge({ operation }: CallCase): number {
  const { bodyLimitBytes = LIMITS.bodyLimitBytes }: OperationSpec = OPERATIONS[operation]
  return bodyLimitBytes + 1
}

async function expectUnknown(call: CallCase, fault: Fault): Promise<void> {
  const { effect }: OperationSpec = OPERATIONS[call.operation]
  const { server, gateway } = await bench({ answers: [fault.answer(call)] })
  await gateway.token.check()
  expect(await call.run(gateway, fault.options)).toMatchObject({
    kind: "unknown",
    error: {
      code: effect === "read" ? "GATEWAY_UNAVAILABLE" : "GATEWAY_INDETERMINATE",
      operation: call.operation,
      reason: fault.reason,
    },
  })
  expect(server.calls).toHaveLength(effect === "read" ? fault.reads : 1)
}

describe.each(CALLS)("$operation", (call) => {
  it.each(FAULTS.filter((fault) => !fault.options))("$name: is unknown, never failed", (fault) =>
    expectUnknown(call, fault),
  )

  it.each(REFUSALS)("$name: is refused and not repeated", async ({ answer, code }) => {
    const { server, gateway } = await bench({ answers: [answer] })
    expect(await call.run(gateway)).toMatchObject({ kind: "refused", error: { code } })
    expect(server.calls).toHaveLength(1)
  })

  it("[N01] refused connection: was not sent, and tried as often as its row says", async () => {
    const { server, clock, gateway } = await bench({ answers: [json(200, call.body)] })
    await gateway.token.check()
    await server.close()
    expect(await call.run(gateway)).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_UNREACHABLE", reason: "connection_refused" },
    })
    expect(clock.sleeps).toHaveLength(OPERATIONS[call.operation].tries - 1)
  })

  it("answers what the gateway answered", async () => {
    const { server, gateway } = await bench({ answers: [json(200, call.body)] })
    const outcome = await call.run(gateway)
    const value = Array.isArray(call.body)
      ? call.body.map((wire) => ({ wire }))
      : { wire: call.body }
    expect(outcome).toMatchObject({ kind: "done", value })
    const [received] = server.calls
    const { method, path } = OPERATIONS[call.operation]
    expect(received?.method).toBe(method)
    expect(received?.path.split("?")[0]).toMatch(
      new RegExp(`^${path.replace(/\{\w+\}/g, "[\\w-]+")}$`),
    )
  })
})

describe("every operation", () => {
  // Side by side, because each of them waits for a real deadline.
  it.each(FAULTS.filter((fault) => fault.options))("$name: is unknown, never failed", (fault) =>
    Promise.all(CALLS.map((call) => expectUnknown(call, fault))),
  )

  it("has its call in the table above", () => {
    const covered = CALLS.map((call) => call.operation)
    expect(["token.obtain", ...covered].sort()).toEqual(Object.keys(OPERATIONS).sort())
  })
})

describe("a refusal", () => {
  it("[N20] says which fields", async () => {
    const { gateway } = await bench({
      answers: [
        json(422, {
          detail: [{ loc: ["body", "currency"], msg: "Field required", type: "missing" }],
        }),
      ],
    })
    expect(await callOf("checkouts.create").run(gateway)).toMatchObject({
      kind: "refused",
      error: { status: 422, fields: [{ path: "currency", message: "Field required" }] },
    })
  })

  it("stays one when its body is lost", async () => {
    const { gateway } = await bench({
      answers: [
        (response) => {
          response.writeHead(422, { "content-length": "100" })
          response.write("{", () => response.socket?.destroy())
        },
      ],
    })
    expect(await callOf("executions.collection").run(gateway)).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_INVALID" },
    })
  })
})

describe("[N21] 429", () => {
  const create = callOf("sessions.checkout")

  it("a record is sent again once after the wait that was asked for", async () => {
    const { clock, gateway } = await bench({
      answers: [json(429, {}, { "retry-after": "2" }), json(200, create.body)],
    })
    expect((await create.run(gateway, { patience: "shopper" })).kind).toBe("done")
    expect(clock.sleeps).toEqual([2_000])
  })

  it("a shopper does not wait longer than 3 seconds", async () => {
    const { clock, gateway } = await bench({ answers: [json(429, {}, { "retry-after": "4" })] })
    expect(await create.run(gateway, { patience: "shopper" })).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_RATE_LIMITED", retryAfterMs: 4_000 },
    })
    expect(clock.sleeps).toEqual([])
  })

  it.each([
    ["86400", 86_400_000],
    ["Mon, 01 Jun 2026 10:01:00 GMT", 60_000],
    ["Mon, 01 Jun 2020 10:00:00 GMT", 0],
    ["whenever", undefined],
  ])("Retry-After: %s reaches the caller of a money call", async (header, retryAfterMs) => {
    const { server, gateway } = await bench({ answers: [json(429, {}, { "retry-after": header })] })
    const outcome = await callOf("executions.collection").run(gateway)
    expect(outcome).toMatchObject({ kind: "refused", error: { code: "GATEWAY_RATE_LIMITED" } })
    expect(outcome.kind === "refused" && outcome.error.retryAfterMs).toBe(retryAfterMs)
    expect(server.calls).toHaveLength(1)
  })
})

describe("a read", () => {
  it("[N07][N23] succeeds on a later try", async () => {
    const call = callOf("status.source")
    const { server, clock, gateway } = await bench({
      answers: [reset, json(502, {}), json(200, call.body)],
    })
    expect((await call.run(gateway)).kind).toBe("done")
    expect(server.calls).toHaveLength(3)
    expect(clock.sleeps).toEqual([250, 500])
  })
})
