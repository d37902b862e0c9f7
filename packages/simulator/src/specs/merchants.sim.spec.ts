import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import {
  checkoutRequest,
  credentialsOf,
  MINUTE_MS,
  phoneEnding,
  readyToExecute,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"
import { fieldOf } from "../testing/money-out"

const OTHER = {
  ownerId: 2,
  clientId: "other",
  clientSecret: "secret",
  name: "Other",
  type: "MICRO_ORGANIZATION",
  email: "other@shop.example",
  phone: phoneEnding("77"),
} as const

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER] })
})
afterEach(() => bench.close())

const folder = mkdtempSync(join(tmpdir(), "simulator-merchants-"))
afterAll(() => rmSync(folder, { recursive: true }))

const tokenOf = (clientSecret: string, clientId = "simulator-client") =>
  bench.call("POST", "/v1/jwt/client/obtain/token", credentialsOf({ clientId, clientSecret }), {})
const asOther = async (method: string, path: string, body?: unknown) => {
  const { body: token } = await tokenOf(OTHER.clientSecret, OTHER.clientId)
  const headers = { authorization: `Bearer ${String(token["access_token"])}` }
  return bench.call(method, path, body, headers)
}

describe("merchant info", () => {
  const path = (id: number | string, type: string) =>
    `/v1/merchants/merchant-info?merchant_id=${id}&merchant_type=${type}`

  test("is the profile of the token's merchant", async () => {
    expect((await bench.call("GET", path(1, "ORGANIZATION"))).body).toEqual({
      id: 1,
      name: "Demo Shop",
      type: "ORGANIZATION",
      email: null,
      phone: null,
    })
    const { clientId, clientSecret, ownerId, ...profile } = OTHER
    expect([clientId, clientSecret]).toEqual(["other", "secret"])
    expect((await asOther("GET", path(2, "MICRO_ORGANIZATION"))).body).toEqual({
      id: ownerId,
      ...profile,
    })
  })

  test.each([
    ["another merchant's id", 2, "MICRO_ORGANIZATION", 404],
    ["the wrong type", 1, "MICRO_ORGANIZATION", 404],
    ["a type that merchants cannot have", 1, "USER", 422],
    ["an id that is no number", "one", "ORGANIZATION", 422],
  ])("with %s is refused", async (_, id, type, status) => {
    expect((await bench.call("GET", path(id, type))).status).toBe(status)
  })
})

describe("a realtime key", () => {
  const requested = (body: Json) => bench.call("POST", "/v1/realtime-keys/collection", body)
  const request = async () => {
    const { execution } = await readyToExecute(bench, phoneEnding("03"))
    const { session_id: sessionId, reference_id: reference } = execution
    return {
      execution,
      key: { session_id: Number(sessionId), source_type: "ORDER", reference_id: reference },
    }
  }

  test("is made before and after the execution, another one each time, in seconds", async () => {
    const { execution, key } = await request()
    const first = await requested(key)
    expect(first).toMatchObject({ status: 200, body: { expires_in: 300 } })
    await bench.call("POST", "/v1/executions/collection", execution)
    bench.clock.advance(30 * MINUTE_MS)
    const second = await requested(key)
    expect(second.status).toBe(200)
    expect(second.body["access_token"]).not.toBe(first.body["access_token"])
  })

  test("is no bearer token", async () => {
    const { body } = await requested((await request()).key)
    const headers = { authorization: `Bearer ${String(body["access_token"])}` }
    expect((await bench.call("GET", "/v1/orders/list", undefined, headers)).status).toBe(401)
  })

  test.each([
    ["an unknown session", { session_id: 1 }, "session_id"],
    ["a session in text", { session_id: "60001" }, "session_id"],
    ["another type of source", { source_type: "INVOICE" }, "source_type"],
    ["a reserved type of source", { source_type: "SUBSCRIPTION" }, "source_type"],
    ["a reference that is no UUID v4", { reference_id: "cart_1" }, "reference_id"],
  ])("is not made for %s", async (_, change, field) => {
    const { key } = await request()
    const answer = await requested({ ...key, ...change })
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", field]])
  })

  test("is not made for a reference of another execution", async () => {
    const [one, other] = [await request(), await request()]
    await bench.call("POST", "/v1/executions/collection", one.execution)
    for (const key of [
      { ...one.key, reference_id: other.key.reference_id },
      { ...other.key, reference_id: one.key.reference_id },
    ]) {
      const answer = await requested(key)
      expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "reference_id"]])
    }
  })

  test("is not made for a session that expired unexecuted", async () => {
    const { key } = await request()
    bench.clock.advance(15 * MINUTE_MS)
    const answer = await requested(key)
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "session_id"]])
  })

  test("is not made for another merchant's session", async () => {
    const { key } = await request()
    const answer = await asOther("POST", "/v1/realtime-keys/collection", key)
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "session_id"]])
  })
})

describe("a merchant that is not verified", () => {
  beforeEach(async () => {
    await bench.call("POST", "/_simulator/merchants/1/verified", { isVerified: false })
  })

  test("gets no hosted page and works otherwise", async () => {
    const hosted = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
    expect(hosted).toEqual({ status: 403, body: { detail: "Merchant account is not verified" } })
    const direct = checkoutRequest({ mode: "DIRECT" })
    expect((await bench.call("POST", "/v1/checkouts/create", direct)).status).toBe(200)
    expect((await tokenOf("simulator-secret")).status).toBe(200)
  })

  test("collects on its own page", async () => {
    const { execution } = await readyToExecute(bench, phoneEnding("00"), { mode: "DIRECT" })
    expect((await bench.call("POST", "/v1/executions/collection", execution)).status).toBe(200)
  })

  test("is so alone: another merchant's pages are open", async () => {
    expect((await asOther("POST", "/v1/checkouts/create", checkoutRequest())).status).toBe(200)
  })
})

test("merchants can start unverified", async () => {
  await bench.close()
  bench = await startBench({ isVerified: false })
  expect((await bench.call("POST", "/v1/checkouts/create", checkoutRequest())).status).toBe(403)
})

test("a rotated key stays rotated after a restart, and no file holds its secret", async () => {
  await bench.close()
  const bookFile = join(folder, "book.json")
  bench = await startBench({ bookFile })
  const rotated = await bench.call("POST", "/_simulator/rotate-key", {
    clientId: "simulator-client",
  })
  const secret = String(rotated.body["clientSecret"])
  await bench.close()
  expect(readFileSync(bookFile, "utf8")).not.toContain(secret)

  bench = await startBench({ bookFile })
  expect((await tokenOf("simulator-secret")).status).toBe(401)
  expect((await tokenOf(secret)).status).toBe(200)
})

test("another client's tokens outlive a rotation", async () => {
  const { body } = await tokenOf(OTHER.clientSecret, OTHER.clientId)
  const headers = { authorization: `Bearer ${String(body["access_token"])}` }
  bench.simulator.backOffice.rotateKey("simulator-client")
  expect((await bench.call("GET", "/v1/orders/list", undefined, headers)).status).toBe(200)
})

test("a control over a merchant or a client that is not there is refused", async () => {
  const verified = { isVerified: true }
  expect((await bench.call("POST", "/_simulator/merchants/9/verified", verified)).status).toBe(400)
  expect((await bench.call("POST", "/_simulator/rotate-key", { clientId: "x" })).status).toBe(400)
})
