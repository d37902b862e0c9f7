/** How each fault looks on a real socket, byte by byte where it matters. */
import { connect } from "node:net"

import type { FaultEntry } from "../index"
import {
  checkoutRequest,
  phoneEnding,
  readyToExecute,
  startBench,
  type Bench,
} from "../testing/client"
import { until } from "../testing/until"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

/** Everything that the simulator sends for one bare call, until either side ends it. */
const rawAnswer = async (entry: FaultEntry, isEnough: (text: string) => boolean = () => false) => {
  bench.simulator.faults.script("listFeeTiers", [entry])
  const socket = connect(bench.simulator.port, "localhost")
  const seen = { text: "", error: "" }
  const ended = new Promise((resolve) => socket.once("close", resolve))
  socket.on("error", (error) => (seen.error = "code" in error ? String(error.code) : "error"))
  socket.on("data", (chunk) => {
    seen.text += String(chunk)
    if (isEnough(seen.text)) socket.destroy()
  })
  socket.write("GET /v1/fees/tiers HTTP/1.1\r\nhost: localhost\r\n\r\n")
  await ended
  const [head = "", body = ""] = seen.text.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ")[0]?.toLowerCase(), line.split(": ")[1]]),
  )
  return { statusLine, headers, body, error: seen.error }
}
const header = async (entry: FaultEntry, name = "retry-after") => {
  bench.simulator.faults.script("listFeeTiers", [entry])
  const path = `${bench.simulator.url}/v1/fees/tiers`
  const response = await fetch(path, { redirect: "manual" })
  await response.text()
  return { status: response.status, value: response.headers.get(name) }
}

test.each(["ok", "429"] as const)("%s says when, by the simulator's clock", async (entry) => {
  expect((await header(entry, "date")).value).toBe("Thu, 01 Jan 2026 00:00:00 GMT")
})

test.each([
  ["429", "1"],
  ["429:none", null],
  ["429:seconds", "1"],
  ["429:7", "7"],
  ["429:date", "Thu, 01 Jan 2026 00:00:30 GMT"],
  ["429:past", "Wed, 31 Dec 2025 23:00:00 GMT"],
  ["429:huge", "999999"],
  ["429:junk", "soon"],
  ["503", null],
  ["503:5", "5"],
  ["503:date", "Thu, 01 Jan 2026 00:00:30 GMT"],
] as const)("%s says %p in Retry-After", async (entry, value) => {
  expect(await header(entry)).toEqual({ status: Number(entry.slice(0, 3)), value })
})

test("a reset sends nothing and resets", async () => {
  expect(await rawAnswer("reset")).toMatchObject({ statusLine: "", error: "ECONNRESET" })
})

test("a cut sends half of what its length promises", async () => {
  const { statusLine, headers, body } = await rawAnswer("cut")
  expect(statusLine).toBe("HTTP/1.1 401 Unauthorized")
  const length = Number(headers["content-length"])
  expect(length).toBeGreaterThan(10)
  expect(body).toHaveLength(Math.floor(length / 2))
})

test("a chunked cut has neither a length nor a last chunk", async () => {
  const { headers, body } = await rawAnswer("cut_chunked")
  expect(headers["content-length"]).toBeUndefined()
  expect(headers["transfer-encoding"]).toBe("chunked")
  expect(body).toContain('{"detail"')
  expect(body).not.toMatch(/^0$/m)
})

test("a silent cut ends as a whole answer does, with half of the body", async () => {
  const { statusLine, headers, body, error } = await rawAnswer("cut_silently")
  expect(statusLine).toBe("HTTP/1.1 401 Unauthorized")
  expect(headers["content-length"]).toBeUndefined()
  expect(headers["transfer-encoding"]).toBeUndefined()
  expect(headers["connection"]).toBe("close")
  expect(error).toBe("")
  expect(body.startsWith('{"detail"')).toBe(true)
  expect(() => JSON.parse(body) as unknown).toThrow()
})

test("a silent cut is no error for a caller that does not read the JSON", async () => {
  bench.simulator.faults.script("listFeeTiers", ["cut_silently"])
  const response = await fetch(`${bench.simulator.url}/v1/fees/tiers`)
  expect((await response.text()).length).toBeGreaterThan(0)
})

