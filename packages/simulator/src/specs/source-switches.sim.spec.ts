/**
 * Each setting for what the contract leaves open about sources, and that it changes the behaviour.
 */
import type { SimulatorOptions } from "../index"
import {
  checkoutRequest,
  collectionStatus,
  MINUTE_MS,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"
import { KINDS, newDraft } from "../testing/documents"

const opened: Bench[] = []
const started = async (options: SimulatorOptions): Promise<Bench> => {
  const bench = await startBench(options)
  opened.push(bench)
  return bench
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bench) => bench.close()))
})

const create = ({ call }: Bench, change: Json = {}) =>
  call("POST", "/v1/checkouts/create", checkoutRequest(change))
const open = async (url: unknown) => {
  const response = await fetch(String(url), { redirect: "manual" })
  return { status: response.status, text: await response.text() }
}
const inAMinute = { expires_at: new Date(Date.UTC(2026, 0, 1, 0, 1)).toISOString() }

describe("a source past its expires_at", () => {
  test.each([
    ["page_closes", "ACTIVE", "This payment has expired", 422],
    ["canceled", "CANCELED", "This payment was canceled", 422],
    ["open", "ACTIVE", "Pay with mobile money", 303],
  ] as const)("with %s is %s", async (afterExpiry, status, shown, paid) => {
    const bench = await started({ afterExpiry })
    const { body: source } = await create(bench, inAMinute)
    expect(await sourceStatus(bench, source)).toMatchObject({ status: "ACTIVE" })
    bench.clock.advance(MINUTE_MS)
    expect(await sourceStatus(bench, source)).toMatchObject({ status })
    expect((await open(source["url"])).text).toContain(shown)
    const init = { method: "POST", body: new URLSearchParams({ answer: "pay" }) }
    const answer = await fetch(`${String(source["url"])}/card`, { ...init, redirect: "manual" })
    expect(answer.status).toBe(paid)
    expect(bench.simulator.book.executions()).toHaveLength(paid === 303 ? 1 : 0)
  })

  test("that is canceled so takes no execution on a session opened before", async () => {
    const bench = await started({ afterExpiry: "canceled" })
    const { execution } = await readyToExecute(bench, phoneEnding("00"), inAMinute)
    bench.clock.advance(MINUTE_MS)
    const { status } = await bench.call("POST", "/v1/executions/collection", execution)
    expect(status).toBe(422)
    expect(bench.simulator.book.executions()).toEqual([])
  })

  test.each([
    ["04", "PAID"],
    ["03", "CANCELED"],
  ])("waits for a payment that runs (%s), and is %s then", async (ending, status) => {
    const bench = await started({ afterExpiry: "canceled" })
    const { source, execution } = await readyToExecute(bench, phoneEnding(ending), inAMinute)
    await bench.call("POST", "/v1/executions/collection", execution)
    bench.clock.advance(2 * MINUTE_MS)
    expect(await sourceStatus(bench, source)).toMatchObject({ status: "PROCESSING" })
    if (ending === "03") bench.simulator.handset.decline(phoneEnding("03"))
    bench.clock.advance(3 * MINUTE_MS)
    expect(await sourceStatus(bench, source)).toMatchObject({ status })
  })

  test("that was canceled so stays CANCELED when late money comes, as the book shows", async () => {
    const bench = await started({ afterExpiry: "canceled" })
    const { source, execution } = await readyToExecute(bench, phoneEnding("07"), inAMinute)
    bench.clock.advance(MINUTE_MS - 4_000)
    await bench.call("POST", "/v1/executions/collection", execution)
    bench.clock.advance(10_000)
    expect(await sourceStatus(bench, source)).toMatchObject({ status: "CANCELED" })
    bench.clock.advance(2 * MINUTE_MS)
    expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
    expect(await sourceStatus(bench, source)).toMatchObject({ status: "CANCELED", paid_at: null })
    const document = bench.simulator.book.document(Number(source["source_id"]))
    expect(document).toMatchObject({ status: "CANCELED", charges: 1 })
  })

  test("that was paid before stays PAID", async () => {
    const bench = await started({ afterExpiry: "canceled" })
    const { body: source } = await create(bench, inAMinute)
    bench.simulator.hosted.pay(Number(source["source_id"]), { method: "card" })
    bench.clock.advance(5 * MINUTE_MS)
    expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID" })
  })
})

