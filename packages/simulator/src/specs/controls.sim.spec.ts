import { startSimulator } from "../index"
import {
  checkoutRequest,
  phoneEnding,
  readyToExecute,
  startBench,
  type Bench,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

test("plans, prompts, calls and the book are within reach over HTTP", async () => {
  await bench.call("POST", "/_simulator/plans", { outcome: "handset" })
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const { reference_id: reference } = execution
  await bench.call("POST", "/v1/executions/collection", execution)
  expect((await bench.call("GET", "/_simulator/handset")).body).toMatchObject([{ reference }])
  await bench.call("POST", "/_simulator/handset/approve", { phone: phoneEnding("00") })
  expect((await bench.call("GET", "/_simulator/book")).body).toMatchObject({
    executions: [{ reference, status: "COMPLETED", charges: 1 }],
    documents: [{ status: "PAID", charges: 1 }],
  })
  expect((await bench.call("GET", "/_simulator/calls")).body).toMatchObject({
    executeCollection: 1,
  })
  await bench.call("POST", "/_simulator/reset-calls")
  expect((await bench.call("GET", "/_simulator/calls")).body).toEqual({})
  expect((await bench.call("GET", "/_simulator/contract-violations")).body).toEqual([])
})

test("faults are scripted and cleared over HTTP", async () => {
  const script = { operation: "listOrders", script: ["500", "500"] }
  await bench.call("POST", "/_simulator/faults", script)
  expect((await bench.call("GET", "/v1/orders/list")).status).toBe(500)
  await bench.call("DELETE", "/_simulator/faults")
  expect((await bench.call("GET", "/v1/orders/list")).status).toBe(200)
})

test("the hosted page is paid and left over HTTP", async () => {
  const { body } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  const sourceId = body["source_id"]
  const left = await bench.call("POST", "/_simulator/hosted/cancel", { sourceId })
  expect(left.body).toEqual({ cancelUrl: null })
  const pay = () =>
    bench.call("POST", "/_simulator/hosted/pay", { sourceId, payment: { method: "card" } })
  expect((await pay()).body).toMatchObject({ status: "COMPLETED", channel: "hosted" })
  expect((await pay()).status).toBe(409)
})

test.each([
  ["/_simulator/plans", { outcome: "maybe" }, 400],
  ["/_simulator/faults", { operation: "listOrders", script: ["501"] }, 400],
  ["/_simulator/faults", { operation: "listTables", script: ["500"] }, 400],
  ["/_simulator/handset/approve", { phone: "231770000042" }, 404],
  ["/_simulator/handset/approve", {}, 400],
  ["/_simulator/hosted/pay", { sourceId: 1, payment: { method: "card" } }, 409],
])("%s with %p answers %d", async (path, body, status) => {
  expect((await bench.call("POST", path, body)).status).toBe(status)
})

test("a taken port is named", async () => {
  const { port } = bench.simulator
  await expect(startSimulator({ port })).rejects.toThrow(`Port ${port} is taken`)
})

test.each(["production", "Production", " PRODUCTION ", "prod", "live", "pre-production", "prd"])(
  "[D15] it does not start where NODE_ENV is %j, which may mean production",
  async (value) => {
    const environment = process.env["NODE_ENV"]
    process.env["NODE_ENV"] = value
    try {
      await expect(startSimulator({ port: 0 })).rejects.toThrow(`NODE_ENV=${value.trim()}`)
    } finally {
      process.env["NODE_ENV"] = environment
    }
  },
)

test.each([{ speed: 0 }, { latencyMs: -1 }, { tokenLifeMinutes: 0.5 }, { port: 70_000 }])(
  "%p is refused by name",
  async (options) => {
    await expect(startSimulator({ port: 0, ...options })).rejects.toThrow(Object.keys(options)[0])
  },
)
