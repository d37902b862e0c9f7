import { LIMITS } from "./terms/limits"
import { createCaller } from "./call"
import type { Happened } from "./classify"
import { bench, CLIENT_SECRET, closeBenches } from "../../../integration-tests/gateway/bench"
import { callOf, REFERENCE } from "../../../integration-tests/gateway/calls"
import { drivenClock } from "../../../integration-tests/gateway/driven-clock"
import {
  hang,
  html,
  json,
  raw,
  redirect,
  reset,
  token,
} from "../../../integration-tests/gateway/scripted-server"
import { checkToken, createTokenSource } from "./token"
import { waitWithin } from "./wait-within"
import { collectionStatus } from "./wire/executions"

const MINUTE = 60_000
const YOUNG_MS = LIMITS.tokenYoungMs
const status = callOf("status.collection")
const execute = callOf("executions.collection")
const ok = json(200, status.body)

afterEach(closeBenches)

describe("the token", () => {
  it("is got once for many callers at once, and kept", async () => {
    const { server, gateway } = await bench({ answers: [ok] })
    await Promise.all(Array.from({ length: 20 }, () => status.run(gateway)))
    await status.run(gateway)
    expect(server.tokenCalls).toHaveLength(1)
    expect(new Set(server.calls.map((call) => call.headers.authorization))).toEqual(
      new Set(["Bearer token-1"]),
    )
    expect(JSON.parse(server.tokenCalls[0]?.body ?? "")).toEqual({
      client_id: "client",
      client_secret: CLIENT_SECRET,
    })
  })

  it("is renewed behind the callers' backs when fewer than 5 of its minutes remain", async () => {
    const { server, clock, gateway } = await bench({ answers: [ok] })
    await status.run(gateway)
    clock.advance(54 * MINUTE)
    await status.run(gateway)
    expect(server.tokenCalls).toHaveLength(1)
    clock.advance(1 * MINUTE)
    await status.run(gateway)
    expect(server.calls.at(-1)?.headers.authorization).toBe("Bearer token-1")
    await until(() => server.tokenCalls.length === 2)
    await until(async () => {
      await status.run(gateway)
      return server.calls.at(-1)?.headers.authorization === "Bearer token-2"
    })
  })

  it("is waited for when the old one's life is over", async () => {
    const { server, clock, gateway } = await bench({ answers: [ok] })
    await status.run(gateway)
    clock.advance(60 * MINUTE)
    await status.run(gateway)
    expect(server.calls.at(-1)?.headers.authorization).toBe("Bearer token-2")
  })

  it("that lives 10 minutes is renewed at 20% of them", async () => {
    const { server, clock, gateway } = await bench({ answers: [ok], tokens: [token("a", 10)] })
    await status.run(gateway)
    clock.advance(8 * MINUTE - 1)
    await status.run(gateway)
    expect(server.tokenCalls).toHaveLength(1)
    clock.advance(1)
    await status.run(gateway)
    await until(() => server.tokenCalls.length === 2)
  })

  it.each([[0], [-5], [1_000_000_000], [3_600], ["junk"], [null], [{}], [true]])(
    "[P21] that says it lives %p minutes is taken for 5",
    async (minutes) => {
      const { gateway } = await bench({ tokens: [token("a", minutes)] })
      expect(await gateway.token.check()).toEqual({ kind: "done", value: { expiresInMinutes: 5 } })
    },
  )

  it("[P21] that does not say how long it lives is taken for 5 minutes", async () => {
    const { gateway } = await bench({ tokens: [json(200, { access_token: "a" })] })
    expect(await gateway.token.check()).toEqual({ kind: "done", value: { expiresInMinutes: 5 } })
  })

  it.each([[1], [60], ["45"], [1_440]])(
    "that says it lives %p minutes is believed",
    async (minutes) => {
      const { gateway } = await bench({ tokens: [token("a", minutes)] })
      expect(await gateway.token.check()).toEqual({
        kind: "done",
        value: { expiresInMinutes: Number(minutes) },
      })
    },
  )
})

