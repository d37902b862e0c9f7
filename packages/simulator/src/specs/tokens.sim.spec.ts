import { credentialsOf, MINUTE_MS, startBench, type Bench } from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ tokenLifeMinutes: 10 })
})
afterEach(() => bench.close())

const LIST = "/v1/orders/list"
const TOKEN = "/v1/jwt/client/obtain/token"
const bad = { status: 401, body: { detail: "Could not validate credentials" } }

test("a token says its life in minutes and works until then", async () => {
  const { body } = await bench.call("POST", TOKEN, credentialsOf({}), {})
  expect(body["expires_in"]).toBe(10)
  bench.clock.advance(10 * MINUTE_MS - 1)
  expect((await bench.call("GET", LIST)).status).toBe(200)
  bench.clock.advance(1)
  expect(await bench.call("GET", LIST)).toEqual(bad)
})

test("a call without a header says so", async () => {
  expect(await bench.call("GET", LIST, undefined, {})).toEqual({
    status: 401,
    body: { detail: "Not authenticated" },
  })
})

test.each(["Bearer nonsense", "Bearer a.b.c", "Basic abc", "Bearer e30.e30.e30"])(
  "%p is no token",
  async (authorization) => {
    expect(await bench.call("GET", LIST, undefined, { authorization })).toEqual(bad)
  },
)

test("a wrong secret gets no token", async () => {
  const wrong = credentialsOf({ clientSecret: "wrong" })
  expect(await bench.call("POST", TOKEN, wrong, {})).toEqual(bad)
})

test("revoked tokens are void, new ones work", async () => {
  bench.simulator.revokeTokens()
  expect(await bench.call("GET", LIST)).toEqual(bad)
  const { body } = await bench.call("POST", TOKEN, credentialsOf({}), {})
  const headers = { authorization: `Bearer ${String(body["access_token"])}` }
  expect((await bench.call("GET", LIST, undefined, headers)).status).toBe(200)
})

describe("where the settings say so", () => {
  const OTHER = { ownerId: 2, name: "Other", clientId: "other", clientSecret: "other-secret" }
  let strict: Bench
  beforeEach(async () => {
    strict = await startBench({
      merchants: [OTHER],
      newTokenEndsFormer: true,
      tokenValidAfterMs: 3_000,
    })
  })
  afterEach(() => strict.close())

  const issued = async (credentials = credentialsOf({})) => {
    const { body } = await strict.call("POST", TOKEN, credentials, {})
    const headers = { authorization: `Bearer ${String(body["access_token"])}` }
    return async () => (await strict.call("GET", LIST, undefined, headers)).status
  }

  test("a token is valid some time after it was issued", async () => {
    const status = await issued()
    strict.clock.advance(2_999)
    expect(await status()).toBe(401)
    strict.clock.advance(1)
    expect(await status()).toBe(200)
  })

  test("a new token ends the former ones of its client alone", async () => {
    const others = await issued({ client_id: "other", client_secret: "other-secret" })
    const former = await issued()
    const newest = await issued()
    strict.clock.advance(3_000)
    expect([await others(), await former(), await newest()]).toEqual([200, 401, 200])
  })
})

test("a token's time before it is valid is no time below zero", async () => {
  await expect(startBench({ tokenValidAfterMs: -1 })).rejects.toThrow("tokenValidAfterMs: -1")
})
