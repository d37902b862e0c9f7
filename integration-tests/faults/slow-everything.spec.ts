/**
 * [N30] Each answer takes long: calls wait, connections do not grow, and a lease outlives its work.
 */
import { LIMITS } from "../../src/core/limits"
import { CALLS } from "../gateway/calls"
import { bench, closeBenches } from "../gateway/bench"
import { json } from "../gateway/scripted-server"
import type { Answer } from "../gateway/scripted-server"

afterEach(closeBenches)

/**
 * Holds every answer back until as many calls wait as there are connections, then lets them all go.
 */
function heldBack(bodyOf: (path: string) => unknown, total: number) {
  let arrived = 0
  let waiting: (() => void)[] = []
  const answer: Answer = (response, request) => {
    arrived += 1
    waiting.push(() => json(200, bodyOf(request.path))(response, request))
    if (waiting.length < LIMITS.connectionsPerOrigin && arrived < total) return
    const ready = waiting
    waiting = []
    for (const go of ready) go()
  }
  return answer
}

it("[N30] many calls at once share the pool's connections, and all are answered", async () => {
  const call = CALLS.find(({ operation }) => operation === "status.collection")
  if (!call) throw new Error("There is no call of status.collection")
  const total = 8 * LIMITS.connectionsPerOrigin
  const { server, gateway } = await bench({ answers: [heldBack(() => call.body, total)] })
  const outcomes = await Promise.all(Array.from({ length: total }, () => call.run(gateway)))
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["done"]))
  expect(server.calls).toHaveLength(total)
  expect(server.mostSockets()).toBeLessThanOrEqual(LIMITS.connectionsPerOrigin)
})

it("[N30] a call that is given up gives its connection back", async () => {
  const call = CALLS.find(({ operation }) => operation === "status.source")
  if (!call) throw new Error("There is no call of status.source")
  const { server, gateway } = await bench({
    answers: [
      ...Array.from({ length: LIMITS.connectionsPerOrigin }, (): Answer => () => undefined),
      json(200, call.body),
    ],
  })
  await gateway.token.check()
  const givenUp = await Promise.all(
    Array.from({ length: LIMITS.connectionsPerOrigin }, () =>
      call.run(gateway, { deadlineMs: 2_000 }),
    ),
  )
  expect(new Set(givenUp.map(({ kind }) => kind))).toEqual(new Set(["unknown"]))
  expect((await call.run(gateway)).kind).toBe("done")
  expect(server.openSockets()).toBeLessThanOrEqual(LIMITS.connectionsPerOrigin)
})

it("[N30] a lease is longer than the slowest work under it", () => {
  const slowest = LIMITS.tokenDeadlineMs + LIMITS.executeDeadlineMs + 2 * LIMITS.readDeadlineMs
  expect(LIMITS.leaseMs).toBeGreaterThan(slowest)
})

it("[N30] a check is over while its lease holds, however slow each answer", () => {
  const questions = 4
  const latestEnd =
    LIMITS.tokenDeadlineMs + questions * LIMITS.readDeadlineMs + LIMITS.executeDeadlineMs
  expect(LIMITS.leaseMs).toBeGreaterThan(latestEnd)
})

it("[N30] checks leave half of the connections to shoppers", () => {
  expect(LIMITS.checksInFlight).toBeLessThanOrEqual(LIMITS.connectionsPerOrigin / 2)
})