describe("[N16] a 401 on a call", () => {
  it.each([status, execute])("$operation: brings one new token and one replay", async (call) => {
    const { server, clock, gateway } = await bench({
      answers: [json(401, { detail: "Could not validate credentials" }), json(200, call.body)],
    })
    await gateway.token.check()
    clock.advance(YOUNG_MS)
    expect((await call.run(gateway)).kind).toBe("done")
    expect(server.calls.map((received) => received.headers.authorization)).toEqual([
      "Bearer token-1",
      "Bearer token-2",
    ])
    expect(server.calls[0]?.body).toBe(server.calls[1]?.body)
  })

  it("[N17] twice is a refusal, and soon afterwards no new token is asked for", async () => {
    const { server, clock, gateway } = await bench({ answers: [json(401, { detail: "no" })] })
    await gateway.token.check()
    clock.advance(YOUNG_MS)
    const outcome = await execute.run(gateway)
    expect(outcome).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_UNAUTHENTICATED", operation: "executions.collection", status: 401 },
    })
    expect(server.tokenCalls).toHaveLength(2)
    expect(server.calls.length).toBeLessThanOrEqual(LIMITS.tokenSendsPerCallMax)
    // The new token is no longer young, and too new to be replaced.
    const before = server.calls.length
    await execute.run(gateway)
    expect(server.tokenCalls).toHaveLength(2)
    expect(server.calls).toHaveLength(before + 1)
    clock.advance(10_000)
    await execute.run(gateway)
    expect(server.tokenCalls).toHaveLength(3)
  })

  it("on many calls at once brings one new token", async () => {
    const { server, gateway } = await bench({
      answers: [
        (response, request) =>
          json(request.headers.authorization === "Bearer token-1" ? 401 : 200, status.body)(
            response,
            request,
          ),
      ],
    })
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => status.run(gateway)))
    expect(outcomes.every((outcome) => outcome.kind === "done")).toBe(true)
    expect(server.tokenCalls).toHaveLength(2)
  })

  it("whose new token is refused means that nothing was sent for good", async () => {
    const { gateway } = await bench({
      answers: [json(401, { detail: "no" })],
      tokens: [token("a"), json(401, { detail: "no" })],
    })
    expect(await execute.run(gateway)).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_UNAUTHENTICATED", operation: "token.obtain" },
    })
  })
})

