/** A list that is read while it arrives, over a real socket. */
import type { ServerResponse } from "node:http"
import { bench, closeBenches } from "../../../../integration-tests/gateway/bench"
import {
  html,
  json,
  reset,
  type Answer,
} from "../../../../integration-tests/gateway/scripted-server"
import { LIMITS } from "../terms/limits"
import { ownStateWords } from "../terms/state-words"

afterEach(closeBenches)

const MANY = 100_000

const order = (id: number, more: object = {}) => ({
  id,
  order_number: `ORD-2026-${id}`,
  counterparty_id: 3,
  currency: "USD",
  total_amount: "19.99",
  status: "PAID",
  reference_id: `reference-${id}`,
  note: `A lamp of light for the shop's counter, number ${id}: “é]},{[”`,
  ...more,
})

const write = async (response: ServerResponse, text: string) => {
  if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve))
}

/** Sends orders made on the way. `cutAfter`: ends the connection after so many of them. */
function orders(count: number, cutAfter = count, odd: (id: number) => object = () => ({})): Answer {
  return (response) => {
    const send = async () => {
      response.writeHead(200, { "content-type": "application/json" })
      for (let id = 1; id <= cutAfter; id++) {
        await write(response, `${id === 1 ? "[" : ","}${JSON.stringify(order(id, odd(id)))}`)
      }
      if (cutAfter < count) return void response.socket?.destroySoon()
      response.end("]")
    }
    void send()
  }
}

const idsIn = (batch: readonly { readonly id: number }[]) => batch.map(({ id }) => id)

it("has every element of a list that is longer than what is kept whole, some at a time", async () => {
  let bytes = 0
  const server = await bench({
    answers: [
      (response, request) => {
        const end = response.end.bind(response)
        response.end = ((...given: Parameters<typeof end>) => {
          bytes = response.socket?.bytesWritten ?? 0
          return end(...given)
        }) as typeof response.end
        orders(MANY)(response, request)
      },
    ],
  })
  let next = 1
  let most = 0
  let atWork = 0
  const outcome = await server.gateway.orders.stream({ status: "PAID" }, async (batch) => {
    atWork += 1
    expect(atWork).toBe(1)
    most = Math.max(most, batch.length)
    for (const { id, total } of batch) {
      if (id !== next || total?.minor !== 1_999n) throw new Error(`another element: ${id}`)
      next += 1
    }
    await new Promise((resolve) => setImmediate(resolve))
    atWork -= 1
  })
  expect(outcome).toEqual({ kind: "done", value: { count: MANY } })
  expect([next - 1, most]).toEqual([MANY, LIMITS.listBatchMax])
  expect(bytes).toBeGreaterThan(LIMITS.listBodyLimitBytes)
  expect(server.server.calls.map(({ path }) => path)).toEqual(["/v1/orders/list?status=PAID"])
})

it("that is kept whole ends at its limit, as it says", async () => {
  const { gateway } = await bench({ answers: [orders(MANY)] })
  expect(await gateway.orders.list()).toMatchObject({
    kind: "unknown",
    error: { reason: "too_large" },
  })
})

it("is not whole when it is cut, and is not asked for again once a part was handed over", async () => {
  const { gateway, server } = await bench({ answers: [orders(5_000, 2_000)] })
  const ids: number[] = []
  const outcome = await gateway.orders.stream({}, (batch) => void ids.push(...idsIn(batch)))
  expect(outcome).toMatchObject({ kind: "unknown", error: { reason: "connection_lost" } })
  expect(ids.length % LIMITS.listBatchMax).toBe(0)
  expect(new Set(ids).size).toBe(ids.length)
  expect(server.calls).toHaveLength(1)
})

