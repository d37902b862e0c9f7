/**
 * [N29] The token endpoint is down for minutes: nothing of any call is sent, and it is hardly asked
 * itself.
 */
import { LIMITS } from "../../src/core/limits"
import { CALLS } from "../gateway/calls"
import { bench, closeBenches } from "../gateway/bench"
import { json, reset, token } from "../gateway/scripted-server"
import type { Answer } from "../gateway/scripted-server"

afterEach(closeBenches)

const DOWN: readonly [string, Answer, string][] = [
  ["503", json(503, {}), "GATEWAY_UNAVAILABLE"],
  ["reset", reset, "GATEWAY_UNAVAILABLE"],
  ["401", json(401, { detail: "Could not validate credentials" }), "GATEWAY_UNAUTHENTICATED"],
  ["429", json(429, {}, { "retry-after": "1" }), "GATEWAY_RATE_LIMITED"],
]

describe.each(DOWN)("[N29] a token endpoint that answers %s", (_, answer, code) => {
  it("lets out none of the calls that follow each other, and is asked once for all of them", async () => {
    const { server, gateway } = await bench({ tokens: [answer] })
    const first = await CALLS[0]?.run(gateway)
    const asked = server.tokenCalls.length
    expect(first).toMatchObject({ kind: "not_sent", error: { code } })
    expect(asked).toBeLessThanOrEqual(LIMITS.readTries)
    for (const call of CALLS) {
      expect(await call.run(gateway)).toMatchObject({ kind: "not_sent", error: { code } })
    }
    expect(server.calls).toEqual([])
    expect(server.tokenCalls).toHaveLength(asked)
    expect(gateway.token.failures).toBe(1)
  })

  it("is asked once at a time, however many calls come at once", async () => {
    const { server, gateway } = await bench({ tokens: [answer] })
    const outcomes = await Promise.all(CALLS.map((call) => call.run(gateway)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(CALLS.map(() => "not_sent"))
    expect(server.tokenCalls.length).toBeLessThanOrEqual(LIMITS.readTries)
    expect(server.calls).toEqual([])
  })
})

it("[N29] all calls go on by themselves once the token endpoint has recovered", async () => {
  const down = Array.from({ length: LIMITS.readTries }, () => json(503, {}))
  const { server, clock, gateway } = await bench({
    tokens: [...down, token("well-again")],
    answers: CALLS.map((call) => json(200, call.body)),
  })
  expect(await CALLS[0]?.run(gateway)).toMatchObject({ kind: "not_sent" })
  clock.advance(LIMITS.tokenNegativeCacheMs)
  for (const call of CALLS) expect(await call.run(gateway)).toMatchObject({ kind: "done" })
  expect(server.tokenCalls).toHaveLength(LIMITS.readTries + 1)
  expect(gateway.token.failures).toBe(0)
})
