/** Forms around one meaning: the same is read, or nothing; never other money. */
import fc from "fast-check"
import { bench, closeBenches } from "../../../../integration-tests/gateway/bench"
import {
  callOf,
  CHECKOUT,
  EXECUTION,
  REFERENCE,
  SOURCE,
} from "../../../../integration-tests/gateway/calls"
import { json, raw } from "../../../../integration-tests/gateway/scripted-server"
import { misread, read } from "../../../../integration-tests/gateway/reading"
import { addressIn, decimalIn, flagIn, idIn, isAbsent } from "./forms"
import { collectionStatus } from "./executions"
import { sourceStatus } from "./status"

afterEach(closeBenches)

const asked = { sourceType: "ORDER" as const, sourceId: 301 }
const total = (amount: unknown, currency = "USD") =>
  read(sourceStatus, { ...SOURCE, total_amount: amount, currency }, asked).total.minor

it.each([
  ["1,250.50", 125050n],
  ["1.250,50", 125050n],
  ["1 250.50", 125050n],
  ["1\u00a0250,50", 125050n],
  ["1'250.50", 125050n],
  ["1250,50", 125050n],
  [" 1250.50 ", 125050n],
  ["1250.50 USD", 125050n],
  ["usd 1,250.50", 125050n],
  ["1,250,000", 125000000n],
  ["1.250.000", 125000000n],
  [69.97000000000001, 6997n],
  ["69.97000000000001", 6997n],
  [0.1 + 0.2, 30n],
])("%p is one amount", (amount, minor) => {
  expect(total(amount)).toBe(minor)
})

it.each([
  [42.550000000000004, "42.55"],
  ["0.30000000000000004", "0.3"],
  // Not noise: rates and shares keep every digit.
  ["0.005263157894736842", "0.005263157894736842"],
  ["0.3333333333", "0.3333333333"],
  ["1234567890123.45", "1234567890123.45"],
  // Short only by a third of a cent: another number.
  ["1234567890.123456789", "1234567890.123456789"],
])("%p is shown as %s", (value, text) => {
  expect(decimalIn(value)).toBe(text)
})

it.each([
  "1,250",
  "1 250,500",
  "1,250,5",
  "12 50",
  "1,25,000",
  "1250.50 LRD",
  "1250 or so",
  42.501,
])("[N13] %p is no amount", (amount) => {
  const wrong = { ...SOURCE, total_amount: amount }
  expect(misread(sourceStatus, wrong, asked)).toEqual(["total_amount"])
})

it("[N13] two totals that differ are none", () => {
  const two = { ...SOURCE, total: 41 }
  expect(misread(sourceStatus, two, asked)).toEqual(["total_amount"])
  expect(read(sourceStatus, { ...SOURCE, total: "42.50" }, asked).total.minor).toBe(4250n)
})

it("[N13] no form of an amount is read as other money", () => {
  const grouped = (digits: string, sign: string) => digits.replace(/\B(?=(\d{3})+$)/g, sign)
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.constantFrom("", ",", ".", " ", "\u202f", "'"),
      fc.constantFrom(".", ","),
      fc.boolean(),
      fc.constantFrom("", " ", "USD ", " usd"),
      (minor, sign, mark, isShort, around) => {
        const text = minor.toString().padStart(3, "0")
        const fraction = isShort && text.endsWith("00") ? "" : `${mark}${text.slice(-2)}`
        // A point alone is the decimal mark of the contract.
        const isPoint = sign === "." && fraction === "" && /^\d{4,6}$/.test(text.slice(0, -2))
        if (sign === mark || isPoint) return
        const form = `${grouped(text.slice(0, -2), sign)}${fraction}`
        const body = {
          ...SOURCE,
          total_amount: around.startsWith("USD") ? around + form : form + around,
        }
        const parsed = sourceStatus.read(body, asked)
        if (parsed.ok) expect(parsed.value.total.minor).toBe(minor)
        else expect(parsed.problems.map(({ path }) => path)).toEqual(["total_amount"])
      },
    ),
  )
})