test("a source without expires_at gets one, by setting", async () => {
  const { body: endless } = await create(await started({}))
  expect(endless["expires_at"]).toBeNull()
  const { body: source } = await create(await started({ sourceLifeMs: MINUTE_MS }))
  expect(source["expires_at"]).toBe("2026-01-01T00:01:00.000Z")
  await expect(startBench({ sourceLifeMs: 0 })).rejects.toThrow("sourceLifeMs")
})

describe.each([
  ["free", "cart_1", 200],
  ["uuid_v4", "cart_1", 422],
  ["uuid_v4", "550e8400-e29b-11d4-a716-446655440000", 422],
  ["uuid_v4", "550e8400-e29b-41d4-a716-446655440000", 200],
] as const)("with references %s, %s", (documentReference, reference_id, expected) => {
  test(`answers ${expected} for checkouts, drafts and changes of drafts`, async () => {
    const bench = await started({ documentReference })
    const answers = [await create(bench, { reference_id })]
    for (const kind of KINDS) {
      const draft = await newDraft(bench.call, kind, { reference_id: null })
      const path = `/v1/${kind.path}/update/${String(draft["id"])}`
      answers.push(await bench.call("PUT", path, { reference_id }))
      const request = { counterparty_id: draft["counterparty_id"], currency: "USD", note: "" }
      const rest = { fee_bearer: "PAYEE", as_payment_link: false, reference_id }
      answers.push(await bench.call("POST", `/v1/${kind.path}/create`, { ...request, ...rest }))
    }
    for (const { status, body } of answers) {
      expect(status).toBe(expected)
      if (expected === 422) {
        expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", "reference_id"] })])
      }
    }
  })
})

test("a reference is used once by a merchant, by setting", async () => {
  const reference_id = "550e8400-e29b-41d4-a716-446655440000"
  const bench = await started({ documentReference: "unique_uuid_v4" })
  const { body: source } = await create(bench, { reference_id, source_kind: "INVOICE" })
  const { status, body } = await create(bench, { reference_id })
  expect(status).toBe(422)
  expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", "reference_id"] })])
  const [order] = KINDS
  const draft = await newDraft(bench.call, order, { reference_id: crypto.randomUUID() })
  const path = `/v1/orders/update/${String(draft["id"])}`
  expect((await bench.call("PUT", path, { reference_id })).status).toBe(422)
  const same = { reference_id: draft["reference_id"], note: "Same" }
  expect((await bench.call("PUT", path, same)).body).toMatchObject(same)
  expect(bench.simulator.book.documentsByReference(reference_id)).toHaveLength(1)
  expect(source["reference_id"]).toBe(reference_id)
})

