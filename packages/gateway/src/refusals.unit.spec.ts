/**
 * What a caller learns from a refusal, and when a call goes out again. integration-tests/faults has
 * every fault.
 */
import fc from "fast-check"
import { bench, closeBenches } from "../../../integration-tests/gateway/bench"
import { callOf } from "../../../integration-tests/gateway/calls"
import {
  json,
  maintenance,
  raw,
  reset,
  type Answer,
} from "../../../integration-tests/gateway/scripted-server"

afterEach(closeBenches)

const cut404: Answer = (response) => {
  response.writeHead(404, { "content-type": "application/json", "content-length": "100" })
  response.write('{"detail": "Order', () => response.socket?.destroy())
}

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

  it.each([
    ["a page", maintenance],
    ["an empty body", raw(404, "", {})],
    ["a proxy's JSON", json(404, { message: "no route matched" })],
    ["a body that is cut", cut404],
  ])("[N19] a 404 with %s says nothing about what was asked for", async (_, answer) => {
    const { server, gateway } = await bench({ answers: [answer] })
    expect(await callOf("status.collection").run(gateway)).toMatchObject({
      kind: "unknown",
      error: { code: "GATEWAY_UNAVAILABLE", status: 404 },
    })
    expect(server.calls).toHaveLength(1)
    expect(await callOf("executions.collection").run(gateway)).toMatchObject({
      kind: "unknown",
      error: { code: "GATEWAY_INDETERMINATE", status: 404 },
    })
    expect(server.calls).toHaveLength(2)
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

describe("[N17][N18] an answer in place of the gateway's", () => {
  const foreign = fc.oneof(
    fc.constantFrom(
      "",
      "<html>Denied</html>",
      "null",
      "[]",
      '"no"',
      '{"detail":" "}',
      '{"detail":1}',
    ),
    fc.constantFrom('{"message":"Forbidden"}', '{"error":"access_denied"}', '{"errors":["no"]}'),
    fc.json().filter((text) => !text.includes("detail")),
  )
  const status = fc.constantFrom(401, 403)
  const where = fc.constantFrom("token", "call")
  const operation = fc.constantFrom("status.collection", "sessions.refund", "executions.payout")

  async function codeAt(part: string, name: Parameters<typeof callOf>[0], answer: Answer) {
    const { gateway } = await bench(part === "token" ? { tokens: [answer] } : { answers: [answer] })
    const outcome = await callOf(name).run(gateway)
    await closeBenches()
    return outcome.kind === "done" ? "done" : outcome.error.code
  }

  it("never counts as a refusal of the credentials, whatever it says", async () => {
    await fc.assert(
      fc.asyncProperty(status, foreign, where, operation, async (code, body, part, name) => {
        const heard = await codeAt(part, name, raw(code, body, {}))
        expect(["GATEWAY_UNAVAILABLE", "GATEWAY_INDETERMINATE"]).toContain(heard)
      }),
    )
  })

  it("is believed as soon as it has the gateway's form", async () => {
    const said = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "")
    await fc.assert(
      fc.asyncProperty(status, said, where, operation, async (code, detail, part, name) => {
        const heard = await codeAt(part, name, json(code, { detail }))
        expect(heard).toBe(code === 401 ? "GATEWAY_UNAUTHENTICATED" : "GATEWAY_FORBIDDEN")
      }),
    )
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

it("[P20] a date in Retry-After counts from the answer's own Date, not our clock", async () => {
  const hourAhead = {
    date: "Mon, 01 Jun 2026 11:00:00 GMT",
    "retry-after": "Mon, 01 Jun 2026 11:00:20 GMT",
  }
  const { gateway } = await bench({ answers: [json(429, {}, hourAhead)] })
  const outcome = await callOf("executions.collection").run(gateway)
  expect(outcome).toMatchObject({ kind: "refused", error: { retryAfterMs: 20_000 } })
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
