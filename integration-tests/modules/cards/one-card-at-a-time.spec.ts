/**
 * [B52] Card starts that cross. The simulator binds a merchant's next card account to the token that
 * it was asked about last, so each purchase shows whose card it was paid with: each card's bank
 * answers in its own way.
 */
import fc from "fast-check"
import { startPayment } from "../../../src/checkout/start-payment"
import type { Status } from "../../../src/checkout/schemas/status"
import { NO_POLICIES } from "../../../src/core/account-settings"
import { LIMITS } from "../../../src/core/limits"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { findByCollection } from "../../../src/ledger/find-operations"
import { dropTask, takeTask } from "../../../src/ledger/tasks"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { CARD, PHONE } from "../../support/flows-harness"
import { until } from "../../support/until"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000 })
const { checkAfter } = actsIn(harness)

/** How the execution of each card reads at the gateway right after the start. */
const BANKS = {
  card_3ds: { challenge: "asked", status: "PROCESSING" },
  card_no_3ds: { challenge: null, status: "COMPLETED" },
  card_declined: { challenge: null, status: "FAILED" },
} as const
type Token = keyof typeof BANKS
const TOKENS = Object.keys(BANKS) as Token[]

afterEach(async () => {
  await setRule({})
  await harness.ledger.sql("delete from mp_task")
})

async function setRule(policies: { cards_at_once?: boolean }, id = "mpacc_env") {
  await harness.ledger.sql("update mp_account set policies = $2 where id = $1", [
    id,
    JSON.stringify({ ...NO_POLICIES, ...policies }),
  ])
}

/** A process whose calls for a card each wait for `pause`; waiting for a turn costs no time. */
function process(worker: string, pause: (call: string) => Promise<unknown>): FlowDeps {
  const { deps, gateway } = harness
  const before =
    <Given extends unknown[], Outcome>(name: string, call: (...given: Given) => Promise<Outcome>) =>
    async (...given: Given) => {
      await pause(name)
      return call(...given)
    }
  const paused: Gateway = {
    ...gateway,
    predictions: {
      ...gateway.predictions,
      cardProviderInfo: before("question", gateway.predictions.cardProviderInfo),
    },
    paymentAccounts: {
      ...gateway.paymentAccounts,
      create: before("account", gateway.paymentAccounts.create),
    },
    executions: {
      ...gateway.executions,
      collection: before("execution", gateway.executions.collection),
    },
  }
  const { clock } = deps
  const sleep: typeof clock.sleep = (ms, signal) =>
    clock.sleep(ms === LIMITS.lockRetryMs ? 2 : ms, signal)
  const unhurried = { ...clock, sleep, monotonicMs: () => 0 }
  return { ...deps, worker, gatewayOf: () => paused, clock: unhurried }
}

/** A start is answered before its turn has ended, so the turn may not be free at once. */
const takeTurn = async (leaseMs: number) => {
  const name = await card()
  return until(() => takeTask(harness.deps.database, name, leaseMs), "the turn is free")
}

/** Its time passes by waiting alone, so that it gives up its turn at once. */
function impatient(deps: FlowDeps): FlowDeps {
  let now = 0
  const sleep = async (ms: number) => void (now += ms)
  return { ...deps, clock: { ...deps.clock, monotonicMs: () => now, sleep } }
}

const atOnce = () => Promise.resolve()
const never = () => new Promise<never>(() => {})

/** Another account of the same merchant client. */
const addAccount = (id: string, currencies: string) =>
  harness.ledger.sql(
    `insert into mp_account (id, label, base_url, credential_id, currencies)
     select $1, 'Beside', base_url, min(id), $2::text[] from mp_credential group by base_url`,
    [id, currencies],
  )

function cartIn(currency: string) {
  const cart = harness.cart(CARD)
  const [session] = harness.of(cart.collectionId).sessions
  if (session) Object.assign(session, { currency })
  return cart
}
const start = (deps: FlowDeps, cardToken: Token, { sessionId } = harness.cart(CARD)) =>
  startPayment(deps, { sessionId, phone: PHONE, cardToken })

async function cardOf(collectionId: string) {
  const operation = await findByCollection(harness.deps.database, collectionId)
  const execution = harness.simulator.book.execution(operation?.reference ?? "")
  return { challenge: execution?.challenge, status: execution?.status }
}

const card = async () => {
  const [row] = await harness.ledger.sql("select id from mp_credential order by created_at limit 1")
  return `card:${String(row?.["id"])}` as const
}
const waiting = async () =>
  (await harness.ledger.sql("select from mp_task where name like 'card\\_waits%'")).length

