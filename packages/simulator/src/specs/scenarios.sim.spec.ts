import {
  collectionStatus,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const executed = async (ending: string) => {
  const ready = await readyToExecute(bench, phoneEnding(ending))
  const answer = await bench
    .call("POST", "/v1/executions/collection", ready.execution)
    .catch(() => null)
  return { ...ready, answer }
}

test.each([
  ["00", 3_000, "PROCESSING", "COMPLETED", "PAID"],
  ["01", 3_000, "PROCESSING", "FAILED", "ACTIVE"],
  ["02", 3_000, "PROCESSING", "FAILED", "ACTIVE"],
  ["03", 600_000, "PROCESSING", "PROCESSING", "PROCESSING"],
  ["04", 240_000, "PROCESSING", "COMPLETED", "PAID"],
  ["05", 86_400_000, "PROCESSING", "PROCESSING", "PROCESSING"],
  ["07", 3_000, "PROCESSING", "FAILED", "ACTIVE"],
  ["07", 63_000, "FAILED", "COMPLETED", "PAID"],
  ["08", 86_400_000, "PENDING", "PENDING", "PROCESSING"],
  ["09", 3_000, "PROCESSING", "COMPLETED", "PAID"],
  ["42", 600_000, "PROCESSING", "PROCESSING", "PROCESSING"],
])("a number ending in %s reads, around %d ms: %s, %s, source %s", async (...row) => {
  const [ending, atMs, before, after, sourceAfter] = row
  const { source, execution } = await executed(ending)
  bench.clock.advance(atMs - 1)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: before })
  bench.clock.advance(1)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: after })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: sourceAfter })
})

test("01 and 02 say why they failed", async () => {
  const declined = await executed("01")
  const poor = await executed("02")
  bench.clock.advance(3_000)
  const reason = async ({ execution }: typeof poor) =>
    (await collectionStatus(bench, execution))["gateway_message"]
  expect(await reason(declined)).toMatch(/declined/i)
  expect(await reason(poor)).toMatch(/insufficient funds/i)
})

test("03 follows the handset", async () => {
  const { source, execution } = await executed("03")
  expect(bench.simulator.handset.pending(phoneEnding("03"))).toHaveLength(1)
  bench.simulator.handset.approve({ reference: String(execution["reference_id"]) })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID" })
  expect(bench.simulator.handset.pending()).toEqual([])
})

test("05 ignores the handset", async () => {
  await executed("05")
  expect(() => bench.simulator.handset.approve(phoneEnding("05"))).toThrow("Nothing waits")
})

test("06 is executed although its answer is cut, and a repeat is answered whole", async () => {
  const { source, execution, answer } = await executed("06")
  expect(answer).toBeNull()
  expect(bench.simulator.book.executions()).toHaveLength(1)
  const repeat = await bench.call("POST", "/v1/executions/collection", execution)
  expect(repeat).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
  bench.clock.advance(3_000)
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID" })
  expect(bench.simulator.book.document(Number(source["source_id"]))?.charges).toBe(1)
})

test("09 reads 1.00 too much once it is paid, not before", async () => {
  const { source } = await executed("09")
  expect(source).toMatchObject({ total_amount: 42.5 })
  expect(await sourceStatus(bench, source)).toMatchObject({ total_amount: 42.5 })
  bench.clock.advance(3_000)
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID", total_amount: 43.5 })
  expect(bench.simulator.book.document(Number(source["source_id"]))?.totalAmount).toBe("42.50")
})

test("the newest plan that fits replaces the scenario, as often as it says", async () => {
  bench.simulator.plan({ outcome: "decline" })
  bench.simulator.plan({ outcome: "approve", phone: phoneEnding("01"), afterMs: 500, times: 1 })
  const approved = await executed("01")
  const declined = await executed("01")
  const other = await executed("00")
  bench.clock.advance(500)
  const statusOf = async ({ execution }: typeof other) =>
    (await collectionStatus(bench, execution))["status"]
  expect(await statusOf(approved)).toBe("COMPLETED")
  expect(await statusOf(declined)).toBe("FAILED")
  expect(await statusOf(other)).toBe("FAILED")
})

test("a plan may put words into the gateway's mouth", async () => {
  bench.simulator.plan({ outcome: "decline", message: "<b>no</b>" })
  const { execution } = await executed("00")
  expect(await collectionStatus(bench, execution)).toMatchObject({
    status: "FAILED",
    gateway_message: "<b>no</b>",
  })
})

test("a cleared plan gives the scenarios back", async () => {
  bench.simulator.plan({ outcome: "decline" })
  bench.simulator.clearPlans()
  const { execution } = await executed("00")
  bench.clock.advance(3_000)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
})

test("speed divides the delays", async () => {
  await bench.close()
  bench = await startBench({ speed: 60 })
  const { execution } = await executed("04")
  bench.clock.advance(4_000)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
})

test("by setting, a failed execution cancels its source", async () => {
  await bench.close()
  bench = await startBench({ afterFailure: "CANCELED" })
  const { source } = await executed("01")
  bench.clock.advance(3_000)
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "CANCELED" })
})
