/**
 * [D6] Stolen cards that are tried in a row, and honest shoppers who have their cards declined:
 * starts over a real ledger and the simulator, by two processes that share nothing but the database,
 * with the limits of production.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import { LIMITS } from "../../../src/core/limits"
import { Refusal } from "../../../src/core/refusal"
import type { Captcha, FlowDeps } from "../../../src/engine/deps"
import { readDeclinedCards } from "../../../src/ledger/limits/declined-cards"
import { keyedDigest } from "../../../src/medusa/secrets/keyed-digest"
import { shopperLimit } from "../../../src/checkout/shopper-limit"
import { checkNow } from "../../../src/worker/check-due-operations"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { CARD, HOSTED } from "../../support/flows-harness"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"
import { until } from "../../support/until"
import { isWhole } from "../../support/whole-tables"

const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000 })
const { checkAfter } = actsIn(harness)

const MARKET = "203.0.113.9"
const BROWSER = "Mozilla/5.0 of half of the market"
const UNKNOWN = "card_unknown"
const OTHER_CURRENCY = { token: "card_brand1_lr", payerCurrency: "RWF" }
const OF_NETWORK = LIMITS.declinedCardsOfNetworkMax
const OF_SHOPPER = LIMITS.declinedCardsOfShopperMax
const CARDS = isWhole ? 40 : OF_NETWORK + 4

let one: FlowDeps
let two: FlowDeps

beforeEach(async () => {
  await harness.ledger.sql("truncate mp_bucket, mp_start")
  // What the test before has left is a day old.
  await later(DAY)
  harness.simulator.resetCalls()
  harness.logged.length = 0
  one = process("one")
  two = process("two")
})

/** A process of its own: it knows of the other only by the database. */
function process(worker: string, captcha?: Captcha): FlowDeps {
  const { database, clock, logger } = harness.deps
  const digest = keyedDigest({ MERCHANT_PAYMENTS_CLIENT_SECRET: "of the store" })
  return {
    ...harness.deps,
    worker,
    clock: { ...clock, sleep: (ms, signal) => clock.sleep(Math.min(ms, 20), signal) },
    shopperLimit: shopperLimit({ database, clock, logger, digest }),
    digest,
    ...(captcha && { captcha }),
  }
}

type Asked = {
  readonly deps?: FlowDeps
  readonly token?: string
  readonly phone?: string
  readonly network?: string
  readonly client?: string
  readonly customerId?: string
  readonly captchaToken?: string
  readonly payerCurrency?: string
}
type Answer = { readonly code: string; readonly captcha: unknown; readonly seconds: number }

let numbers = 0
const wallet = () => `+23177${String(1_000_000 + 100 * ++numbers + 42)}`

async function start(sessionId: string, asked: Asked = {}): Promise<Answer> {
  const { deps = one, token, network = MARKET, ...rest } = asked
  const client = `${network} ${asked.client ?? BROWSER}`
  const request = { sessionId, phone: wallet(), network, ...rest, client, cardToken: token }
  try {
    await startPayment(deps, request)
    return { code: "started", captcha: undefined, seconds: 0 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, details } = error
    return { code, captcha: details["captcha"], seconds: Number(details["retry_after_seconds"]) }
  }
}

/** A start by card, of a new cart where none is named, to its end as the job finds it. */
async function tried(token: string, asked: Asked = {}, cart = harness.cart(CARD)): Promise<string> {
  const { code } = await start(cart.sessionId, { ...asked, token })
  if (code !== "started") return code
  const operation = await harness.shown(cart.collectionId)
  const seen = await checkAfter(operation, SECOND)
  if (token === "card_declined") return seen.failedAt === null ? "not seen" : "declined"
  await checkNow(harness.deps, operation.id)
  return "paid"
}

/** A second failed reading frees the cart for the next try. */
async function triedToItsEnd(token: string, cart: ReturnType<typeof harness.cart>, asked?: Asked) {
  const said = await tried(token, asked, cart)
  if (said === "declined") await checkAfter(await harness.shown(cart.collectionId), 6 * SECOND)
  return said
}

const later = async (ms: number) => {
  await harness.ledger.sql(
    "update mp_operation set created_at = created_at - $1 * interval '1 ms'",
    [ms],
  )
  await harness.ledger.sql(
    "update mp_operation_event set created_at = created_at - $1 * interval '1 ms'",
    [ms],
  )
  await harness.ledger.sql("update mp_bucket set full_at = full_at - $1 * interval '1 ms'", [ms])
}

