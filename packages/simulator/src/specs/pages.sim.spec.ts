import {
  checkoutRequest,
  MINUTE_MS,
  phoneEnding,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchantName: "Palm & Sons" })
})
afterEach(() => bench.close())

const SUCCESS = "https://shop.example/paid?cart=1"
const CANCEL = "https://shop.example/cart"

const hostedPath = async (change: Json = {}) => {
  const request = checkoutRequest({ success_url: SUCCESS, cancel_url: CANCEL, ...change })
  const { body } = await bench.call("POST", "/v1/checkouts/create", request)
  return { path: new URL(String(body["url"])).pathname, sourceId: Number(body["source_id"]) }
}
const open = async (path: string) => {
  const response = await fetch(`${bench.simulator.url}${path}`)
  return { status: response.status, text: await response.text() }
}
const post = async (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams(fields)
  const init = { method: "POST", body, redirect: "manual" } as const
  const response = await fetch(`${bench.simulator.url}${path}`, init)
  return {
    status: response.status,
    location: response.headers.get("location"),
    text: await response.text(),
  }
}
const stateOf = async (path: string): Promise<unknown> =>
  JSON.parse((await open(`${path}/state`)).text)

test("the front page shows every scenario and the way to the handset", async () => {
  const { text } = await open("/")
  for (const ending of ["00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "other"]) {
    expect(text).toContain(`data-testid="scenario-${ending}"`)
  }
  expect(text).toContain('href="/handset"')
})

test("the hosted page shows merchant, lines and total, escaped", async () => {
  const items = [{ name: "<script>alert(1)</script>", currency: "USD", amount: 1234.5 }]
  const { path } = await hostedPath({ items })
  const { status, text } = await open(path)
  expect(status).toBe(200)
  expect(text).toContain("Palm &amp; Sons")
  expect(text).toContain("USD 1,234.50")
  expect(text).toContain(`value="${phoneEnding("00")}"`)
  expect(text).not.toContain("<script>alert(1)")
})

test("mobile money is approved on the handset and goes back to the shop", async () => {
  const { path, sourceId } = await hostedPath()
  const paid = await post(`${path}/mobile-money`, { phone: "+231 77 000 00 42" })
  expect(paid).toMatchObject({ status: 303, location: path })
  expect((await open(path)).text).toContain('data-testid="waiting"')
  expect(await stateOf(path)).toEqual({ state: "PROCESSING", next: path })

  const { text } = await open(`/handset?phone=${phoneEnding("42")}`)
  expect(text).toContain("USD 42.50")
  expect(text).toContain('data-testid="approve"')
  const reference = /data-reference="([^"]+)"/.exec(text)?.[1] ?? ""
  const answered = await post("/handset/answer", { reference, answer: "approve" })
  expect(answered).toMatchObject({ status: 303, location: "/handset" })

  expect(await stateOf(path)).toEqual({ state: "PAID", next: SUCCESS })
  expect((await open(path)).text).toContain(`url=${SUCCESS}`)
  expect(bench.simulator.book.document(sourceId)).toMatchObject({ status: "PAID", charges: 1 })
})

test("the scenarios hold for a number typed on the hosted page", async () => {
  const { path } = await hostedPath()
  await post(`${path}/mobile-money`, { phone: phoneEnding("02") })
  bench.clock.advance(MINUTE_MS)
  expect(await stateOf(path)).toEqual({ state: "ACTIVE", next: path })
  const { text } = await open(path)
  expect(text).toContain("Insufficient funds")
  expect(text).toContain('data-testid="pay-mobile-money"')
})

test("a card is paid or declined, and tried again", async () => {
  const { path, sourceId } = await hostedPath()
  expect((await open(`${path}/card`)).text).toContain('data-testid="card-number"')
  await post(`${path}/card`, { answer: "decline" })
  expect((await open(path)).text).toContain('data-testid="problem"')
  await post(`${path}/card`, { answer: "pay" })
  expect(bench.simulator.book.document(sourceId)).toMatchObject({ status: "PAID", charges: 1 })
  const again = await post(`${path}/card`, { answer: "pay" })
  expect(again.status).toBe(422)
  expect(bench.simulator.book.document(sourceId)?.charges).toBe(1)
})

