/**
 * Several processes of one store, at gateways whose new token ends the former one, or is valid only
 * some time after it was issued. Each process has its client; they share only the ledger.
 */
import { randomBytes } from "node:crypto"
import { startSimulator, type Simulator } from "../../../packages/simulator/src"
import { LIMITS } from "../../../src/core/limits"
import { systemClock } from "../../../src/core/ports"
import type { SecretBox } from "../../../src/core/secret-box"
import { createGateway, type Gateway, type GatewayOptions } from "../../../src/gateway"
import type { Database } from "../../../src/ledger/database"
import { prune } from "../../../src/reconciliation/sql/prune"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { sharedTokens } from "../../../src/accounts/clients/shared-tokens"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"

const KEY = randomBytes(32).toString("base64")
const box = secretBoxOf({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: KEY })
const HABITS = {
  "that ends the former token": { newTokenEndsFormer: true },
  "whose token is valid late": { tokenValidAfterMs: 400 },
  "that does both": { newTokenEndsFormer: true, tokenValidAfterMs: 400 },
}
/** No source has it: the gateway answers 404 to who is let in. */
const UNKNOWN = { sourceType: "ORDER", sourceId: 999_999 } as const

let ledger: LedgerDatabase
let simulator: Simulator
const open: Gateway[] = []
/** How far the processes' clocks are ahead of the machine's. */
let aheadMs = 0
const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs }

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})
afterAll(() => ledger.stop())
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()))
  await simulator.close()
  await ledger.sql("delete from mp_gateway_token")
})

/** No token is young any more, to its process and in the ledger. */
async function pastYouth(): Promise<void> {
  aheadMs += LIMITS.tokenYoungMs + LIMITS.tokenAfter401EveryMs
  await ledger.sql("update mp_gateway_token set got_at = got_at - interval '20 s'")
}

const clientOf = (changes: Partial<GatewayOptions> = {}) => ({
  baseUrl: simulator.url,
  clientId: "simulator-client",
  clientSecret: "simulator-secret",
  clock,
  ...changes,
})

/** A client as another process has it. */
function processOf({
  database = ledger.database,
  sealedBy = box,
  ...changes
}: Partial<GatewayOptions> & { database?: Database; sealedBy?: SecretBox } = {}): Gateway {
  const client = clientOf(changes)
  const tokens = sharedTokens({ database, box: sealedBy }, client)
  const gateway = createGateway({ ...client, tokens })
  open.push(gateway)
  return gateway
}

const isLetIn = async (gateway: Gateway): Promise<boolean> => {
  const outcome = await gateway.status.source(UNKNOWN)
  return outcome.kind === "refused" && outcome.error.code === "GATEWAY_NOT_FOUND"
}

const tokensIssued = () => simulator.calls["clientObtainToken"] ?? 0

describe.each(Object.entries(HABITS))("a shared token at a gateway %s", (_name, habits) => {
  it("serves three processes, one call after the other and all at once", async () => {
    simulator = await startSimulator({ port: 0, seed: "tokens", ...habits })
    const processes = [processOf(), processOf(), processOf()]
    for (let call = 0; call < 12; call++) {
      for (const gateway of processes) expect(await isLetIn(gateway)).toBe(true)
    }
    const together = processes.flatMap((gateway) => Array.from({ length: 20 }, () => gateway))
    expect((await Promise.all(together.map(isLetIn))).every(Boolean)).toBe(true)
    expect(tokensIssued()).toBe(1)
  })

  it("is renewed once for all when every call is refused at the same moment", async () => {
    simulator = await startSimulator({ port: 0, seed: "tokens", ...habits })
    const processes = [processOf(), processOf(), processOf()]
    for (const gateway of processes) expect(await isLetIn(gateway)).toBe(true)
    await pastYouth()
    simulator.revokeTokens()
    const together = processes.flatMap((gateway) => Array.from({ length: 60 }, () => gateway))
    expect((await Promise.all(together.map(isLetIn))).every(Boolean)).toBe(true)
    expect(tokensIssued()).toBe(2)
  })
})