test("drip sends the answer byte by byte under its whole length", async () => {
  const { headers, body } = await rawAnswer("drip:1", (text) => text.includes('\r\n\r\n{"d'))
  expect(Number(headers["content-length"])).toBeGreaterThan(20)
  expect('{"detail":"Not authenticated"}'.startsWith(body)).toBe(true)
})

test("a caller that leaves a dripping answer leaves nothing behind", async () => {
  await rawAnswer("drip:60000", (text) => text.includes("\r\n\r\n"))
  await bench.close()
  bench = await startBench()
})

test("huge is the true answer with too much in it", async () => {
  bench.simulator.faults.script("listFeeTiers", ["huge:1500000:after"])
  bench.simulator.faults.script("getPaymentSourceStatus", ["huge:after"])
  const { source } = await readyToExecute(bench, phoneEnding("00"))
  const tiers = await bench.call("GET", "/v1/fees/tiers")
  expect(tiers.body).toMatchObject([{}, {}, {}, expect.any(String)])
  const path = `/v1/status/source?source_type=ORDER&source_id=${source["source_id"]}`
  const { body } = await bench.call("GET", path)
  expect(body).toMatchObject({ status: "ACTIVE", total_amount: 42.5 })
  expect(String(body["padding"])).toHaveLength(2 * 1_048_576)
})

test.each([
  ["redirect", 307],
  ["redirect:302", 302],
] as const)("%s leads to the address that was called", async (entry, status) => {
  expect(await header(entry, "location")).toEqual({ status, value: "/v1/fees/tiers" })
})

test("a caller that follows a redirect pays for it, and the count of calls shows it", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.simulator.faults.script("executeCollection", ["redirect"])
  const { status } = await bench.call("POST", "/v1/executions/collection", execution)
  expect(status).toBe(200)
  expect(bench.simulator.calls["executeCollection"]).toBe(2)
  expect(bench.simulator.book.executions()).toHaveLength(1)
})

test("422 says what is wrong in a list, or in plain text", async () => {
  bench.simulator.faults.script("listFeeTiers", ["422", "422:text"])
  const list = await bench.call("GET", "/v1/fees/tiers")
  const text = await bench.call("GET", "/v1/fees/tiers")
  expect([list.body["detail"], text.body["detail"]]).toEqual([
    [expect.objectContaining({ loc: ["body"] })],
    "Refused by script",
  ])
})

test("a slow call is carried out late, also when its caller has gone", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const reference = String(execution["reference_id"])
  bench.simulator.faults.script("executeCollection", ["slow:60"])
  const leaving = new AbortController()
  const lost = fetch(`${bench.simulator.url}/v1/executions/collection`, {
    method: "POST",
    headers: { ...(await authorization()), "content-type": "application/json" },
    body: JSON.stringify(execution),
    signal: leaving.signal,
  }).catch(() => "lost")
  await until(() => bench.simulator.calls["executeCollection"] === 1)
  expect(bench.simulator.book.execution(reference)).toBeUndefined()
  leaving.abort()
  expect(await lost).toBe("lost")
  await until(() => bench.simulator.book.execution(reference) !== undefined)
})

test("a slow answer is the answer of a call that was carried out at once", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.simulator.faults.script("executeCollection", ["slow:60:after"])
  const answer = bench.call("POST", "/v1/executions/collection", execution)
  await until(() => bench.simulator.book.execution(String(execution["reference_id"])) !== undefined)
  expect(await answer).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
})

test("a slow call ends with the simulator, and is not carried out then", async () => {
  const slow = await startBench()
  const request = checkoutRequest()
  slow.simulator.faults.script("createCheckoutSource", ["slow:600000"])
  const lost = slow.call("POST", "/v1/checkouts/create", request).catch(() => "lost")
  await until(() => slow.simulator.calls["createCheckoutSource"] === 1)
  await slow.close()
  expect(await lost).toBe("lost")
  expect(slow.simulator.book.documents()).toEqual([])
})

const authorization = async () => {
  const credentials = { client_id: "simulator-client", client_secret: "simulator-secret" }
  const { body } = await bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
  return { authorization: `Bearer ${String(body["access_token"])}` }
}