const asked = () => harness.simulator.calls["predictCardProviderInfo"] ?? 0
const executed = () => harness.simulator.calls["executeCollection"] ?? 0
const times = <T>(length: number, what: (n: number) => T) =>
  Array.from({ length }, (_, n) => what(n))

describe("[D6] cards in a row", () => {
  it.each<[string, (n: number) => { token: string } & Asked]>([
    ["with tokens that the gateway refuses", () => ({ token: UNKNOWN })],
    ["that the bank declines", () => ({ token: "card_declined" })],
    ["of both kinds", (n) => ({ token: n % 2 ? UNKNOWN : "card_declined" })],
    ["with a new browser each", (n) => ({ token: UNKNOWN, client: `a script ${n}` })],
    ["by two processes", (n) => ({ token: UNKNOWN, deps: n % 2 ? one : two })],
    ["in a currency that the card does not take", () => OTHER_CURRENCY],
  ])("%s: few are asked about, and the others are refused", async (_what, card) => {
    const answers: string[] = []
    for (let n = 0; n < CARDS; n++) {
      const { token, ...more } = card(n)
      answers.push(await tried(token, more))
    }
    expect(answers.slice(OF_NETWORK)).toEqual(Array(CARDS - OF_NETWORK).fill("card_paused"))
    expect(answers.slice(0, OF_NETWORK)).not.toContain("card_paused")
    expect(asked()).toBe(OF_NETWORK)
  })

  it("at once are no more than a network may start before anything is known of them", async () => {
    const carts = times(40, () => harness.cart(CARD))
    const answers = await Promise.all(
      carts.map(({ sessionId }, n) =>
        start(sessionId, { token: UNKNOWN, client: `a script ${n}`, deps: n % 2 ? one : two }),
      ),
    )
    expect(answers.map(({ code }) => code)).toContain("too_many_requests")
    expect(asked()).toBeLessThanOrEqual(LIMITS.cardStartsOfNetworkAtOnce + 8)
    // Those that wait too long for their turn were not asked about, on a machine that is busy.
    for (let n = 40; asked() < OF_NETWORK; n++) {
      await later(SECOND)
      await tried(UNKNOWN, { client: `a script ${n}`, deps: n % 2 ? one : two })
    }
    expect(await start(harness.cart(CARD).sessionId, { token: "card_no_3ds" })).toMatchObject({
      code: "card_paused",
    })
  })

  it("of one customer, with a cart and a network each, are no more than six", async () => {
    const answers: string[] = []
    for (let n = 0; n < 12; n++) {
      answers.push(await tried(UNKNOWN, { customerId: "cus_eve", network: `198.51.100.${n}` }))
    }
    expect(answers.slice(OF_SHOPPER)).toEqual(Array(12 - OF_SHOPPER).fill("card_paused"))
    expect(asked()).toBe(OF_SHOPPER)
    expect(await tried("card_no_3ds", { customerId: "cus_ada" })).toBe("paid")
  })

  it("of one cart, from a network each, are no more than six, however slow", async () => {
    const cart = harness.cart(CARD)
    const answers: string[] = []
    for (let n = 0; n < 12; n++) {
      answers.push(await triedToItsEnd("card_declined", cart, { network: `198.51.100.${n}` }))
      await later(30 * SECOND)
    }
    expect(answers.slice(OF_SHOPPER)).toEqual(Array(12 - OF_SHOPPER).fill("card_paused"))
    expect(executed()).toBe(OF_SHOPPER)
  })

  it("of one cart whose document the gateway does not close, are no more than six", async () => {
    harness.simulator.faults.script(
      "cancelOrder",
      times(60, () => "409" as const),
    )
    const cart = harness.cart(CARD)
    const answers: string[] = []
    for (let n = 0; n < 20; n++) {
      answers.push(await tried(UNKNOWN, { network: `198.51.100.${n}` }, cart))
      await later(30 * SECOND)
    }
    harness.simulator.faults.clear()
    expect(answers.slice(OF_SHOPPER)).toEqual(Array(20 - OF_SHOPPER).fill("card_paused"))
    expect(asked()).toBe(OF_SHOPPER)
  })

  it("are refused before the gateway is asked and before anything is written", async () => {
    for (let n = 0; n < OF_NETWORK; n++) await tried(UNKNOWN)
    const rows = "select count(*)::int as n from mp_operation"
    const buckets = "select key, full_at from mp_bucket order by key"
    const before = [await harness.ledger.sql(rows), await harness.ledger.sql(buckets)]
    harness.simulator.resetCalls()
    const refused = await start(harness.cart(CARD).sessionId, { token: "card_no_3ds" })
    expect(refused).toMatchObject({ code: "card_paused", captcha: false })
    expect(refused.seconds).toBeGreaterThan(0)
    expect(refused.seconds).toBeLessThanOrEqual(LIMITS.startsJudgedForMs / SECOND)
    expect([await harness.ledger.sql(rows), await harness.ledger.sql(buckets)]).toEqual(before)
    expect(harness.simulator.calls).toEqual({})
    expect(harness.logged.join()).toContain("too many cards are declined for one network")
  })

  it("pause cards until the wait that was told is over", async () => {
    for (let n = 0; n < OF_NETWORK; n++) await tried(UNKNOWN)
    const { seconds } = await start(harness.cart(CARD).sessionId, { token: "card_no_3ds" })
    await later((seconds - 30) * SECOND)
    expect(await tried("card_no_3ds")).toBe("card_paused")
    await later(31 * SECOND)
    expect(await tried("card_no_3ds")).toBe("paid")
  })

  it("keep no token, and no network or customer as it is", async () => {
    await tried(UNKNOWN, { customerId: "cus_eve" })
    const kept = JSON.stringify([
      await harness.ledger.sql("select * from mp_start"),
      await harness.ledger.sql("select * from mp_bucket"),
      await harness.ledger.sql(
        "select * from mp_operation where created_at > now() - interval '1 h'",
      ),
      harness.logged,
    ])
    for (const secret of [UNKNOWN, MARKET, "cus_eve", BROWSER]) expect(kept).not.toContain(secret)
  })
})

