/**
 * Notifications through Medusa's notification module, with a provider of text messages that works,
 * fails, hangs, or was just asked when the store is killed.
 */
import http from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import type {
  NotificationsResponse,
  TestResponse,
} from "../../src/notifications/schemas/notifications"
import { until } from "../support/until"
import { useHarness } from "./support/harness"
import { settled } from "./support/payments"
import { expectOk, PUSH, walletOf, type Answer } from "./support/shop"

let behaves: "works" | "fails" | "hangs" = "works"
const texts: { to: string; text: string }[] = []
const provider = http.createServer((request, response) => {
  let body = ""
  request.on("data", (part: Buffer) => (body += part.toString()))
  request.on("end", () => {
    texts.push(JSON.parse(body) as (typeof texts)[number])
    if (behaves === "works") response.end()
    else if (behaves === "fails") response.writeHead(500).end("no credit left")
  })
})
const env: Record<string, string> = {
  NODE_OPTIONS: `--require ${path.join(__dirname, "support/text-provider.cjs")}`,
}

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", () => resolve()))
  env["TEXTS_URL"] = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})

afterAll(() => {
  provider.closeAllConnections()
  return new Promise((resolve) => provider.close(resolve))
})

const harness = useHarness({ simulator: { speed: 4 }, env })

const ROOT = "/admin/merchant-payments/notifications"
const ask = <T>(method: string, rest = "", body?: object): Promise<Answer<T>> =>
  harness.admin.call<T>(method, `${ROOT}${rest}`, body)
const read = () => expectOk(ask<NotificationsResponse>("GET"))

const ADA = {
  id: "ada",
  name: "Ada",
  channel: "sms",
  address: "+231770123456",
  locale: "fr",
  kinds: ["money_received"],
  schedule: { mode: "at_once" },
} as const
const BEA = {
  ...ADA,
  id: "bea",
  name: "Bea",
  channel: "email",
  address: "bea@example.com",
} as const

async function tell(recipients: readonly object[]): Promise<NotificationsResponse> {
  const { version, recipients: known } = await read()
  const feed = known.filter(({ channel }) => channel === "feed")
  const all = [...feed.map((one) => ({ ...one, kinds: ["money_received"] })), ...recipients]
  const customers = { locale: "en", rules: [] }
  return expectOk(ask<NotificationsResponse>("POST", "", { version, recipients: all, customers }))
}

async function paid(): Promise<string> {
  const sessionId = await harness.shop.session(await harness.shop.cart(), PUSH)
  const phone = walletOf()
  await expectOk(harness.shop.start(sessionId, { phone }))
  harness.simulator.handset.approve(phone.slice(1))
  const { state } = await settled(harness, sessionId)
  expect(state).toBe("paid")
  const [row] = await harness.sql<{ id: string }>(
    "select id from mp_operation where payment_session_id = $1",
    [sessionId],
  )
  return row?.id ?? ""
}

type Told = { channel: string; state: string; key: string; problem: string | null }
const told = (operationId: string) =>
  harness.sql<Told>(
    "select channel, state, key, problem from mp_notification where operation_id = $1 order by channel",
    [operationId],
  )
const toldAs = (operationId: string, states: Readonly<Record<string, string>>) =>
  until(async () => {
    const rows = await told(operationId)
    const isSo = Object.entries(states).every(([channel, state]) =>
      rows.some((row) => row.channel === channel && row.state === state),
    )
    return isSo ? rows : undefined
  }, JSON.stringify(states))
const dueNow = () =>
  harness.sql("update mp_notification set due_at = now() where state = 'waiting'")

it("the notification settings name the shop's channels, and are kept as typed", async () => {
  const before = await read()
  expect(before).toMatchObject({ version: 0, channels: ["feed", "email", "sms", "whatsapp"] })
  const saved = await tell([ADA, BEA])
  expect(saved).toMatchObject({ version: 1, recipients: [{ id: "feed" }, ADA, BEA] })
  expect(await read()).toEqual(saved)
  const stale = await ask("POST", "", { ...saved, version: 0 })
  expect([stale.status, stale.body]).toMatchObject([400, { code: "invalid_request" }])
  const { recipients, customers } = saved
  const late = await ask("POST", "", { version: 0, recipients, customers })
  expect([late.status, late.body]).toMatchObject([409, { code: "changed_meanwhile" }])
  const wrong = { ...ADA, address: "0770123456" }
  const refused = await ask("POST", "", { version: 1, recipients: [wrong], customers })
  expect(refused.body).toMatchObject({ situation: "invalid_request.phone_address" })
})

