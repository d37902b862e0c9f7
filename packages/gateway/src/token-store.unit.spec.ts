/** Clients that share a token, or can't, at gateways whose tokens end one another or come late. */
import { callOf } from "../../../integration-tests/gateway/calls"
import { drivenClock } from "../../../integration-tests/gateway/driven-clock"
import {
  json,
  startScriptedServer,
  token,
  type Answer,
} from "../../../integration-tests/gateway/scripted-server"
import { memoryStore } from "../../../integration-tests/gateway/shared-token"
import { LIMITS } from "./terms/limits"
import { systemClock, type Clock } from "./terms/ports"
import { createGateway, type Gateway, type TokenStore } from "./index"

const status = callOf("status.collection")
const execute = callOf("executions.collection")
const MINUTE = 60_000

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close()
})

/** The machine's clock, which a test can put forward: pauses take their time, so that calls can meet. */
function machineClock() {
  let aheadMs = 0
  return {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    advance: (ms: number) => void (aheadMs += ms),
  }
}

/** A gateway as its tokens are; the newest is the one that it issued last. */
async function gatewayWith({
  endsFormer = false,
  validAfterMs = 0,
  refusesAll = false,
  clock = drivenClock(),
}: {
  endsFormer?: boolean
  validAfterMs?: number
  refusesAll?: boolean
  clock?: Clock & { advance(ms: number): void; readonly sleeps?: readonly number[] }
}) {
  const issued: { readonly text: string; readonly atMs: number }[] = []
  const issue: Answer = (response, request) => {
    const text = `CANARY-token-${issued.length + 1}`
    issued.push({ text, atMs: clock.monotonicMs() })
    token(text)(response, request)
  }
  const answer: Answer = (response, request) => {
    const at = issued.findIndex(({ text }) => request.headers.authorization === `Bearer ${text}`)
    const [found] = issued.slice(at).filter(() => at >= 0)
    const isValid =
      !refusesAll &&
      found !== undefined &&
      clock.monotonicMs() - found.atMs >= validAfterMs &&
      (!endsFormer || at === issued.length - 1)
    const body = request.path.includes("executions") ? execute.body : status.body
    json(isValid ? 200 : 401, isValid ? body : { detail: "no" })(response, request)
  }
  const server = await startScriptedServer({ answers: [answer], tokens: [issue] })
  open.push(server)
  const client = (tokens?: TokenStore): Gateway => {
    const gateway = createGateway({
      baseUrl: server.url,
      clientId: "client",
      clientSecret: "CANARY-client-secret",
      clock,
      random: { fraction: () => 0.5 },
      tokens,
    })
    open.push(gateway)
    return gateway
  }
  return { server, clock, client }
}

const kindsOf = async (calls: readonly Promise<{ readonly kind: string }>[]) =>
  new Set((await Promise.all(calls)).map(({ kind }) => kind))

describe("two processes of one client", () => {
  it("without a shared token end one another's, and ask for no more than a process may", async () => {
    const { server, clock, client } = await gatewayWith({ endsFormer: true })
    const [one, two] = [client(), client()]
    for (let turn = 0; turn < 20; turn++) {
      await status.run(turn % 2 === 0 ? one : two)
      clock.advance(LIMITS.tokenYoungMs)
    }
    const seconds = clock.monotonicMs() / LIMITS.tokenAfter401EveryMs
    expect(server.tokenCalls.length).toBeLessThanOrEqual(2 * (seconds + 1))
  })

  it.each([
    ["whose new token ends the former one", { endsFormer: true }],
    ["whose token is valid seconds later", { validAfterMs: 3_000 }],
    ["with both", { endsFormer: true, validAfterMs: 3_000 }],
  ])("at a gateway %s get one token for all calls", async (_, trouble) => {
    const { server, clock, client } = await gatewayWith(trouble)
    const store = memoryStore(clock)
    const clients = [client(store), client(store), client(store)]
    for (let turn = 0; turn < 40; turn++) {
      const call = turn % 5 === 0 ? execute : status
      expect((await call.run(clients[turn % 3] ?? client(store))).kind).toBe("done")
    }
    expect(server.tokenCalls).toHaveLength(1)
  })

  it("renew it once, and both have the new one", async () => {
    const { server, clock, client } = await gatewayWith({ endsFormer: true, clock: machineClock() })
    const store = memoryStore(clock)
    const [one, two] = [client(store), client(store)]
    expect(await kindsOf([status.run(one), status.run(two)])).toEqual(new Set(["done"]))
    clock.advance(61 * MINUTE)
    expect(await kindsOf([status.run(one), status.run(two)])).toEqual(new Set(["done"]))
    expect(server.tokenCalls).toHaveLength(2)
  })

  it("replace one that somebody else has ended, once for both", async () => {
    const { server, clock, client } = await gatewayWith({ endsFormer: true, clock: machineClock() })
    const store = memoryStore(clock)
    const [one, two] = [client(store), client(store)]
    await kindsOf([status.run(one), status.run(two)])
    clock.advance(LIMITS.tokenYoungMs)
    await client().token.check()
    expect(await kindsOf([status.run(one), status.run(two)])).toEqual(new Set(["done"]))
    expect(server.tokenCalls).toHaveLength(3)
  })

  it("200 calls at once that meet a 401 bring one new token", async () => {
    const { server, clock, client } = await gatewayWith({ endsFormer: true, clock: machineClock() })
    const store = memoryStore(clock)
    const [one, two] = [client(store), client(store)]
    await kindsOf([status.run(one), status.run(two)])
    clock.advance(LIMITS.tokenYoungMs)
    await client().token.check()
    const before = server.tokenCalls.length
    const calls = Array.from({ length: 200 }, (_, at) => status.run(at % 2 === 0 ? one : two))
    expect(await kindsOf(calls)).toEqual(new Set(["done"]))
    expect(server.tokenCalls.length - before).toBe(1)
  })

  it("get no more tokens than all together may, however often they are refused", async () => {
    const { server, clock, client } = await gatewayWith({ refusesAll: true })
    const store = memoryStore(clock, 3)
    const clients = [client(store), client(store), client(store)]
    for (let turn = 0; turn < 12; turn++) {
      const outcome = await status.run(clients[turn % 3] ?? client(store))
      expect(outcome).toMatchObject({ kind: "refused", error: { status: 401 } })
      clock.advance(LIMITS.tokenAfter401EveryMs)
    }
    expect(server.tokenCalls).toHaveLength(3)
  })

  it("a process without any token hears when it may ask for one", async () => {
    const { server, clock, client } = await gatewayWith({})
    expect(await execute.run(client(memoryStore(clock, 0)))).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_RATE_LIMITED", reason: "too_many_tokens", retryAfterMs: 10_000 },
    })
    expect([server.calls.length, server.tokenCalls.length]).toEqual([0, 0])
  })

  it("a process that dies while it asks stops the other for its turn only", async () => {
    const { clock, client } = await gatewayWith({})
    const store = memoryStore(clock)
    await store.claim(0)
    expect((await status.run(client(store))).kind).toBe("done")
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(LIMITS.tokenTurnMs)
    expect(clock.monotonicMs()).toBeLessThan(2 * LIMITS.tokenTurnMs)
  })
})