describe("a token that is shared", () => {
  beforeEach(async () => {
    simulator = await startSimulator({ port: 0, seed: "tokens", newTokenEndsFormer: true })
  })

  it("can't be read in the ledger, in any column", async () => {
    expect(await isLetIn(processOf())).toBe(true)
    const kept = await sharedTokens({ database: ledger.database, box }, clientOf())?.read()
    const accessToken = kept?.token?.accessToken ?? ""
    expect(accessToken.length).toBeGreaterThan(8)
    const dumped = JSON.stringify(await ledger.sql("select * from mp_gateway_token"))
    for (const secret of [accessToken, "simulator-client", "simulator-secret"]) {
      expect(dumped).not.toContain(secret)
    }
  })

  it("serves nobody with another secret for the same client", async () => {
    expect(await isLetIn(processOf())).toBe(true)
    const stranger = processOf({ clientSecret: "guessed" })
    const outcome = await stranger.status.source(UNKNOWN)
    expect(outcome).toMatchObject({ error: { code: "GATEWAY_UNAUTHENTICATED" } })
    // Nor does the stranger end the token of the others.
    expect(await isLetIn(processOf())).toBe(true)
    expect(tokensIssued()).toBe(2)
  })

  it("is fetched anew by a process with another encryption key, and both go on", async () => {
    const other = secretBoxOf({
      MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    })
    expect(await isLetIn(processOf())).toBe(true)
    expect(await isLetIn(processOf({ sealedBy: other }))).toBe(true)
  })

  it("stays inside each process where there is no encryption key", async () => {
    expect(sharedTokens({ database: ledger.database, box: secretBoxOf({}) }, clientOf())).toBe(
      undefined,
    )
    expect(await isLetIn(processOf({ sealedBy: secretBoxOf({}) }))).toBe(true)
    expect(await ledger.sql("select * from mp_gateway_token")).toEqual([])
  })

  it("stays inside a process while the database is gone or hangs, and no call waits for it", async () => {
    const gone = { query: () => Promise.reject(new Error("the database is gone")) }
    const hanging = { query: () => new Promise<never>(() => undefined) }
    for (const broken of [gone, hanging]) {
      const database = { ...ledger.database, ...broken }
      const gateway = processOf({ database })
      expect(await isLetIn(gateway)).toBe(true)
    }
  })

  it("is fetched a limited number of times a minute by all processes together", async () => {
    const gateway = processOf()
    for (let round = 0; round <= LIMITS.tokensPerMinute; round++) {
      await gateway.status.source(UNKNOWN)
      await pastYouth()
      simulator.revokeTokens()
    }
    expect(tokensIssued()).toBe(LIMITS.tokensPerMinute)
    const refused = await processOf().status.source(UNKNOWN)
    // The token that they share has ended, and another is not asked for: the 401 is the answer.
    expect(refused).toMatchObject({ error: { code: "GATEWAY_UNAUTHENTICATED" } })
    expect(tokensIssued()).toBe(LIMITS.tokensPerMinute)
    await ledger.sql("update mp_gateway_token set minute_from = now() - interval '1 minute'")
    expect(await isLetIn(processOf())).toBe(true)
  })

  it("can be fetched again after a process died while fetching it", async () => {
    const client = clientOf()
    const dying = sharedTokens({ database: ledger.database, box }, client)
    expect(await dying?.claim(0)).toMatchObject({ kind: "granted" })
    expect(await dying?.claim(0)).toEqual({ kind: "taken" })
    await ledger.sql("update mp_gateway_token set claimed_until = now()")
    expect(await isLetIn(processOf())).toBe(true)
  })

  it("is deleted once no process has used its client for days", async () => {
    expect(await isLetIn(processOf())).toBe(true)
    const old = { keptForMs: LIMITS.tokensKeptForMs, limit: 10 }
    expect(await prune(ledger.database, "tokens", old)).toBe(0)
    await ledger.sql("update mp_gateway_token set got_at = now() - interval '3 days'")
    expect(await prune(ledger.database, "tokens", old)).toBe(1)
  })
})