it("an execution is read without its currency, its reference and its letters' case", () => {
  const odd = { ...EXECUTION, reference_id: undefined, payer_currency: null, payee_currency: "N/A" }
  const body = { ...odd, operation_type: "collection", requires_action: "true" }
  const execution = read(collectionStatus, body, { referenceId: REFERENCE })
  expect(execution).toMatchObject({ referenceId: REFERENCE, requiresAction: true })
  expect([execution.payerAmount, execution.payeeAmount]).toEqual([undefined, undefined])
  expect(execution.operationType).toBe("COLLECTION")
})

it("a source is read without what it only repeats, and in other letters", () => {
  const own = { ...SOURCE, source_id: undefined, source_type: "order", currency: " usd " }
  expect(read(sourceStatus, own, asked)).toMatchObject({ ...asked, total: { minor: 4250n } })
  const other = { ...own, source_type: "invoice" }
  expect(misread(sourceStatus, other, asked)).toEqual(["source_type"])
})

it("texts stand for nothing and for yes and no", () => {
  expect(["", " ", "N/A", "null", "None", "-", null].map(isAbsent)).not.toContain(false)
  expect(["NA", "0", 0, false].map(isAbsent)).not.toContain(true)
  expect(["true", "Yes", 1].map(flagIn)).toEqual([true, true, true])
  expect(["false", "no", 0, "perhaps"].map(flagIn)).toEqual([false, false, false, undefined])
})

it("a point before three digits is no fraction of a currency that has none", () => {
  expect(decimalIn("1.250", "RWF")).toBeUndefined()
  expect(decimalIn("1.250", "USD")).toBe("1.250")
})

it.each([
  ["/pay/abc", "https://pay.example/pay/abc"],
  ["pay/abc", "https://pay.example/pay/abc"],
  ["//other.example/x", "https://other.example/x"],
  ["javascript:alert(1)", undefined],
  ["other.example/x", undefined],
])("the address %s is %s", (text, address) => {
  expect(addressIn(text, "https://pay.example")).toBe(address)
})

it.each([
  ["https://pay.example@evil.example/c", undefined],
  ["https://user:word@pay.example/c", undefined],
  ["//user@evil.example/x", undefined],
  ["https:\\\\pay.example\\c", undefined],
  ["HTTPS://Pay.Example:443/a/../b c?q=\u202e", "https://pay.example/b%20c?q=%E2%80%AE"],
  ["https://pay.example/\u0000x", "https://pay.example/%00x"],
  ["http://pay.example/c", undefined],
  [`https://pay.example/${"x".repeat(10_000)}`, undefined],
])("[D7] in production the address %j is %s", (text, address) => {
  expect(addressIn(text, "https://gateway.example", true)).toBe(address)
})

it("[D7] outside production a page of the simulator may be http, and is parsed as well", () => {
  expect(addressIn("http://localhost:4102/pay/ a", undefined, false)).toBe(
    "http://localhost:4102/pay/%20a",
  )
})

const NOT_TEXT: unknown[] = [{ toString: "" }, { toString: null, valueOf: null }, [301], true, null]

it("an id is never read from another type than text or number", () => {
  expect(NOT_TEXT.map((value) => idIn(value))).toEqual(NOT_TEXT.map(() => undefined))
})

describe("over the line", () => {
  it("JSON is read with a byte order mark, blank lines, and as text/html", async () => {
    const call = callOf("status.source")
    const text = `\ufeff\n\n${JSON.stringify(call.body)}\n`
    const { gateway } = await bench({ answers: [raw(200, text, { "content-type": "text/html" })] })
    expect((await call.run(gateway)).kind).toBe("done")
  })

  it("a new form is said once, without its content, and a page is joined", async () => {
    const warnings: string[] = []
    const ignore = () => undefined
    const warn = (text: string) => void warnings.push(text)
    const logger = { debug: ignore, info: ignore, error: ignore, warn }
    const call = callOf("checkouts.create")
    const { gateway, server } = await bench(
      { answers: [json(200, { ...CHECKOUT, url: "/c/secret" })] },
      { logger },
    )
    const outcome = await call.run(gateway)
    await call.run(gateway)
    expect(outcome).toMatchObject({ kind: "done", value: { url: `${server.url}/c/secret` } })
    expect(warnings).toEqual([
      "the gateway answers in a way that is not known: checkouts.create: url (relative)",
    ])
  })
})