describe("[D6] paused cards", () => {
  it("pause neither mobile money nor the payment page: of the network, the cart and the phone", async () => {
    const cart = harness.cart(CARD)
    const phone = wallet()
    for (let n = 0; n < OF_SHOPPER; n++) await triedToItsEnd("card_declined", cart, { phone })
    for (let n = 0; n < 2 * OF_NETWORK; n++) await tried(UNKNOWN)
    expect(await tried("card_no_3ds", { phone }, cart)).toBe("card_paused")
    const pushed = { ...cart, sessionId: harness.session(cart.collectionId) }
    expect((await start(pushed.sessionId, { phone })).code).toBe("started")
    for (let n = 0; n < LIMITS.startsOfPhoneAtOnce - 1; n++) {
      expect((await start(harness.cart().sessionId, { phone })).code).toBe("started")
    }
    expect((await start(harness.cart(HOSTED).sessionId)).code).toBe("started")
  })

  it("are no numbers that did not approve", async () => {
    for (let n = 0; n < LIMITS.unapprovedNumbersMax + 2; n++) {
      expect(await tried("card_declined")).toBe("declined")
    }
    expect((await start(harness.cart().sessionId)).code).toBe("started")
  })
})

describe("[D6] honest shoppers", () => {
  it("whose card is declined three times pay with another", async () => {
    const cart = harness.cart(CARD)
    for (let n = 0; n < 3; n++) expect(await triedToItsEnd("card_declined", cart)).toBe("declined")
    expect(await tried("card_no_3ds", {}, cart)).toBe("paid")
  })

  it("with two cards try each three times, with typing mistakes between", async () => {
    const cart = harness.cart(CARD)
    const customerId = "cus_two_cards"
    for (const token of ["card_declined", UNKNOWN]) {
      for (let n = 0; n < 3; n++) {
        expect(await triedToItsEnd(token, cart, { customerId })).not.toBe("card_paused")
      }
    }
  })

  it("on a market day behind one address all pay, though one card in five is declined", async () => {
    const answers: string[] = []
    for (let n = 0; n < 60; n++) {
      const token = n % 5 === 0 ? (n % 2 ? UNKNOWN : "card_declined") : "card_no_3ds"
      answers.push(await tried(token, { deps: n % 2 ? one : two }))
      // As fast as a fifth of a country's shoppers.
      await harness.ledger.sql("update mp_bucket set full_at = full_at - interval '1 s'")
    }
    expect(answers.filter((answer) => answer === "paid")).toHaveLength(48)
    expect(answers).not.toContain("card_paused")
  })

  it("are not held up by an abuser at their address with a browser of his own", async () => {
    for (let n = 0; n < OF_NETWORK + 2; n++) expect(await tried("card_no_3ds")).toBe("paid")
    await harness.ledger.sql("truncate mp_bucket")
    const answers: string[] = []
    for (let n = 0; n < 20; n++) answers.push(await tried(UNKNOWN, { client: "a script" }))
    expect(answers.filter((answer) => answer === "card_paused")).toHaveLength(20 - OF_NETWORK)
    expect(await tried("card_no_3ds")).toBe("paid")
  })

  it("may try again where the processor was away, or the shop's credentials were wrong", async () => {
    for (let n = 0; n < OF_NETWORK + 2; n++) await tried("card_declined")
    for (const reason of ["operator_unavailable", "not_configured"]) {
      await harness.ledger.sql("update mp_operation set reason = $1", [reason])
      expect(await tried("card_no_3ds")).toBe("paid")
    }
  })
})

