/**
 * [D6] Stolen cards that are tried in a row from one address; the shop's captcha, with a service
 * over HTTP; and what an admin reads of it.
 */
import { randomBytes } from "node:crypto"
import http from "node:http"
import type { AddressInfo } from "node:net"
import { LIMITS } from "../../src/core/limits"
import type { HealthResponse } from "../../src/accounts/schemas/health"
import { verifyCaptchaAt, WITH_OTHER_CODE } from "./support/other-code"
import { settled, timesCharged } from "./support/payments"
import { expectOk, from, walletOf } from "./support/shop"
import { useHarness } from "./support/harness"
import { isWhole } from "../support/whole-tables"

const harness = useHarness({
  simulator: { speed: 4 },
  env: {
    ...WITH_OTHER_CODE,
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  },
})

const CARD = "pp_card_merchant"
const EVE = "203.0.113.66"
const MAX = LIMITS.declinedCardsOfNetworkMax
const CARDS = isWhole ? 40 : MAX + 4

/** A captcha service: each solved token is valid once. */
const solved = new Set<string>()
let behaves: "answers" | "fails" | "says nonsense" | "hangs" = "answers"
const service = http.createServer((request, response) => {
  let form = ""
  request.on("data", (part: Buffer) => (form += part.toString()))
  request.on("end", () => {
    const given = new URLSearchParams(form)
    const isSolved = solved.delete(given.get("response") ?? "")
    const isShop = given.get("secret") === "of the shop"
    if (behaves === "hangs") return
    if (behaves === "fails") return response.writeHead(500).end("down")
    const success = behaves === "answers" ? isShop && isSolved : "yes"
    response.end(JSON.stringify({ success }))
  })
})

beforeAll(() => new Promise<void>((resolve) => service.listen(0, "127.0.0.1", () => resolve())))
afterAll(() => {
  service.closeAllConnections()
  return new Promise((resolve) => service.close(resolve))
})

type Refused = {
  readonly code?: string
  readonly situation?: string
  readonly captcha?: boolean
  readonly retry_after_seconds?: number
  readonly payment?: { readonly state: string }
}

const start = (sessionId: string, body: object, network = EVE) =>
  harness.shop.call<Refused>(
    "POST",
    `/store/merchant-payments/sessions/${sessionId}/start`,
    body,
    from(network),
  )

async function cardCart() {
  const cartId = await harness.shop.cart({ phone: walletOf() })
  return { cartId, sessionId: await harness.shop.session(cartId, CARD) }
}

const asked = () => harness.simulator.calls["predictCardProviderInfo"] ?? 0

const healthLine = async () => {
  const path = "/admin/merchant-payments/health"
  const { checks } = await expectOk(harness.admin.call<HealthResponse>("GET", path))
  return checks.find(({ name }) => name === "declined_cards")
}

