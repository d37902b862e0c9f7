/** Connections refused by the operating system, and the rate limit. */
import { once } from "node:events"
import { connect } from "node:net"

import { startBench, type Bench } from "../testing/client"
import { until } from "../testing/until"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

/** `accepted`, or the error code of the operating system. */
const knocked = async (host = "127.0.0.1"): Promise<string> => {
  const socket = connect(bench.simulator.port, host)
  try {
    await once(socket, "connect")
    return "accepted"
  } catch (error) {
    return typeof error === "object" && error && "code" in error ? String(error.code) : "error"
  } finally {
    socket.destroy()
  }
}
const untilAccepted = () => until(async () => (await knocked()) === "accepted")
const listed = async () => (await bench.call("GET", "/v1/fees/tiers")).status

test("the operating system refuses connections until they are accepted again", async () => {
  expect(await knocked()).toBe("accepted")
  await bench.simulator.connections.refuse()
  expect(await knocked()).toBe("ECONNREFUSED")
  expect(await knocked("localhost")).toBe("ECONNREFUSED")
  await bench.simulator.connections.accept()
  expect(await listed()).toBe(200)
})

test("a connection that was kept is cut, and a call on the way with it", async () => {
  bench.simulator.faults.script("listFeeTiers", ["hang"])
  const lost = listed().catch(() => "lost")
  await until(() => bench.simulator.calls["listFeeTiers"] === 1)
  await bench.simulator.connections.refuse()
  expect(await lost).toBe("lost")
  await bench.simulator.connections.accept()
})

test("after the time that was asked for it accepts again by itself", async () => {
  await bench.simulator.connections.refuse(500)
  expect(await knocked()).toBe("ECONNREFUSED")
  await untilAccepted()
})

test("refused twice and accepted at once it is open", async () => {
  const { connections } = bench.simulator
  await Promise.all([connections.refuse(), connections.refuse(60_000), connections.accept()])
  expect(await listed()).toBe(200)
})

test("a call that meets refuse is lost, and the next ones find nobody for a while", async () => {
  bench.simulator.faults.script("listFeeTiers", ["refuse:500"])
  expect(await listed().catch(() => "lost")).toBe("lost")
  expect(await knocked()).toBe("ECONNREFUSED")
  await untilAccepted()
  expect(await listed()).toBe(200)
})

test("connections are refused over HTTP for a time", async () => {
  const path = "/_simulator/connections/refuse"
  expect((await bench.call("POST", path, { forMs: 500 })).status).toBe(200)
  await until(async () => (await knocked()) === "ECONNREFUSED")
  await untilAccepted()
  expect((await bench.call("POST", path, {})).status).toBe(400)
})

test("one that is closed stays closed, whatever it is told afterwards", async () => {
  const { connections } = bench.simulator
  await bench.close()
  await connections.refuse(1)
  await connections.accept()
  expect(await knocked()).toBe("ECONNREFUSED")
  bench = await startBench()
})

test("a simulator that lets nobody in can be closed", async () => {
  const { connections } = bench.simulator
  await connections.refuse(60_000)
  await bench.close()
  bench = await startBench()
})

test("calls above the limit answer 429 until the next second", async () => {
  await bench.close()
  bench = await startBench({ requestsPerSecond: 2 })
  bench.clock.advance(1_000)
  expect([await listed(), await listed(), await listed()]).toEqual([200, 200, 429])
  const { headers } = await fetch(`${bench.simulator.url}/v1/fees/tiers`)
  expect(headers.get("retry-after")).toBeNull()
  bench.clock.advance(1_000)
  expect([await listed(), await listed(), await listed()]).toEqual([200, 200, 429])
  expect(bench.simulator.contractViolations).toEqual([])
})

test("the limit says when to come back", async () => {
  await bench.close()
  bench = await startBench({ requestsPerSecond: 1 })
  const credentials = { client_id: "simulator-client", client_secret: "simulator-secret" }
  const { status, headers } = await fetch(`${bench.simulator.url}/v1/jwt/client/obtain/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  })
  expect([status, headers.get("retry-after")]).toEqual([429, "1"])
})

test("one merchant's calls do not use up another's", async () => {
  await bench.close()
  const other = { ownerId: 2, clientId: "other", clientSecret: "secret", name: "Other" }
  bench = await startBench({ requestsPerSecond: 1, merchants: [other] })
  bench.clock.advance(1_000)
  const { body } = await bench.call(
    "POST",
    "/v1/jwt/client/obtain/token",
    { client_id: "other", client_secret: "secret" },
    {},
  )
  const theirs = { authorization: `Bearer ${String(body["access_token"])}` }
  expect([await listed(), await listed()]).toEqual([200, 429])
  expect((await bench.call("GET", "/v1/fees/tiers", undefined, theirs)).status).toBe(200)
})

test.each([-1, 0.5])(
  "a limit of %d calls a second is refused by name",
  async (requestsPerSecond) => {
    await expect(startBench({ requestsPerSecond })).rejects.toThrow("requestsPerSecond")
  },
)

test("faults can be there from the start, by script and by chance", async () => {
  await bench.close()
  bench = await startBench({
    faults: { listFeeTiers: ["500"] },
    randomFaults: { seed: "1", rate: 1, kinds: ["404"], operations: ["listOrders"] },
  })
  expect([await listed(), await listed()]).toEqual([500, 200])
  expect((await bench.call("GET", "/v1/orders/list")).status).toBe(404)
})

test("a script for an operation that does not exist ends the start with a sentence", async () => {
  await expect(startBench({ faults: { listOrder: ["500"] } })).rejects.toThrow("listOrder")
})

test("scripts, chance and history are set and read over HTTP", async () => {
  const path = "/_simulator/faults"
  await bench.call("POST", path, { operation: "listFeeTiers", call: 2, fault: "429:date" })
  await bench.call("POST", path, { operation: "listOrders", script: ["ok", "500:after"] })
  await bench.call("POST", path, {
    random: { seed: "x", rate: 1, kinds: ["502"], operations: ["listInvoices"] },
  })
  expect([await listed(), await listed(), await listed()]).toEqual([200, 429, 200])
  expect((await bench.call("GET", "/v1/invoices/list")).status).toBe(502)
  expect((await bench.call("GET", path)).body).toEqual({
    scripts: [
      { operation: "listOrders", call: 1, fault: "ok" },
      { operation: "listOrders", call: 2, fault: "500:after" },
    ],
    random: { seed: "x", rate: 1, kinds: ["502"], operations: ["listInvoices"] },
    history: [
      { operation: "listFeeTiers", call: 2, fault: "429:date:before", origin: "script" },
      { operation: "listInvoices", call: 1, fault: "502:before", origin: "random" },
    ],
  })
  await bench.call("POST", path, { random: null })
  expect((await bench.call("GET", "/v1/invoices/list")).status).toBe(200)
  await bench.call("DELETE", path)
  expect((await bench.call("GET", path)).body).toMatchObject({ scripts: [], random: null })
})

test.each([
  { operation: "listFeeTiers", call: 0, fault: "500" },
  { operation: "listFeeTiers", call: 1, fault: "501" },
  { operation: "listNothing", call: 1, fault: "500" },
  { random: { seed: "1", rate: 2 } },
  { random: { seed: "1", rate: 1, kinds: ["501"] } },
  { random: { seed: "1", rate: 1, operations: ["listNothing"] } },
])("%p answers 400", async (body) => {
  expect((await bench.call("POST", "/_simulator/faults", body)).status).toBe(400)
})
