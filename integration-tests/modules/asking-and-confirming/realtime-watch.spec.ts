/** The gateway's realtime channel brings forward the checks of payments on screen, and proves nothing. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import http, { type ServerResponse } from "node:http"
import type { FaultEntry } from "../../../packages/simulator/src"
import { realtimeWatch, type RealtimeWatch } from "../../../src/checkout/live/realtime-watch"
import { LIMITS } from "../../../src/core/limits"
import type { MedusaOperation, Operation } from "../../../src/core/operation"
import { systemClock, type Clock } from "../../../src/core/ports"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { until } from "../../support/until"
import { actsIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"
import { PHONE } from "../../support/flows-harness"

const harness = useFlowsHarness()
const { start, reread } = actsIn(harness)
const KEYS = "createCollectionRealtimeKey"
const CHANGE = `event: change\ndata: {"record":{"status":"COMPLETED"}}\n\n`

let nowMs = 0
/** Lets a pause between two statements end. */
let wake: () => void = () => undefined
const clock: Clock = {
  ...systemClock,
  monotonicMs: () => nowMs,
  sleep: () => new Promise((resolve) => (wake = resolve)),
}
const statements: string[] = []
const forwards = () => statements.filter((sql) => sql.includes("'submitted', 'in_flight'")).length
const spares = () => statements.filter((sql) => sql.includes("returning a.id")).length

/** A channel that sends everyone what the test writes. */
const streams: ServerResponse[] = []
const server = http.createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n")
  streams.push(response)
})
let serverUrl = ""

/** How many requests for a channel were answered. */
let joined = 0
const countJoined = (message: unknown) => {
  const { request } = message as { request: { path: string } }
  if (request.path.startsWith("/realtime")) joined += 1
}

beforeAll(async () => {
  subscribe("undici:request:headers", countJoined)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  serverUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})

afterAll(() => {
  unsubscribe("undici:request:headers", countJoined)
  server.closeAllConnections()
  server.close()
})

let watch: RealtimeWatch
let collections: string[] = []

beforeEach(() => {
  forgetPlans(harness)
  harness.simulator.resetCalls()
  statements.length = streams.length = joined = 0
  const deps: FlowDeps = {
    ...harness.deps,
    clock,
    database: {
      query: (sql, ...rest) => {
        statements.push(sql)
        return harness.deps.database.query(sql, ...rest)
      },
    },
  }
  watch = realtimeWatch(deps)
  collections = []
})

afterEach(() => {
  for (const collectionId of collections) watch.see(collectionId, undefined)
  expect(harness.logged.join("\n")).not.toMatch(/Bearer|eyJ/)
})

/** A payment whose prompt is out, with its next check in an hour, and the account's channel. */
async function waiting(url: string): Promise<MedusaOperation> {
  await harness.ledger.sql(
    "update mp_account set realtime_url = $1, checks_left = 20, checks_paused_until = null",
    [url],
  )
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  collections.push(collectionId)
  const operation = await harness.shown(collectionId)
  await harness.ledger.sql(
    `update mp_operation set next_check_at = now() + interval '1 hour', checked_at = now()
      where id = $1`,
    [operation.id],
  )
  return operation
}

const see = (operation: MedusaOperation) => watch.see(operation.paymentCollectionId, operation)
const leave = (operation: MedusaOperation) => watch.see(operation.paymentCollectionId, undefined)
const keysAsked = () => harness.simulator.calls[KEYS] ?? 0

/** Milliseconds from the last answer to the next check. */
async function gapOf({ id }: Operation): Promise<number> {
  const [row] = await harness.ledger.sql(
    `select extract(epoch from next_check_at - checked_at) * 1000 as ms from mp_operation
      where id = $1`,
    [id],
  )
  return Number(row?.["ms"])
}

const isForward = async (operation: Operation) => (await gapOf(operation)) < 60_000

/** Until something is so, while each reading of the board sees the payment again. */
const untilSeen = <T>(operation: MedusaOperation, fact: () => T | undefined, what: string) =>
  until(async () => {
    see(operation)
    return fact()
  }, what)

