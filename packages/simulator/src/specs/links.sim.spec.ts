import { MINUTE_MS, phoneEnding, startBench, type Bench, type Json } from "../testing/client"
import { callsAs, KINDS, newDraft, OTHER, published } from "../testing/documents"

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER], merchantName: "Palm & Sons" })
})
afterEach(() => bench.close())

const open = async (url: unknown) => {
  const response = await fetch(new URL(String(url), bench.simulator.url))
  return { status: response.status, text: await response.text() }
}
const post = (url: unknown, fields: Record<string, string>) =>
  fetch(String(url), { method: "POST", body: new URLSearchParams(fields), redirect: "manual" })
const STATE = [expect.objectContaining({ loc: ["query", "source_number"], type: "state_error" })]

describe.each(KINDS)("a link of $path", (kind) => {
  const { path, number, type } = kind
  const linkTo = (what: "pay" | "receipt", source: Json) => {
    const query = new URLSearchParams({ source_type: type, source_number: String(source[number]) })
    return bench.call("GET", `/v1/links/${what}?${query.toString()}`)
  }

  test("opens the page, where the source is paid without a checkout", async () => {
    const source = await published(bench.call, kind)
    const { url } = (await linkTo("pay", source)).body
    const { status, text } = await open(url)
    expect(status).toBe(200)
    expect(text).toContain("Palm &amp; Sons")
    expect(text).toContain("2 × T-shirt")
    expect(text).toContain("USD 39.98")
    expect(text).toContain(`value="${phoneEnding("00")}"`)

    await post(`${String(url)}/mobile-money`, { phone: phoneEnding("00") })
    expect((await open(url)).text).toContain('data-testid="waiting"')
    bench.clock.advance(MINUTE_MS)
    expect((await open(url)).text).toContain("You can close this page.")
    const paid = { status: "PAID", charges: 1 }
    expect(bench.simulator.book.document(Number(source["id"]))).toMatchObject(paid)
    expect((await linkTo("pay", source)).body).toEqual({ url })
  })

  test("is taken by card, declined first", async () => {
    const source = await published(bench.call, kind)
    const { url } = (await linkTo("pay", source)).body
    await post(`${String(url)}/card`, { answer: "decline" })
    expect((await open(url)).text).toContain('data-testid="problem"')
    await post(`${String(url)}/card`, { answer: "pay" })
    expect(bench.simulator.book.document(Number(source["id"]))?.status).toBe("PAID")
  })

  test("to pay is refused for a draft and for a canceled source", async () => {
    const source = await newDraft(bench.call, kind)
    expect(await linkTo("pay", source)).toEqual({ status: 422, body: { detail: STATE } })
    await bench.call("DELETE", `/v1/${path}/cancel/${String(source["id"])}`)
    expect(await linkTo("pay", source)).toEqual({ status: 422, body: { detail: STATE } })
  })

  test("to pay is refused for a source that was not made as one, and it has no page", async () => {
    const source = await published(bench.call, kind, { as_payment_link: false })
    expect(await linkTo("pay", source)).toEqual({ status: 422, body: { detail: STATE } })
    const { book, hosted } = bench.simulator
    expect(book.document(Number(source["id"]))?.hostedPath).toBeNull()
    expect(() => hosted.pay(Number(source["id"]), { method: "card" })).toThrow("has no page")
    expect(book.executions()).toEqual([])
  })

  test("to the receipt is given once the source is PAID, and a person can read it", async () => {
    const source = await published(bench.call, kind)
    expect(await linkTo("receipt", source)).toEqual({ status: 422, body: { detail: STATE } })
    bench.simulator.hosted.pay(Number(source["id"]), {
      method: "mobile_money",
      phone: "250780000042",
    })
    expect(await linkTo("receipt", source)).toEqual({ status: 422, body: { detail: STATE } })
    bench.simulator.handset.approve("250780000042")
    const { status, text } = await open((await linkTo("receipt", source)).body["url"])
    expect(status).toBe(200)
    // 39.98 and fees of 1.00 at 1,450, and 1% for the exchange.
    for (const shown of ["RWF 60,015", "USD 39.98", "USD 1.00", "1 USD = 1450 RWF", "RWF 594"]) {
      expect(text).toContain(shown)
    }
    for (const shown of [
      "Palm &amp; Sons",
      "Ada Weah",
      "Operator 1 (RWA)",
      String(source[number]),
      "2 × T-shirt",
    ]) {
      expect(text).toContain(shown)
    }
  })

  test("of an unknown number, another kind or another merchant is not found", async () => {
    const theirs = await published(await callsAs(bench, OTHER), kind)
    const other = KINDS.find((candidate) => candidate !== kind) ?? kind
    const strange = await published(bench.call, other)
    for (const source of [theirs, { [number]: "none" }, { [number]: strange[other.number] }]) {
      expect((await linkTo("pay", source)).status).toBe(404)
      expect((await linkTo("receipt", source)).status).toBe(404)
    }
  })
})

test.each(["pay", "receipt"])("a link to %s of a subscription is refused", async (what) => {
  const query = "source_type=SUBSCRIPTION&source_number=ORD-1"
  const { status, body } = await bench.call("GET", `/v1/links/${what}?${query}`)
  expect(status).toBe(422)
  expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["query", "source_type"] })])
})

test("a receipt page needs its unguessable address and a paid source", async () => {
  const [kind] = KINDS
  const source = await published(bench.call, kind)
  const token = bench.simulator.book.document(Number(source["id"]))?.hostedPath?.slice(5) ?? ""
  expect(token).toHaveLength(32)
  for (const address of ["/receipt/nothing", `/receipt/${token}`]) {
    expect((await open(address)).status).toBe(404)
  }
  bench.simulator.hosted.pay(Number(source["id"]), { method: "card" })
  expect((await open(`/receipt/${token}`)).status).toBe(200)
  expect((await open(`/pay/${token}`)).text).toContain(`href="/receipt/${token}"`)
})

test("a name or a note cannot become markup on a receipt", async () => {
  const [kind] = KINDS
  const source = await published(bench.call, kind, { note: "<script>alert(1)</script>" })
  bench.simulator.hosted.pay(Number(source["id"]), { method: "card" })
  const query = `source_type=ORDER&source_number=${String(source["order_number"])}`
  const { text } = await open((await bench.call("GET", `/v1/links/receipt?${query}`)).body["url"])
  expect(text).toContain("&lt;script&gt;alert(1)")
  expect(text).not.toContain("<script>alert(1)")
})