describe("[D6] cards in a row from one address", () => {
  it("cost twelve calls to the gateway, and an admin reads of them", async () => {
    const answers: string[] = []
    let { sessionId } = await cardCart()
    for (let n = 0; n < CARDS; n++) {
      // Fewer in a cart than pause it.
      if (n > 0 && n % 5 === 0) ({ sessionId } = await cardCart())
      const { status, body } = await start(sessionId, { card_token: `card_stolen_${n}` })
      answers.push(`${status} ${body.code ?? ""}`)
    }
    expect(answers).toEqual([
      ...Array<string>(MAX).fill("400 invalid_request"),
      ...Array<string>(CARDS - MAX).fill("429 card_paused"),
    ])
    expect(asked()).toBe(MAX)
    expect(await healthLine()).toMatchObject({
      status: "warning",
      code: "cards_declined",
      facts: { declined: MAX, paid: 0, minutes: 15 },
    })
  })

  it("pause only cards from there, with the time to wait", async () => {
    const { cartId, sessionId } = await cardCart()
    const { shop, store } = harness
    const response = await fetch(
      `${shop.url}/store/merchant-payments/sessions/${sessionId}/start`,
      {
        method: "POST",
        headers: {
          "x-publishable-api-key": store.publishableKey,
          "content-type": "application/json",
          ...from(EVE),
        },
        body: JSON.stringify({ card_token: "card_no_3ds" }),
      },
    )
    const body = (await response.json()) as Refused
    expect(body).toMatchObject({ code: "card_paused", situation: "card_paused", captcha: false })
    expect(response.headers.get("retry-after")).toBe(String(body.retry_after_seconds))
    // A captcha's token changes nothing where the shop has no captcha.
    const given = { card_token: "card_no_3ds", captcha_token: "made-up" }
    expect((await start(sessionId, given)).body.code).toBe("card_paused")
    const phone = walletOf()
    const pushed = await shop.session(cartId)
    await expectOk(start(pushed, { phone }))
    harness.simulator.handset.approve(phone.slice(1))
    expect(await settled(harness, pushed)).toMatchObject({ state: "paid" })
    expect(await timesCharged(harness, cartId)).toBe(1)
    const elsewhere = await cardCart()
    await expectOk(start(elsewhere.sessionId, { card_token: "card_no_3ds" }, "198.51.100.7"))
    expect(await settled(harness, elsewhere.sessionId)).toMatchObject({ state: "paid" })
  })
})

describe("[D6] the shop's captcha", () => {
  beforeAll(async () => {
    const { port } = service.address() as AddressInfo
    await verifyCaptchaAt(harness, `http://127.0.0.1:${port}/verify`)
  })

  it("is required while cards are paused, and a shopper who solves it pays", async () => {
    const { cartId, sessionId } = await cardCart()
    const card = { card_token: "card_no_3ds" }
    const refused = { status: 429, body: { situation: "card_paused.captcha", captcha: true } }
    expect(await start(sessionId, card)).toMatchObject(refused)
    expect(await start(sessionId, { ...card, captcha_token: "guessed" })).toMatchObject(refused)
    expect(await healthLine()).toMatchObject({ code: "cards_declined_captcha" })
    solved.add("by-ada")
    // Two clicks with the one captcha are one payment.
    const clicks = await Promise.all(
      [1, 2].map(() => start(sessionId, { ...card, captcha_token: "by-ada" })),
    )
    // The card is charged at once: the slower click may find it paid.
    const heard = clicks.map(({ status, body }) => (status === 200 ? "begun" : body.code))
    expect(heard).toContain("begun")
    expect(heard.filter((one) => one !== "begun" && one !== "already_paid")).toEqual([])
    expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
    expect(await timesCharged(harness, cartId)).toBe(1)
    const other = await cardCart()
    const again = { ...card, captcha_token: "by-ada" }
    expect(await start(other.sessionId, again)).toMatchObject(refused)
  })

  it.each(["fails", "says nonsense", "hangs"] as const)(
    "lets nobody through where its service %s",
    async (how) => {
      behaves = how
      try {
        const { sessionId } = await cardCart()
        const before = asked()
        const given = { card_token: "card_no_3ds", captcha_token: "anything" }
        expect((await start(sessionId, given)).body.code).toBe("card_paused")
        expect(asked()).toBe(before)
      } finally {
        behaves = "answers"
      }
    },
  )

  it.each([["with a space"], ["x".repeat(8_193)], [""], [7]])(
    "refuses a token of another form (%#)",
    async (captcha_token) => {
      const { sessionId } = await cardCart()
      const given = { card_token: "card_no_3ds", captcha_token }
      const { status, body } = await start(sessionId, given)
      expect([status, body]).toMatchObject([
        400,
        { code: "invalid_request", field: "captcha_token" },
      ])
      expect(harness.store.output()).not.toContain("with a space")
    },
  )

  it("is not required elsewhere", async () => {
    const { sessionId } = await cardCart()
    await expectOk(start(sessionId, { card_token: "card_no_3ds" }, "198.51.100.8"))
    expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
  })
})
