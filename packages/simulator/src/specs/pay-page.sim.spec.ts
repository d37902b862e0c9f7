/** What the payment page says about fees, and where it leads without addresses. */
import { startBench, type Bench } from "../testing/client"
import { KINDS, published, type Kind } from "../testing/documents"

const PHONE = "231770000103"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const open = async (path: string): Promise<string> =>
  (await fetch(`${bench.simulator.url}${path}`)).text()

/** The text of the element with this test id; null if the page has none. */
const shown = (page: string, testId: string): string | null =>
  new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`).exec(page)?.[1]?.trim() ?? null

async function pageOf(kind: Kind, feeBearer: "PAYER" | "PAYEE") {
  const document = await published(bench.call, kind, { fee_bearer: feeBearer })
  const query = `source_type=${kind.type}&source_number=${String(document[kind.number])}`
  const { body } = await bench.call("GET", `/v1/links/pay?${query}`)
  return { id: Number(document["id"]), path: new URL(String(body["url"])).pathname }
}

describe.each(KINDS)("the page of an $type", (kind) => {
  test("tells a payer who bears the fees that they come on top, and then the sum", async () => {
    const { id, path } = await pageOf(kind, "PAYER")
    const choice = await open(path)
    expect(shown(choice, "total")).toBe("USD 39.98")
    expect(shown(choice, "fees-on-top")).toContain("fees come on top")
    expect(shown(choice, "charge")).toBeNull()

    const promised = shown(await open(`${path}/card`), "charge")
    const charged = bench.simulator.hosted.pay(id, { method: "card" })
    expect(promised).toBe(`USD ${charged.payerAmount}`)
    expect(Number(charged.payerAmount)).toBeGreaterThan(39.98)
    expect(shown(await open(path), "charge")).toBe(promised)
  })

  test("names the sum that the phone is asked for", async () => {
    const { id, path } = await pageOf(kind, "PAYER")
    const { payerAmount } = bench.simulator.hosted.pay(id, { method: "mobile_money", phone: PHONE })
    const waiting = await open(path)
    expect(waiting).toContain('data-testid="waiting"')
    expect(shown(waiting, "charge")).toBe(`USD ${payerAmount}`)
  })

  test("says nothing of fees that the merchant bears", async () => {
    const { id, path } = await pageOf(kind, "PAYEE")
    const pages = [await open(path), await open(`${path}/card`)]
    bench.simulator.hosted.pay(id, { method: "card" })
    for (const page of [...pages, await open(path)]) {
      expect(shown(page, "total")).toBe("USD 39.98")
      expect([shown(page, "fees-on-top"), shown(page, "charge")]).toEqual([null, null])
    }
  })

  test("says that nothing was charged only while that is so", async () => {
    const { id, path } = await pageOf(kind, "PAYER")
    expect(await open(`${path}/left`)).toContain("Nothing was charged")
    bench.simulator.hosted.pay(id, { method: "card" })
    const left = await open(`${path}/left`)
    expect(left).toContain('data-testid="paid"')
    expect(left).not.toContain("Nothing was charged")
  })

  test("promises no way back to a shop whose address it does not know", async () => {
    const { id, path } = await pageOf(kind, "PAYER")
    expect(await open(path)).not.toMatch(/return to the shop/i)
    await bench.call("DELETE", `/v1/${kind.path}/cancel/${id}`)
    const closed = await open(path)
    expect(closed).toContain('data-testid="closed"')
    expect(closed).not.toContain('data-testid="cancel"')
  })
})