describe("[B52] card starts that cross on one merchant client", () => {
  const CALLS = ["question", "account", "execution"] as const
  const shopper = fc.record({
    token: fc.constantFrom(...TOKENS),
    worker: fc.constantFrom("one", "two"),
    /** Whose currency is the cart's: two accounts of one client. */
    currency: fc.constantFrom("usd", "lrd"),
    pauses: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 3 }),
    /** Its process dies in a call, or freezes there until all others are done. */
    ends: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.record({
          how: fc.constantFrom("dies", "freezes"),
          at: fc.constantFrom(...CALLS),
        }),
      },
    ),
  })

  it("charge each shopper's own card, whatever crosses, dies and freezes in processes and accounts", async () => {
    await addAccount("mpacc_lrd", "{LRD}")
    await fc.assert(
      fc.asyncProperty(fc.array(shopper, { minLength: 2, maxLength: 5 }), async (shoppers) => {
        await harness.ledger.sql("delete from mp_task")
        const carts = shoppers.map(({ currency }) => cartIn(currency))
        let release = () => {}
        const othersDone = new Promise<void>((resolve) => (release = resolve))
        const started = shoppers.map(({ token, worker, pauses, ends }, index) => {
          const rest = [...pauses]
          const pause = async (call: string) => {
            await harness.deps.clock.sleep(rest.shift() ?? 0)
            if (call !== ends?.at) return
            // Its time passes; the gateway has not got the call.
            await harness.ledger.sql(
              "update mp_task set lease_until = now() where name like 'card:%'",
            )
            await (ends.how === "dies" ? never() : othersDone)
          }
          return start(process(worker, pause), token, carts[index]).catch((error: unknown) => error)
        })
        const isOwn = (index: number) => shoppers[index]?.ends === null
        await Promise.all(started.filter((_, index) => isOwn(index)))
        release()
        await Promise.all(started.filter((_, index) => shoppers[index]?.ends?.how === "freezes"))
        for (const [index, { token, ends }] of shoppers.entries()) {
          const { collectionId = "" } = carts[index] ?? {}
          const read = await cardOf(collectionId)
          const nothing = { challenge: undefined, status: undefined }
          expect(ends === null ? [BANKS[token]] : [BANKS[token], nothing]).toContainEqual(read)
        }
      }),
      { numRuns: 25 },
    )
    await harness.ledger.sql("delete from mp_task where name like 'card%'")
  }, 120_000)

  it("have their turns in the order in which they came", async () => {
    await start(process("one", atOnce), "card_declined")
    const held = await takeTurn(MINUTE)
    const order: number[] = []
    const started: Promise<Status>[] = []
    for (const index of [0, 1, 2, 3]) {
      const deps = process(index % 2 ? "one" : "two", async (call) => {
        if (call === "question") order.push(index)
      })
      started.push(start(deps, "card_declined"))
      await until(async () => (await waiting()) === index + 1, "the start waits", undefined, 10)
    }
    await dropTask(harness.deps.database, held)
    await Promise.all(started)
    expect(order).toEqual([0, 1, 2, 3])
  })

  it("are refused with cards_busy and ask nothing where too many wait, or for too long", async () => {
    await start(process("one", atOnce), "card_declined")
    await takeTurn(MINUTE)
    const asked: string[] = []
    const deps = process("one", async (call) => void asked.push(call))
    const late = impatient(deps)
    const cart = harness.cart(CARD)
    const refused = start(late, "card_no_3ds", cart)
    await expect(refused).rejects.toMatchObject({
      code: "cards_busy",
      httpStatus: 429,
      details: { retry_after_seconds: LIMITS.cardRetryMs / SECOND },
    })
    await harness.ledger.sql(
      `insert into mp_task (name, subject, lease_until)
       select 'card_waits:' || n, $1, now() + interval '1 hour' from generate_series(1, $2) n`,
      [(await card()).slice("card:".length), LIMITS.cardsWaitingMax],
    )
    expect(await codeOf(start(deps, "card_no_3ds", cart))).toBe("cards_busy")
    expect(asked).toEqual([])
    await harness.ledger.sql("delete from mp_task")
    await start(deps, "card_no_3ds", cart)
    expect(await cardOf(cart.collectionId)).toEqual(BANKS.card_no_3ds)
  })
})