describe("[D6] a wave of declines from many addresses", () => {
  const wave = async () => {
    for (let n = 0; n < LIMITS.declinedCardsOfAccountMax; n++) {
      expect(await tried(UNKNOWN, { network: `198.51.100.${n}` })).toBe("invalid_request")
    }
  }
  /** Solved by a person once, as the captcha's service sees it. */
  const captcha = () => {
    const solved = new Set(["solved", "solved too"])
    const verified: string[] = []
    return {
      verified,
      isThere: () => true,
      async verify({ captcha_token: token }: { captcha_token: string }) {
        verified.push(token)
        return solved.delete(token)
      },
    }
  }

  it("pauses nobody, and shows to the admin", async () => {
    await wave()
    expect(await tried("card_no_3ds", { network: "192.0.2.1" })).toBe("paid")
    expect(await readDeclinedCards(harness.ledger.database)).toMatchObject({
      declined: LIMITS.declinedCardsOfAccountMax,
      paid: 1,
    })
  })

  it("began with the first that none came before for a quarter of an hour", async () => {
    await tried(UNKNOWN)
    await later(16 * MINUTE)
    await tried(UNKNOWN)
    await later(10 * MINUTE)
    await tried(UNKNOWN)
    const { declined, sinceMs } = await readDeclinedCards(harness.ledger.database)
    expect(declined).toBe(2)
    expect(Math.round(sinceMs / MINUTE)).toBe(10)
  })

  it("asks for the captcha where the shop has one, and lets through who solves it", async () => {
    const shop = captcha()
    const deps = process("with captcha", shop)
    await wave()
    const network = "192.0.2.1"
    const { sessionId } = harness.cart(CARD)
    const token = "card_no_3ds"
    const refused = { code: "card_paused", captcha: true, seconds: expect.any(Number) }
    expect(await start(sessionId, { deps, network, token })).toEqual(refused)
    expect(shop.verified).toEqual([])
    expect(await start(sessionId, { deps, network, token, captchaToken: "guessed" })).toEqual(
      refused,
    )
    expect(shop.verified).toEqual(["guessed"])
    const before = executed()
    const clicks = await Promise.all(
      times(3, () => start(sessionId, { deps, network, token, captchaToken: "solved" })),
    )
    expect(clicks.map(({ code }) => code)).toEqual(Array(3).fill("started"))
    // A start may be answered before its card has left.
    await until(() => Promise.resolve(executed() > before), "the card is sent")
    expect(executed() - before).toBe(1)
    // Once is once.
    const again = { deps, network, token, captchaToken: "solved" }
    expect(await start(harness.cart(CARD).sessionId, again)).toEqual(refused)
  })

  it("asks the paused ones for it as well, and nobody while there is no pause", async () => {
    const shop = captcha()
    const deps = process("with captcha", shop)
    expect(await tried("card_no_3ds", { deps, captchaToken: "unused" })).toBe("paid")
    for (let n = 0; n < OF_NETWORK; n++) await tried(UNKNOWN, { deps })
    expect(shop.verified).toEqual([])
    expect(await tried("card_no_3ds", { deps })).toBe("card_paused")
    expect(await tried("card_no_3ds", { deps, captchaToken: "solved too" })).toBe("paid")
    expect((await start(harness.cart().sessionId, { deps })).code).toBe("started")
  })
})

it("[D6] breaks no promise, and no answer of the gateway the contract", async () => {
  expect(await breachesIn(harness)).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})