it.each<readonly [string, Answer]>([
  ["a reset", reset],
  ["a cut before the first batch", orders(5_000, 3)],
  ["a failure", json(503, {})],
])("is asked for again after %s", async (_what, first) => {
  const { gateway, server } = await bench({ answers: [first, orders(3)] })
  const ids: number[] = []
  expect(await gateway.orders.stream({}, (batch) => void ids.push(...idsIn(batch)))).toEqual({
    kind: "done",
    value: { count: 3 },
  })
  expect([ids, server.calls.length]).toEqual([[1, 2, 3], 2])
})

const whole = (body: string): Answer => {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(body)
  }
}

it.each<readonly [string, Answer, string, readonly unknown[] | undefined]>([
  ["a page", html, "html", undefined],
  ["an object", json(200, { detail: "no list" }), "wrong_shape", [{ path: "" }]],
  ["half a list", whole(`[${JSON.stringify(order(1))}`), "not_json", undefined],
  ["more after a list", whole("[] []"), "not_json", undefined],
  ["an element that is none", json(200, [order(1), 7]), "wrong_shape", [{ path: "1" }]],
  ["an amount that is none", json(200, [order(1, { total_amount: "1,250" })]), "wrong_shape", [{}]],
  ["an element as long as a list", whole(`["${"x".repeat(1_100_000)}"]`), "too_large", undefined],
  ["a text as long as a list", whole(`"${"x".repeat(1_100_000)}"`), "too_large", undefined],
])("hands over nothing of %s", async (_what, answer, reason, fields) => {
  const { gateway } = await bench({ answers: [answer] })
  const outcome = await gateway.orders.stream({}, () => {
    throw new Error("handed over")
  })
  expect(outcome).toMatchObject({ kind: "unknown", error: { reason, ...(fields && { fields }) } })
})

it("hands over an empty list as what it is", async () => {
  const { gateway } = await bench({ answers: [json(200, [])] })
  expect(await gateway.orders.stream({}, () => undefined)).toEqual({
    kind: "done",
    value: { count: 0 },
  })
})

it("refuses a filter that is none before anything is sent, and reads a refusal", async () => {
  const { gateway, server } = await bench({ answers: [json(403, { detail: "Not verified" })] })
  const none = { status: "DONE" } as unknown as { status: "PAID" }
  expect((await gateway.orders.stream(none, () => undefined)).kind).toBe("not_sent")
  expect(server.calls).toHaveLength(0)
  expect(await gateway.orders.stream({}, () => undefined)).toMatchObject({
    kind: "refused",
    error: { code: "GATEWAY_FORBIDDEN", detail: "Not verified" },
  })
})

it("ends with what its caller throws, and reads no more", async () => {
  const { gateway } = await bench({ answers: [orders(MANY)] })
  let batches = 0
  const thrown = new Error("the lease is lost")
  const reading = gateway.orders.stream({}, () => {
    batches += 1
    return Promise.reject(thrown)
  })
  await expect(reading).rejects.toBe(thrown)
  expect(batches).toBe(1)
})

it("hands over nothing after its caller has gone, and ends with the batch at work", async () => {
  const { gateway } = await bench({ answers: [orders(MANY)] })
  const leaving = new AbortController()
  const ended: string[] = []
  const outcome = await gateway.orders.stream(
    {},
    async () => {
      leaving.abort()
      await new Promise((resolve) => setImmediate(resolve))
      ended.push("batch")
    },
    { signal: leaving.signal },
  )
  ended.push("call")
  expect(outcome).toMatchObject({ kind: "unknown", error: { reason: "aborted" } })
  expect(ended).toEqual(["batch", "call"])
})

it("reads an account's own words for states", async () => {
  const words = ownStateWords({ "source.PAID": "settled" }).words
  const settled = orders(2, 2, (id) => (id === 1 ? { status: "Settled" } : {}))
  const { gateway } = await bench({ answers: [settled] }, { stateWords: () => words })
  const read: string[] = []
  await gateway.orders.stream({}, (batch) => void read.push(...batch.map(({ status }) => status)))
  expect(read).toEqual(["PAID", "PAID"])
})