describe("a token that is refused", () => {
  it("and was got just now is used again after growing pauses, not replaced", async () => {
    const { server, clock, client } = await gatewayWith({ validAfterMs: 6_000 })
    expect((await execute.run(client())).kind).toBe("done")
    expect(server.tokenCalls).toHaveLength(1)
    const { sleeps = [] } = clock
    expect(sleeps).toEqual([...sleeps].sort((a, b) => a - b))
    expect(Math.max(...sleeps)).toBeLessThanOrEqual(LIMITS.tokenPauseCapMs)
  })

  it("is waited for no longer than the caller's deadline", async () => {
    const { clock, client } = await gatewayWith({ validAfterMs: 6_000 })
    const outcome = await execute.run(client(), { deadlineMs: 2_000 })
    expect(outcome).toMatchObject({ kind: "refused", error: { status: 401 } })
    expect(clock.monotonicMs()).toBeLessThan(2_000)
  })

  it("is replaced once it is old, and the new one is waited for as well", async () => {
    const { server, clock, client } = await gatewayWith({ endsFormer: true, validAfterMs: 3_000 })
    const gateway = client()
    await status.run(gateway)
    clock.advance(LIMITS.tokenYoungMs)
    await client().token.check()
    clock.advance(LIMITS.tokenYoungMs)
    expect((await status.run(gateway)).kind).toBe("done")
    expect(server.tokenCalls).toHaveLength(3)
  })
})

describe("where the shared token can't be had", () => {
  it.each(["breakDown", "hang"] as const)("(%s) each process has its own", async (trouble) => {
    const { server, clock, client } = await gatewayWith({})
    const store = memoryStore(clock)
    store[trouble]()
    const [one, two] = [client(store), client(store)]
    expect(await kindsOf([status.run(one), status.run(two)])).toEqual(new Set(["done"]))
    expect(server.tokenCalls).toHaveLength(2)
    // Not asked again by each call.
    expect(store.asked()).toBe(2)
  })

  it("an answer that comes too late is not waited for by the next call", async () => {
    const { clock, client } = await gatewayWith({ endsFormer: true })
    const store = memoryStore(clock)
    const [one, two] = [client(store), client(store)]
    await status.run(one)
    store.breakDown()
    expect((await status.run(two)).kind).toBe("done")
    clock.advance(LIMITS.tokenYoungMs)
    expect((await status.run(one)).kind).toBe("done")
  })
})

it("[S04] a token in no error and no answer, whatever the store says", async () => {
  const { clock, client } = await gatewayWith({ refusesAll: true })
  const store = memoryStore(clock)
  const failing: TokenStore = {
    ...store,
    claim: () => Promise.reject(new Error("CANARY-token-1 CANARY-client-secret")),
  }
  const outcomes = [await status.run(client(failing)), await execute.run(client(failing))]
  expect(JSON.stringify(outcomes)).not.toContain("CANARY")
})
