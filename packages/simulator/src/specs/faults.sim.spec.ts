import type { FaultEntry } from "../index"
import { phoneEnding, readyToExecute, startBench, type Bench } from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

/**
 * What a caller sees of one faulted execution call: a status, or `lost` if no whole answer came.
 */
const seen = async (entry: FaultEntry) => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.simulator.faults.script("executeCollection", [entry])
  const answer = await bench.call("POST", "/v1/executions/collection", execution).catch(() => null)
  return {
    answer: answer?.status ?? "lost",
    body: answer?.body ?? null,
    isExecuted: bench.simulator.book.execution(String(execution["reference_id"])) !== undefined,
  }
}

test.each([
  ["ok", 200, true],
  ["500", 500, false],
  ["500:after", 500, true],
  ["503:after", 503, true],
  ["401", 401, false],
  ["403", 403, false],
  ["404", 404, false],
  ["422", 422, false],
  ["429", 429, false],
  ["reset", "lost", false],
  ["reset:after", "lost", true],
  ["cut", "lost", true],
  ["html", "lost", false],
  ["html:after", "lost", true],
  ["cut:before", "lost", false],
  ["cut_chunked", "lost", true],
  ["cut_chunked:before", "lost", false],
  ["cut_silently", "lost", true],
  ["cut_silently:before", "lost", false],
  ["refuse:0", "lost", false],
  ["refuse:0:after", "lost", true],
  ["huge", 200, false],
  ["huge:after", 200, true],
  ["slow:1", 200, true],
  ["slow:1:after", 200, true],
  ["drip:0", 200, true],
  ["drip:0:before", 200, false],
  ["400:after", 400, true],
  ["408:after", 408, true],
  ["409", 409, false],
  ["425", 425, false],
  ["502:after", 502, true],
  ["504:after", 504, true],
] as const)("%s is seen as %p; carried out: %p", async (entry, answer, isExecuted) => {
  expect(await seen(entry)).toMatchObject({ answer, isExecuted })
})

test("shape is a success without the fields that it must have", async () => {
  expect(await seen("shape:after")).toEqual({
    answer: 200,
    body: { unexpected: true },
    isExecuted: true,
  })
})

test("hang holds the connection until somebody closes it", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.simulator.faults.script("executeCollection", ["hang:after"])
  let isAnswered = false
  const call = bench
    .call("POST", "/v1/executions/collection", execution)
    .catch(() => null)
    .finally(() => (isAnswered = true))
  const reference = String(execution["reference_id"])
  // Each turn of the loop lets the request proceed. If it is never carried out, the test's own time
  // limit ends the loop.
  while (bench.simulator.book.execution(reference) === undefined) {
    await new Promise(setImmediate)
  }
  expect(isAnswered).toBe(false)
  await bench.close()
  expect(await call).toBeNull()
  bench = await startBench()
})

test("429 says when to come back", async () => {
  bench.simulator.faults.script("clientObtainToken", ["429"])
  const response = await fetch(`${bench.simulator.url}/v1/jwt/client/obtain/token`, {
    method: "POST",
  })
  expect(response.headers.get("retry-after")).toBe("1")
})

test("faulted calls are counted too", async () => {
  bench.simulator.faults.script("listOrders", ["500", "reset"])
  for (let call = 0; call < 3; call += 1) {
    await bench.call("GET", "/v1/orders/list").catch(() => null)
  }
  expect(bench.simulator.calls).toEqual({ listOrders: 3 })
})

test("latency holds back answers of the API and not the pages", async () => {
  await bench.close()
  bench = await startBench({ latencyMs: 1_000 })
  const answered: string[] = []
  const ask = async (path: string) => {
    await fetch(`${bench.simulator.url}${path}`)
    answered.push(path)
  }
  await Promise.all([ask("/v1/orders/list"), ask("/handset")])
  expect(answered).toEqual(["/handset", "/v1/orders/list"])
})