test("a number that no operator serves is named on the page, and nothing is charged", async () => {
  const { path } = await hostedPath()
  const { status, text } = await post(`${path}/mobile-money`, { phone: "12" })
  expect(status).toBe(422)
  expect(text).toContain("No mobile money operator serves this number.")
  expect(bench.simulator.book.executions()).toEqual([])
})

test("cancelling goes to the shop's own address and leaves the source ACTIVE", async () => {
  const { path, sourceId } = await hostedPath()
  expect((await open(path)).text).toContain(`href="${CANCEL}" data-testid="cancel"`)
  expect(bench.simulator.hosted.cancel(sourceId)).toEqual({ cancelUrl: CANCEL })
  expect(bench.simulator.book.document(sourceId)?.status).toBe("ACTIVE")
})

test("without addresses the page ends here", async () => {
  const { path, sourceId } = await hostedPath({ success_url: null, cancel_url: null })
  expect((await open(path)).text).toContain(`href="${path}/left"`)
  bench.simulator.hosted.pay(sourceId, { method: "card" })
  const { text } = await open(path)
  expect(text).toContain("You can close this page.")
  expect(text).not.toContain("http-equiv")
})

test("a source past its expires_at is not payable on the page", async () => {
  const expires_at = new Date(bench.clock.now() + MINUTE_MS).toISOString()
  const { path, sourceId } = await hostedPath({ expires_at })
  bench.clock.advance(MINUTE_MS)
  expect((await open(path)).text).toContain("This payment has expired")
  expect((await post(`${path}/card`, { answer: "pay" })).status).toBe(422)
  expect(bench.simulator.book.document(sourceId)).toMatchObject({ status: "ACTIVE", charges: 0 })
})

test("a canceled source and an unknown address are told apart", async () => {
  const { path, sourceId } = await hostedPath()
  await bench.call("DELETE", `/v1/orders/cancel/${sourceId}`)
  expect((await open(path)).text).toContain("This payment was canceled")
  expect((await open("/pay/nothing")).status).toBe(404)
})

test("an operator that does not take the source's currency is paid in its own", async () => {
  const { sourceId } = await hostedPath()
  bench.simulator.hosted.pay(sourceId, { method: "mobile_money", phone: "250780000042" })
  expect(bench.simulator.handset.pending()).toMatchObject([{ payerCurrency: "RWF" }])
})

test("a payment on the page has no reference that the API would answer to", async () => {
  const { sourceId } = await hostedPath()
  const { reference } = bench.simulator.hosted.pay(sourceId, { method: "card" })
  expect((await bench.call("GET", `/v1/status/collection/${reference}`)).status).toBe(404)
})

test("the handset shows what waits on one phone only, and keeps what was answered", async () => {
  const [first, second] = [await hostedPath(), await hostedPath()]
  bench.simulator.hosted.pay(first.sourceId, { method: "mobile_money", phone: phoneEnding("42") })
  bench.simulator.hosted.pay(second.sourceId, { method: "mobile_money", phone: phoneEnding("43") })
  const fragment = async () => (await open(`/handset?fragment=1&phone=${phoneEnding("42")}`)).text
  expect((await fragment()).match(/data-testid="prompt"/g)).toHaveLength(1)
  bench.simulator.handset.decline(phoneEnding("42"))
  expect(await fragment()).toContain('data-testid="no-prompts"')
  expect(await fragment()).toContain('data-testid="recent-prompt"')
})

test("an answer that comes twice changes nothing", async () => {
  const { sourceId } = await hostedPath()
  const payment = { method: "mobile_money", phone: phoneEnding("42") } as const
  const { reference } = bench.simulator.hosted.pay(sourceId, payment)
  await post("/handset/answer", { reference, answer: "approve" })
  expect((await post("/handset/answer", { reference, answer: "decline" })).status).toBe(303)
  expect(bench.simulator.book.execution(reference)?.status).toBe("COMPLETED")
})
