import {
  MINUTE_MS,
  collectionStatus,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
} from "./testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

test("a collection is PROCESSING, then COMPLETED, and its source is PAID with what was asked", async () => {
  const { source, execute } = await readyToExecute(bench, phoneEnding("00"))
  expect(source).toMatchObject({ source_status: "ACTIVE", total_amount: 42.5, currency: "USD" })

  const { status, body } = await bench.call("POST", "/v1/executions/collection", execute)
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: "PROCESSING", reference_id: execute["reference_id"] })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PROCESSING", paid_at: null })

  const executedAtMs = bench.clock.now()
  bench.clock.advance(MINUTE_MS)
  expect(await collectionStatus(bench, execute)).toMatchObject({ status: "COMPLETED" })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID", total_amount: 42.5 })
  expect(bench.simulator.book.execution(String(execute["reference_id"]))).toMatchObject({
    completedAtMs: executedAtMs + 3_000,
    charges: 1,
  })
})