/** By the test's own channel. */
const joinedTo = (operation: MedusaOperation): Promise<ServerResponse> =>
  untilSeen(operation, () => streams.at(-1), "the channel is joined")

it("an update from the gateway brings the next check forward, which finds the money", async () => {
  const operation = await waiting(harness.simulator.url)
  await untilSeen(operation, () => joined === 1, "the channel is joined")
  expect(await isForward(operation)).toBe(false)
  harness.simulator.handset.approve(PHONE.slice(1))
  await until(() => isForward(operation), "the next check is brought forward")
  await checkNow(harness.deps, operation.id)
  expect((await reread(operation)).state).toBe("completed")
})

it("an update that isn't true changes nothing, because the gateway is asked", async () => {
  const operation = await waiting(serverUrl)
  const stream = await joinedTo(operation)
  stream.write(CHANGE)
  await until(() => isForward(operation), "the next check is brought forward")
  await checkNow(harness.deps, operation.id)
  expect((await reread(operation)).state).toBe("in_flight")
})

it("a flood of updates makes one statement, and no more checks than a shopper on screen does", async () => {
  const operation = await waiting(serverUrl)
  const stream = await joinedTo(operation)
  stream.write(`data: nonsense without an end ${"x".repeat(200_000)}`)
  for (let update = 0; update < 50; update += 1) stream.write(`\n\n${CHANGE.repeat(20)}`)
  await until(() => isForward(operation), "the next check is brought forward")
  stream.end()
  await once(stream, "close")
  expect(forwards()).toBe(1)
  expect(await gapOf(operation)).toBeGreaterThanOrEqual(LIMITS.waitingCheckFloorMs - 1)
  wake()
  await until(async () => forwards() === 2, "what came in the pause is not lost")
})

it.each([
  ["a key that is answered with 500", ["500"] as FaultEntry[], () => serverUrl],
  ["a key that can't be read", ["shape"] as FaultEntry[], () => serverUrl],
  ["a channel where nothing listens", [] as FaultEntry[], () => "http://127.0.0.1:9"],
])("%s leaves the checks as they are and is tried again later", async (_name, script, url) => {
  const operation = await waiting(url())
  harness.simulator.faults.script(KEYS, script)
  await untilSeen(operation, () => keysAsked() === 1, "the key is asked for")
  // Each reading of the board sees the payment again.
  for (let seen = 0; seen < 20; seen += 1) {
    see(operation)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(keysAsked()).toBe(1)
  expect(await isForward(operation)).toBe(false)
  await untilSeen(
    operation,
    () => {
      nowMs += LIMITS.realtimeRetryMs
      return keysAsked() > 1
    },
    "the key is asked for again",
  )
})

it("a key is fetched once for its lifetime while pages come and go, and again afterwards", async () => {
  const operation = await waiting(serverUrl)
  await joinedTo(operation)
  const gone = once(streams[0] ?? server, "close")
  leave(operation)
  await gone
  await untilSeen(operation, () => streams.length === 2, "the channel is joined again")
  nowMs += 299_000
  see(operation)
  expect(keysAsked()).toBe(1)
  nowMs += 2_000
  await untilSeen(operation, () => streams.length === 3, "the channel is joined with another key")
  expect(keysAsked()).toBe(2)
})

it("a payment that has ended leaves its channel", async () => {
  const operation = await waiting(serverUrl)
  const stream = await joinedTo(operation)
  const gone = once(stream, "close")
  watch.see(operation.paymentCollectionId, { ...operation, state: "completed" })
  await gone
})

it("a key is never fetched with the budget that checks need", async () => {
  const operation = await waiting(serverUrl)
  await harness.ledger.sql("update mp_account set checks_paused_until = now() + interval '1 hour'")
  await untilSeen(operation, () => spares() > 1, "the budget was asked twice")
  expect(keysAsked()).toBe(0)
  await harness.ledger.sql("update mp_account set checks_paused_until = null")
})
