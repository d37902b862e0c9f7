/**
 * What keeps credentials from being proven is the gateway's own refusal of them, or else the gateway
 * counts as away: whatever a firewall, a proxy or a broken gateway answers in its place.
 */
import { testConnection } from "../../../src/accounts/test-connection"
import { startPayment } from "../../../src/checkout/start-payment"
import type { Operation } from "../../../src/core/operation"
import { askNow } from "../../../src/engine/ask-now"
import type { FlowDeps } from "../../../src/engine/deps"
import { createGateway, type Gateway } from "../../../src/gateway"
import { adoptCredential } from "../../../src/ledger/accounts/credentials"
import { requestPayout } from "../../../src/payouts/request-payout"
import { checkNow } from "../../../src/worker/check-due-operations"
import { drivenClock } from "../../gateway/driven-clock"
import { html, json, raw, reset, type Answer } from "../../gateway/scripted-server"
import { accountDepsOf } from "../../support/account-deps"
import { DAY, MINUTE } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { startGatewayFront, type CallPart, type GatewayFront } from "../../support/gateway-front"
import { letMoneyOut, PASSCODE, payoutOf } from "../../support/payouts-harness"
import { freshPhone } from "../../support/production-limits"
import { useRefundHarness } from "../../support/refund-harness"

const ROTATED = { clientId: "rotated-client", clientSecret: "CANARY-rotated" }
const FORMER = { clientId: "simulator-client", clientSecret: "simulator-secret" }
const PAGE = { "content-type": "text/html" }

const AWAY: readonly (readonly [string, Answer])[] = [
  ["a 503", json(503, { detail: "Down" })],
  ["a proxy's 502", raw(502, "<html>Bad gateway</html>", PAGE)],
  ["a 500", json(500, { detail: "Oops" })],
  ["a cut connection", reset],
  ["a login page", html],
  ["a firewall's page with 403", raw(403, "<html>Denied</html>", PAGE)],
  ["an empty 403", raw(403, "", {})],
  ["a proxy's JSON with 403", json(403, { message: "Forbidden" })],
  ["a firewall's page with 401", raw(401, "<html>Log in</html>", PAGE)],
  ["an empty 401", raw(401, "", {})],
  ["a proxy's JSON with 401", json(401, { error: { code: 401, message: "No key" } })],
]

const REFUSING: readonly (readonly [string, Answer])[] = [
  ["the gateway's 401", json(401, { detail: "Could not validate credentials" })],
  ["the gateway's 403", json(403, { detail: "Not verified" })],
]

const PARTS: readonly CallPart[] = ["token", "call"]
const rows = (answers: readonly (readonly [string, Answer])[]) =>
  answers.flatMap(([name, answer]) => PARTS.map((part) => [name, part, answer] as const))

const its = useRefundHarness({
  passcode: PASSCODE,
  merchants: [{ ownerId: 1, name: "Demo Shop", ...ROTATED }],
})
const { harness } = its
let front: GatewayFront
let payment: Operation
let opened: Gateway[] = []

beforeAll(async () => {
  await letMoneyOut(harness.ledger)
  front = await startGatewayFront(harness.simulator)
  payment = await its.paid()
})

beforeEach(() =>
  harness.ledger.sql("update mp_credential set owner_id = null, successor_id = null"),
)

afterEach(async () => {
  front.clear()
  await Promise.all(opened.map((gateway) => gateway.close()))
  opened = []
})

afterAll(() => front.close())

/** A store whose account has this client. Its calls go through the front, and no pause takes time. */
function storeOf(client: typeof FORMER): FlowDeps {
  const gateway = createGateway({ baseUrl: front.url, clock: drivenClock(), ...client })
  opened.push(gateway)
  const { clientId } = client
  return {
    ...harness.deps,
    gatewayOf: () => gateway,
    credentialOf: ({ id }) =>
      adoptCredential(harness.ledger.database, {
        accountId: id,
        baseUrl: harness.simulator.url,
        clientId,
      }),
  }
}

const start = () =>
  codeOf(
    startPayment(storeOf(FORMER), { sessionId: harness.cart().sessionId, phone: freshPhone() }),
  )

const payOut = () => codeOf(requestPayout(storeOf(FORMER), payoutOf()))

/** Refunds with credentials that are new and not proven yet. */
const refund = () => codeOf(its.ask(payment, {}, storeOf(ROTATED)))

const refundByMedusa = () => its.click(payment, undefined, { deps: storeOf(ROTATED) })

async function look(): Promise<string> {
  const now = await askNow(storeOf(ROTATED), payment)
  return now.kind === "not_asked" ? now.why : now.kind
}

const ACCUSING = /^(credentials_wrong|credentials_not_let_in|not_verified|fees_hidden|refused)$/

/** What the connection test says against the account. */
async function accused(): Promise<string[]> {
  const typed = { base_url: front.url, client_id: FORMER.clientId, currencies: ["USD"] }
  const deps = accountDepsOf(harness, {
    openGateway: (client) => createGateway({ ...client, clock: drivenClock() }),
  })
  const secret = { client_secret: FORMER.clientSecret }
  const { lines } = await testConnection(deps, "new", { ...typed, ...secret })
  return lines.map(({ code }) => code).filter((code) => ACCUSING.test(code))
}

describe.each(rows(AWAY))("behind %s at each %s the gateway is away", (_name, part, answer) => {
  beforeEach(() => front.answer(part, answer))

  it("for a start, a payout, a refund by a person and by Medusa, and an admin's check", async () => {
    expect(await start()).toBe("gateway_unavailable")
    expect(await payOut()).toBe("gateway_unavailable")
    expect(await refund()).toBe("gateway_unavailable")
    expect(await refundByMedusa()).toBe("gateway_unavailable")
    expect(await look()).toBe("unanswered")
  })

  it("for a connection test, which accuses no credentials", async () => {
    expect(await accused()).toEqual([])
  })
})

describe.each(rows(REFUSING))("by %s at each %s the account is refused", (name, part, answer) => {
  beforeEach(() => front.answer(part, answer))

  it("for a start, a payout, a refund by a person and by Medusa, and an admin's check", async () => {
    expect(await start()).toBe("not_configured")
    expect(await payOut()).toBe(name.endsWith("401") ? "not_configured" : "not_verified")
    expect(await refund()).toBe("not_configured")
    expect(await refundByMedusa()).toBe("not_configured")
    expect(await look()).toBe("no_credentials")
  })

  it("for a connection test", async () => {
    expect(await accused()).not.toEqual([])
  })
})

it("one 404 for the document that proves new credentials says nothing against them", async () => {
  front.answer("call", json(404, { detail: "Order not found" }))
  expect(await refund()).toBe("gateway_unavailable")
})

it("a refund goes out as soon as the gateway answers again", async () => {
  front.answer("token", json(401, { detail: "Could not validate credentials" }))
  expect(await refund()).toBe("not_configured")
  front.clear()
  expect(await refund()).toBe("none")
})

it.each([
  ["no_answer", "was away", json(503, { detail: "Down" })],
  ["credentials", "refused them", json(401, { detail: "Could not validate credentials" })],
] as const)(
  "a prompt that new credentials can't ask about for three days waits for an admin as %s where the gateway %s",
  async (reason, _how, answer) => {
    const { sessionId, collectionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: freshPhone() })
    const { id } = await harness.shown(collectionId)
    front.answer("call", answer)
    for (const ms of [MINUTE, 4 * DAY]) {
      await harness.pass(id, ms)
      await checkNow(storeOf(ROTATED), id)
    }
    expect(await harness.shown(collectionId)).toMatchObject({ state: "review", reason })
  },
)