test.each([
  ["page", 200],
  ["no_page", 200],
  ["refused", 422],
] as const)("mode DIRECT with %s answers %i", async (directMode, expected) => {
  const bench = await started({ directMode })
  const { status, body } = await create(bench, { mode: "DIRECT" })
  expect(status).toBe(expected)
  if (status === 422) {
    expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", "mode"] })])
    return
  }
  const hostedPath = bench.simulator.book.document(Number(body["source_id"]))?.hostedPath
  if (directMode === "page") {
    expect(body["url"]).toBe(`${bench.simulator.url}${String(hostedPath)}`)
    expect((await open(body["url"])).status).toBe(200)
  } else {
    expect(body).toMatchObject({ url: "", hosted_path_or_token: null })
    expect(hostedPath).toBeNull()
  }
  expect((await create(bench)).body["url"]).toMatch(/^http:.*\/pay\//)
})

test.each([true, false])("checkout sources as payment links: %p", async (isLink) => {
  const bench = await started({ checkoutsArePaymentLinks: isLink })
  const { body: source } = await create(bench)
  const query = `source_type=ORDER&source_number=${String(source["source_number"])}`
  const { status, body } = await bench.call("GET", `/v1/links/pay?${query}`)
  expect(status).toBe(isLink ? 200 : 422)
  if (isLink) expect(body["url"]).toBe(source["url"])
  const detail = await bench.call("GET", `/v1/orders/retrieve/${String(source["source_id"])}`)
  expect(detail.body["as_payment_link"]).toBe(isLink)
})

test("the merchant's addresses get query parameters, by setting", async () => {
  const bench = await started({ addsReturnParameters: true })
  const { body: source } = await create(bench, {
    success_url: "https://shop.example/paid?cart=1",
    cancel_url: "https://shop.example/cart",
  })
  const added = `source_type=ORDER&source_number=${String(source["source_number"])}`
  const id = Number(source["source_id"])
  const { cancelUrl } = bench.simulator.hosted.cancel(id)
  expect(cancelUrl).toBe(`https://shop.example/cart?${added}&status=ACTIVE`)
  bench.simulator.hosted.pay(id, { method: "card" })
  const state: unknown = JSON.parse((await open(`${String(source["url"])}/state`)).text)
  const next = `https://shop.example/paid?cart=1&${added}&status=PAID`
  expect(state).toEqual({ state: "PAID", next })
  expect((await open(source["url"])).text).toContain(next.replaceAll("&", "&amp;"))
})

test("an unverified merchant makes no hosted page and no payment link", async () => {
  const bench = await started({ isVerified: false, checkoutsArePaymentLinks: true })
  expect((await create(bench)).status).toBe(403)
  const { status, body: source } = await create(bench, { mode: "DIRECT" })
  expect(status).toBe(200)
  const query = `source_type=ORDER&source_number=${String(source["source_number"])}`
  expect((await bench.call("GET", `/v1/links/pay?${query}`)).status).toBe(403)
  const page = await open(source["url"])
  expect(page.status).toBe(403)
  expect(page.text).toContain('data-testid="restricted"')
  const { hosted } = bench.simulator
  expect(() => hosted.pay(Number(source["source_id"]), { method: "card" })).toThrow("verified")
  expect(bench.simulator.book.executions()).toEqual([])
})

describe("a source whose prompt waits on the phone", () => {
  test.each([
    ["PROCESSING", 422, "PROCESSING"],
    ["ACTIVE", 200, "CANCELED"],
  ] as const)("with %s answers a cancel with %s", async (promptedSource, status, after) => {
    const bench = await started({ promptedSource })
    const { execution, source } = await readyToExecute(bench, phoneEnding("03"))
    await bench.call("POST", "/v1/executions/collection", execution)
    expect(await sourceStatus(bench, source)).toMatchObject({ status: promptedSource })
    const id = String(source["source_id"])
    expect(
      (
        await bench.call(
          "DELETE",
          `/v1/${String(source["source_type"]).toLowerCase()}s/cancel/${id}`,
        )
      ).status,
    ).toBe(status)
    expect(await sourceStatus(bench, source)).toMatchObject({ status: after })
  })
})

describe("a gateway that takes plain texts alone", () => {
  const items = (count: number, name = "Tea") =>
    Array.from({ length: count }, () => ({ name, currency: "USD", amount: 1 }))
  const plain = { items: items(10), party_name: "Ada", party_email: "ada@example.com" }

  test.each([
    ["plain texts", {}, 200],
    ["an accent", { party_name: "Élodie" }, 422],
    ["an ampersand", { items: items(1, "Tea & milk") }, 422],
    ["51 characters", { items: items(1, "x".repeat(51)) }, 422],
    ["an e-mail with a plus", { party_email: "ada+shop@example.com" }, 422],
    ["eleven lines", { items: items(11) }, 422],
  ])("takes, or refuses on its field: %s", async (_, change, status) => {
    const bench = await started({ texts: "plain" })
    expect((await create(bench, { ...plain, ...change })).status).toBe(status)
  })

  test("any other takes all of them", async () => {
    const bench = await started({})
    const change = { party_name: "Élodie & fils", items: items(20, "Thé") }
    expect((await create(bench, change)).status).toBe(200)
  })
})