describe("[B52] a card start whose process dies", () => {
  it("is not executed by another process, and its shopper's next try is paid", async () => {
    const cart = harness.cart(CARD)
    const dying = process("dying", (call) => (call === "execution" ? never() : atOnce()))
    const clock = { ...dying.clock, sleep: () => Promise.resolve() }
    await start({ ...dying, clock }, "card_3ds", cart)
    const operation = await harness.shown(cart.collectionId)
    expect(operation).toMatchObject({ state: "submitted", lastSending: "sending" })
    await harness.pass(operation.id, 2 * MINUTE)
    const other = harness.cart(CARD)
    await start(process("one", atOnce), "card_no_3ds", other)
    await checkAfter(operation, SECOND)
    expect(await checkAfter(operation, MINUTE)).toMatchObject({ state: "expired", sendings: 1 })
    expect(harness.simulator.book.execution(operation.reference ?? "")).toBeUndefined()
    expect(await cardOf(other.collectionId)).toEqual(BANKS.card_no_3ds)
    await start(process("one", atOnce), "card_3ds", cart)
    expect(await cardOf(cart.collectionId)).toEqual(BANKS.card_3ds)
  })

  it("gives up a turn that it lost while it was frozen, and executes nothing", async () => {
    const cart = harness.cart(CARD)
    const other = harness.cart(CARD)
    let isFrozen = true
    const frozen = process("frozen", async (call) => {
      if (call !== "account" || !isFrozen) return
      isFrozen = false
      await harness.ledger.sql("update mp_task set lease_until = now() where name like 'card:%'")
      await start(process("one", atOnce), "card_no_3ds", other)
    })
    await start(frozen, "card_3ds", cart)
    const operation = await harness.shown(cart.collectionId)
    expect(operation).toMatchObject({ state: "submitted" })
    expect(harness.simulator.book.execution(operation.reference ?? "")).toBeUndefined()
    expect(await cardOf(other.collectionId)).toEqual(BANKS.card_no_3ds)
    await checkAfter(operation, SECOND)
    expect(await checkAfter(operation, MINUTE)).toMatchObject({ state: "expired" })
  })

  it("holds the others up for some seconds where the gateway did not answer", async () => {
    harness.simulator.faults.script("executeCollection", ["reset:after"])
    const cart = harness.cart(CARD)
    await start(process("one", atOnce), "card_3ds", cart)
    const name = await card()
    const isShort = async () => {
      const [row] = await harness.ledger.sql(
        `select lease_until between now() and now() + $2 * interval '1 ms' as is_short
           from mp_task where name = $1`,
        [name, LIMITS.cardDoubtMs],
      )
      return row?.["is_short"] === true
    }
    await until(isShort, "the others wait for some seconds only")
    harness.simulator.faults.clear()
  })
})

it("[B52] a card start waits for one that began before its client had another account", async () => {
  const deps = process("one", atOnce)
  await start(deps, "card_declined")
  await takeTurn(10 * MINUTE)
  const { sql } = harness.ledger
  const id = (await card()).slice("card:".length)
  await sql(
    `insert into mp_account (id, label, base_url, currencies)
     select 'mpacc_added', 'Added', base_url, '{}' from mp_credential where id = $1`,
    [id],
  )
  await sql(
    `insert into mp_credential (id, account_id, client_id, base_url, fingerprint)
     select 'mpcred_' || n, 'mpacc_added', client_id, base_url, n
       from mp_credential, unnest(array['0', 'z']) n where id = $1`,
    [id],
  )
  expect(await codeOf(start(impatient(deps), "card_no_3ds"))).toBe("cards_busy")
  await sql("delete from mp_credential where account_id = 'mpacc_added'")
  await sql("delete from mp_account where id = 'mpacc_added'")
})

describe("[B52] an account whose gateway binds a card's token to its payment", () => {
  it("has no queue, but only if each account of the merchant client says so", async () => {
    const deps = process("one", atOnce)
    const brief = impatient(deps)
    await start(deps, "card_declined")
    await addAccount("mpacc_beside", "{}")
    await takeTurn(10 * MINUTE)
    await setRule({ cards_at_once: true })
    expect(await codeOf(start(brief, "card_no_3ds"))).toBe("cards_busy")
    await setRule({ cards_at_once: true }, "mpacc_beside")
    const cart = harness.cart(CARD)
    await start(brief, "card_no_3ds", cart)
    expect(await cardOf(cart.collectionId)).toEqual(BANKS.card_no_3ds)
    await harness.ledger.sql("delete from mp_account where id = 'mpacc_beside'")
  })
})

it("[B52] breaks no promise, and no answer of the gateway the contract", async () => {
  expect(await breachesIn(harness, {}, { isQuiet: false })).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})