describe("without a token", () => {
  it.each([
    ["[N17] 401", json(401, { detail: CLIENT_SECRET }), "GATEWAY_UNAUTHENTICATED", 1],
    ["[N18] 403", json(403, { detail: CLIENT_SECRET }), "GATEWAY_FORBIDDEN", 1],
    ["[N20] 422", json(422, { detail: CLIENT_SECRET }), "GATEWAY_UNAUTHENTICATED", 1],
    ["[N17] 401 of a proxy", json(401, { message: "Forbidden" }), "GATEWAY_UNAVAILABLE", 1],
    ["[N18] 403 of a firewall", raw(403, "<html>Denied</html>", {}), "GATEWAY_UNAVAILABLE", 1],
    ["[N20] 422 of a proxy", json(422, {}), "GATEWAY_UNAVAILABLE", 1],
    ["[N20] 400 of a proxy", json(400, { error: "Bad request" }), "GATEWAY_UNAVAILABLE", 1],
    ["[N20] 400", json(400, { detail: CLIENT_SECRET }), "GATEWAY_UNAUTHENTICATED", 1],
    ["[N19] 404", json(404, { detail: "Not Found" }), "GATEWAY_UNAVAILABLE", 1],
    ["[N19] 404 of a proxy", json(404, {}), "GATEWAY_UNAVAILABLE", 1],
    ["[N21] 429", json(429, {}, { "retry-after": "7" }), "GATEWAY_RATE_LIMITED", 1],
    ["[N23] 500", json(500, { detail: CLIENT_SECRET }), "GATEWAY_UNAVAILABLE", 3],
    ["[N06] reset", reset, "GATEWAY_UNAVAILABLE", 3],
    ["[N12] a web page", html, "GATEWAY_UNAVAILABLE", 1],
    ["[N13] no token in it", json(200, { expires_in: 60 }), "GATEWAY_UNAVAILABLE", 1],
    [
      "[N13] a token that is no header",
      json(200, { access_token: "a\nb" }),
      "GATEWAY_UNAVAILABLE",
      1,
    ],
    ["[N15] a redirect", redirect, "GATEWAY_UNAVAILABLE", 1],
    ["[N11] half JSON", raw(200, '{"access_to', {}), "GATEWAY_UNAVAILABLE", 3],
  ])("%s: nothing is sent and the caller hears why", async (_, answer, code, tries) => {
    const { server, gateway } = await bench({ tokens: [answer] })
    const outcome = await execute.run(gateway)
    expect(outcome).toMatchObject({ kind: "not_sent", error: { code, operation: "token.obtain" } })
    expect(server.calls).toHaveLength(0)
    expect(server.tokenCalls).toHaveLength(tries)
    // [S04] The gateway's words about the credentials are not repeated.
    expect(JSON.stringify(outcome)).not.toContain("CANARY")
  })

  it("[N29] quiet is kept for 2 seconds, then one call asks again", async () => {
    const { server, clock, gateway } = await bench({
      answers: [ok],
      tokens: [json(401, { detail: "no" }), json(401, { detail: "no" }), token("late")],
    })
    await Promise.all([status.run(gateway), status.run(gateway), status.run(gateway)])
    await status.run(gateway)
    expect(server.tokenCalls).toHaveLength(1)
    expect(gateway.token.failures).toBe(1)
    clock.advance(2_000)
    await status.run(gateway)
    expect(gateway.token.failures).toBe(2)
    clock.advance(2_000)
    expect((await status.run(gateway)).kind).toBe("done")
    expect(gateway.token.failures).toBe(0)
  })

  it("[N21] quiet is kept as long as the gateway asks, a minute at most", async () => {
    const { server, clock, gateway } = await bench({
      tokens: [json(429, {}, { "retry-after": "86400" })],
    })
    await status.run(gateway)
    clock.advance(59_999)
    await status.run(gateway)
    expect(server.tokenCalls).toHaveLength(1)
    clock.advance(1)
    await status.run(gateway)
    expect(server.tokenCalls).toHaveLength(2)
  })

  it("[N29] an old token that is still alive goes on serving", async () => {
    const { server, clock, gateway } = await bench({
      answers: [ok],
      tokens: [token("old"), json(401, { detail: "no" })],
    })
    await status.run(gateway)
    clock.advance(56 * MINUTE)
    expect((await status.run(gateway)).kind).toBe("done")
    await until(() => gateway.token.failures === 1)
    expect((await status.run(gateway)).kind).toBe("done")
    expect(server.calls.at(-1)?.headers.authorization).toBe("Bearer old")
  })

  it("a caller waits no longer than its own deadline, and the others go on waiting", async () => {
    let release: (() => void) | undefined
    const { server, gateway } = await bench({
      answers: [ok],
      tokens: [
        (response, request) => {
          release = () => token("slow")(response, request)
        },
      ],
    })
    const patient = status.run(gateway)
    expect(await status.run(gateway, { deadlineMs: 30 })).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_UNAVAILABLE", reason: "deadline" },
    })
    // On a slow machine the deadline may pass before the request has arrived.
    await until(() => release !== undefined)
    release?.()
    expect((await patient).kind).toBe("done")
    expect(server.tokenCalls).toHaveLength(1)
  })

  it("a caller that is gone is let go", async () => {
    const { gateway } = await bench({ tokens: [hang] })
    const controller = new AbortController()
    const outcome = execute.run(gateway, { signal: controller.signal })
    controller.abort()
    expect(await outcome).toMatchObject({ kind: "not_sent", error: { reason: "aborted" } })
  })

  it.each([0, -1, Number.NaN])(
    "a caller with %p milliseconds asks for none",
    async (deadlineMs) => {
      const send = jest.fn<Promise<Happened>, []>()
      const ports = { clock: drivenClock(), random: { fraction: () => 0.5 } }
      const transport = { send, close: () => Promise.resolve() }
      const credentials = { clientId: "client", clientSecret: CLIENT_SECRET }
      const source = createTokenSource(ports, transport, credentials, new AbortController().signal)
      const { call } = createCaller({ ports, transport, token: source })
      expect(
        await call(collectionStatus, { referenceId: REFERENCE }, { deadlineMs }),
      ).toMatchObject({
        kind: "not_sent",
        error: { reason: "deadline" },
      })
      expect(await checkToken(source, { deadlineMs })).toMatchObject({ kind: "not_sent" })
      expect(send).not.toHaveBeenCalled()
    },
  )

  it("a caller that is gone before the wait begins is let go at once", async () => {
    const never = new Promise<never>(() => undefined)
    const waited = waitWithin(never, { leftMs: 2_000, signal: AbortSignal.abort() })
    expect(await waited).toBe("aborted")
  })
})

describe("the check of the credentials", () => {
  it("made twice at once asks once", async () => {
    const { server, gateway } = await bench({})
    await Promise.all([gateway.token.check(), gateway.token.check()])
    expect(server.tokenCalls).toHaveLength(1)
  })

  it("asks anew, whatever is cached", async () => {
    const { server, gateway } = await bench({
      tokens: [json(401, { detail: "no" }), token("good")],
    })
    expect(await gateway.token.check()).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_UNAUTHENTICATED" },
    })
    expect((await gateway.token.check()).kind).toBe("done")
    expect((await gateway.token.check()).kind).toBe("done")
    expect(server.tokenCalls).toHaveLength(3)
  })
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (await condition()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error("It did not come true.")
}