it("a test message shows the provider's answer", async () => {
  const test = (channel: string, address: string | null) =>
    expectOk(ask<TestResponse>("POST", "/test", { channel, address, locale: "en" }))
  expect(await test("email", "bea@example.com")).toEqual({ state: "sent", problem: null })
  behaves = "fails"
  expect(await test("sms", ADA.address)).toEqual({ state: "failed", problem: "no credit left" })
  behaves = "hangs"
  expect(await test("sms", ADA.address)).toEqual({ state: "late", problem: "no_answer" })
  behaves = "works"
  expect(await test("sms", ADA.address)).toEqual({ state: "sent", problem: null })
  expect(await test("feed", null)).toEqual({ state: "sent", problem: null })
})

it("a provider that hangs delays no payment and no other channel, and is asked once", async () => {
  behaves = "hangs"
  texts.length = 0
  const operation = await paid()
  await toldAs(operation, { email: "sent", feed: "sent" })
  await until(() => Promise.resolve(texts.length > 0 || undefined), "the provider to be asked")
  const another = await paid()
  await toldAs(another, { email: "sent", feed: "sent" })
  const waits = async () =>
    (await told(operation)).find(({ channel }) => channel === "sms")?.problem === "no_answer"
  await until(async () => (await waits()) || undefined, "the provider to be late")
  await dueNow()
  await until(async () => {
    const [row] = await harness.sql<{ tries: number }>(
      "select tries from mp_notification where operation_id = $1 and channel = 'sms'",
      [operation],
    )
    return (row?.tries ?? 0) > 1 || undefined
  }, "another look at it")
  const asked = await until(() => {
    const toAda = texts.filter(({ to }) => to === ADA.address)
    return Promise.resolve(toAda.length > 1 ? toAda : undefined)
  }, "the provider to be asked about both payments")
  expect(asked).toHaveLength(2)
  expect(asked[0]?.text).toMatch(/ont été payés pour la commande no \d+/)
  expect(asked[0]?.text).not.toMatch(/\d{8}/)
  const { notifications } = await expectOk(
    harness.admin.call<{ notifications: { data: { title: string; kind: string } }[] }>(
      "GET",
      "/admin/notifications?channel=feed&to=",
    ),
  )
  expect(notifications.filter(({ data }) => data.kind === "money_received")).toHaveLength(2)
})

it("a provider that failed is asked again until it has sent the message once", async () => {
  behaves = "fails"
  texts.length = 0
  const operation = await paid()
  await until(async () => {
    const row = (await told(operation)).find(({ channel }) => channel === "sms")
    return row?.problem === "no credit left" || undefined
  }, "the failure")
  behaves = "works"
  await dueNow()
  const rows = await toldAs(operation, { sms: "sent" })
  expect(texts).toHaveLength(2)
  const key = rows.find(({ channel }) => channel === "sms")?.key
  const records = await harness.sql("select status from notification where idempotency_key = $1", [
    key,
  ])
  expect(records).toEqual([{ status: "success" }])
  await dueNow()
  expect((await read()).not_told).toEqual([])
})

it("a store that is killed while it asks a provider does not ask again, and loses no other message", async () => {
  behaves = "hangs"
  texts.length = 0
  const operation = await paid()
  await until(() => Promise.resolve(texts.length > 0 || undefined), "the provider to be asked")
  await harness.store.kill("SIGKILL")
  // Medusa may just have asked another channel's provider, too: of that one nothing is known either.
  const amid = await harness.sql<{ channel: string }>(
    `select m.channel from mp_notification m join notification n on n.idempotency_key = m.key
      where m.operation_id = $1 and n.status = 'pending'`,
    [operation],
  )
  const unknown = amid.map(({ channel }) => channel)
  expect(unknown).toContain("sms")
  await harness.restart()
  behaves = "works"
  await dueNow()
  const others = ["email", "feed"].filter((channel) => !unknown.includes(channel))
  await toldAs(operation, Object.fromEntries(others.map((channel) => [channel, "sent"])))
  await harness.sql(
    `update mp_notification set created_at = now() - interval '25 hours', due_at = now()
      where state = 'waiting'`,
  )
  await toldAs(operation, Object.fromEntries(unknown.map((channel) => [channel, "unknown"])))
  expect(texts.filter(({ text }) => text.includes("ont été payés"))).toHaveLength(1)
  const { not_told } = await read()
  const toAda = not_told.find(
    ({ operation_id, recipient }) => operation_id === operation && recipient === "Ada",
  )
  expect(toAda).toMatchObject({ state: "unknown", problem: "no_answer" })
})
