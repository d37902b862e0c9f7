/** What each habit of the wire shows, and that the book knows nothing of it. */
import {
  HABITS,
  habitsOf,
  isHabit,
  TEMPERS,
  TROUBLE_HABITS,
  type Habit,
  type SimulatorOptions,
} from "../index"
import { checkoutRequest, phoneEnding, readyToExecute, type Json } from "../testing/client"
import { newParty } from "../testing/documents"
import { startWireBench, type RawAnswer, type WireBench } from "../testing/wire"

const shown = new Set<Habit>()
const open: WireBench[] = []

const withHabits = async (habits: readonly Habit[], options: SimulatorOptions = {}) => {
  // A whole temper shows no single habit.
  if (habits.length <= 3) habits.forEach((habit) => shown.add(habit))
  const wire = await startWireBench(habits, options)
  open.push(wire)
  return wire
}
afterEach(async () => {
  for (const { bench } of open.splice(0)) await bench.close()
})

const checkout = ({ raw }: WireBench, change: Json = {}): Promise<RawAnswer> =>
  raw("POST", "/v1/checkouts/create", checkoutRequest(change))

/** A payment by phone, and its status after three seconds. */
async function paid(wire: WireBench, ending = "00", change: Json = {}) {
  const ready = await readyToExecute(wire.bench, phoneEnding(ending), change)
  const executed = await wire.raw("POST", "/v1/executions/collection", ready.execution)
  wire.bench.clock.advance(3_000)
  const { execution, source } = ready
  const reference = String(execution["reference_id"])
  const read = () => wire.raw("GET", `/v1/status/collection/${reference}`)
  return { source, executed, reference, read, status: await read() }
}

test("byte_order_mark, leading_blank_lines, pretty_printed: before and in the JSON", async () => {
  const wire = await withHabits(["byte_order_mark", "leading_blank_lines", "pretty_printed"])
  expect((await checkout(wire)).text).toMatch(/^\uFEFF\r\n\r\n\{\n {4}"mode": "HOSTED",\n/)
})

test.each([
  ["html_type", /^text\/html/],
  ["plain_type", /^text\/plain/],
] as const)("%s: the content type of every answer", async (habit, type) => {
  const wire = await withHabits([habit])
  expect((await checkout(wire)).contentType).toMatch(type)
  expect((await wire.raw("GET", "/v1/parties/retrieve/999")).contentType).toMatch(type)
})

test("created_status: 201 for what was made, 202 for what was executed, 200 for reads", async () => {
  const wire = await withHabits(["created_status"])
  const { executed, status } = await paid(wire)
  expect([(await checkout(wire)).status, executed.status, status.status]).toEqual([201, 202, 200])
})

/** The fields that one answer to `checkouts/create` shows under a habit. */
test.each([
  ["extra_fields", {}, { success: true, source_status: "ACTIVE" }],
  ["null_for_absent", {}, { due_date: null }],
  ["absent_for_null", {}, { due_date: undefined, expires_at: undefined }],
  ["empty_for_absent", {}, { due_date: "", cancel_url: "" }],
  ["not_available_for_absent", {}, { due_date: "N/A", cancel_url: "N/A" }],
  ["relative_addresses", {}, { url: expect.stringMatching(/^\/pay\/\w+$/) }],
  ["reference_not_echoed", {}, { reference_id: undefined }],
  ["amounts_as_text", {}, { total_amount: "42.5" }],
  ["amounts_with_separators", { amount: 1_250 }, { total_amount: "1,250.00" }],
  ["amounts_with_blanks", { amount: 1_250 }, { total_amount: " 1 250.00 " }],
  ["amounts_with_noise", { amount: 69.97 }, { total_amount: 69.97000000000001 }],
  ["ambiguous", { amount: 1_250 }, { total_amount: "1.250" }],
  ["integers_as_text", {}, { source_id: expect.stringMatching(/^\d+$/) }],
  ["words_lower", {}, { source_status: "active", source_type: "order", mode: "hosted" }],
  ["words_capitalised", {}, { source_status: "Active", source_type: "Order" }],
  ["words_with_blanks", {}, { source_status: "ACTIVE  ", source_type: "ORDER  " }],
  ["currencies_lower", {}, { currency: "usd" }],
] as const)("%s: a source", async (habit, { amount }: { amount?: number }, fields) => {
  const wire = await withHabits([habit])
  const items = amount === undefined ? {} : { items: [{ name: "Bag", currency: "USD", amount }] }
  const { json } = await checkout(wire, items)
  for (const [name, value] of Object.entries(fields)) expect(json[name]).toEqual(value)
})

test.each([
  ["payer_currency_absent", { payer_currency: undefined, payer_amount: 42.5 }],
  ["payer_currency_null", { payer_currency: null }],
  ["reference_not_echoed", { reference_id: undefined }],
] as const)("%s: an execution and its status", async (habit, fields) => {
  const { executed, status } = await paid(await withHabits([habit]))
  for (const { json } of [executed, status]) {
    for (const [name, value] of Object.entries(fields)) expect(json[name]).toEqual(value)
  }
})

test.each([
  ["is_active_absent", undefined],
  ["booleans_as_text", "true"],
  ["booleans_as_numbers", 1],
] as const)("%s: a payment account", async (habit, isActive) => {
  const wire = await withHabits([habit])
  const { id } = await newParty(wire.bench.call)
  const { json } = await wire.raw("POST", ACCOUNTS, walletOf(id))
  expect(json["is_active"]).toBe(isActive)
})

const ACCOUNTS = "/v1/payment-accounts/create?operation_type=COLLECTION"
const walletOf = (party_id: unknown) => ({
  account_name: "Ada",
  provider: "MOBILE_MONEY_GATEWAY",
  method: "OPERATOR1_MOMO_LBR",
  party_id,
  insensitive_account_number: phoneEnding("00"),
})

test.each([
  ["dates_with_offset", "2026-01-01T00:00:03.000000+00:00"],
  ["dates_without_zone", "2026-01-01T00:00:03.000000"],
] as const)("%s: when a source was paid", async (habit, paidAt) => {
  const wire = await withHabits([habit])
  const { source } = await paid(wire)
  const { json } = await wire.raw("GET", statusPath(source))
  expect(json["paid_at"]).toBe(paidAt)
})

const statusPath = (source: Json) =>
  `/v1/status/source?source_type=ORDER&source_id=${String(source["source_id"])}`

const PREDICTION =
  "/v1/predictions/amount-and-fees?base_amount=42.5&base_currency=USD&target_currency=USD" +
  "&payment_method=OPERATOR1_MOMO_LBR&operation_type=COLLECTION&provider=MOBILE_MONEY_GATEWAY" +
  "&fee_bearer=PAYEE"

test("predictions_as_numbers: what the payer would pay", async () => {
  const wire = await withHabits(["predictions_as_numbers"])
  expect((await wire.raw("GET", PREDICTION)).json["payer_amount"]).toBe(42.5)
})

test("other_words: an end has one word for one payment, in each answer", async () => {
  const wire = await withHabits(["other_words"])
  const words = new Set<unknown>()
  // Which word a payment gets follows its reference, which is new in each run.
  const isOver = (times: number) => times >= (words.has("SUCCESSFUL") ? 12 : 200)
  for (let times = 0; !isOver(times); times++) {
    const { status, read } = await paid(wire, times % 2 ? "00" : "01")
    words.add(status.json["status"])
    expect((await read()).json["status"]).toBe(status.json["status"])
  }
  expect(words).toContain("SUCCESSFUL")
  const ends = ["COMPLETED", "SUCCESSFUL", "SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REJECTED"]
  expect([...ends, "DECLINED", "TIMED_OUT"]).toEqual(expect.arrayContaining([...words]))
})

test.each([
  ["reasons_as_codes", "PAYER_DECLINED"],
  ["reasons_in_french", "Paiement refusé par le payeur"],
] as const)("%s: why a payment failed", async (habit, message) => {
  const { status } = await paid(await withHabits([habit]), "01")
  expect(status.json["gateway_message"]).toBe(message)
})

const INVALID = { currency: "EUR" }
const UNKNOWN = "/v1/parties/retrieve/999"

test.each([
  ["refusals_as_list", { detail: [{ loc: [], msg: "Party not found", type: "http_error" }] }],
  ["refusals_as_message", { message: "Party not found" }],
  ["refusals_as_error", { error: "Party not found" }],
  ["refusals_by_field", { message: "Party not found", errors: {} }],
] as const)("%s: 404, and 422 with the field's name", async (habit, body) => {
  const wire = await withHabits([habit])
  expect((await wire.raw("GET", UNKNOWN)).json).toEqual(body)
  const { status, text } = await checkout(wire, INVALID)
  expect(status).toBe(422)
  expect(text).toContain("currency")
})

test("refusals_400: invalid input", async () => {
  expect((await checkout(await withHabits(["refusals_400"]), INVALID)).status).toBe(400)
})

test.each([
  [["known_party_refused", "known_wallet_refused"], 422],
  [["known_party_refused", "known_wallet_refused", "conflicts_409"], 409],
] as const)("%j: who is registered already is refused with %d", async (habits, status) => {
  const { bench, raw } = await withHabits(habits)
  const { id } = await newParty(bench.call)
  expect((await raw("POST", ACCOUNTS, walletOf(id))).status).toBe(200)
  const again = await raw("POST", ACCOUNTS, walletOf(id))
  expect([again.status, again.text]).toEqual([status, expect.stringContaining("already")])
  const party = { fullname: "Ada Weah", phone: phoneEnding("00") }
  expect((await raw("POST", "/v1/parties/create", party)).status).toBe(status)
})

test("unknown_operators: some numbers, always the same", async () => {
  const { raw } = await withHabits(["unknown_operators"])
  const asked = async (number: number) => {
    const phone = `2317700000${String(number).padStart(2, "0")}`
    const path = `/v1/predictions/mmo-provider-info?phone=${phone}&operation_type=COLLECTION`
    return (await raw("GET", path)).status
  }
  const numbers = Array.from({ length: 20 }, (_one, index) => index)
  const first = await Promise.all(numbers.map(asked))
  expect(new Set(first)).toEqual(new Set([200, 404]))
  expect(await Promise.all(numbers.map(asked))).toEqual(first)
})

const statusesOf = async ({ raw }: WireBench, path: string, times: number) => {
  const statuses: number[] = []
  while (statuses.length < times) statuses.push((await raw("GET", path)).status)
  return statuses
}

test("predictions_down: 503 and 429 for two calls in a row, and then again the answer", async () => {
  const statuses = await statusesOf(await withHabits(["predictions_down"]), PREDICTION, 80)
  expect(new Set(statuses)).toEqual(new Set([200, 429, 503]))
  statuses.forEach((status, index) => expect(status).toBe(statuses[index - (index % 2)]))
})

test("proxy_404: a page for two calls in a row that the gateway never sees", async () => {
  const { simulator, bench } = await withHabits(["proxy_404"])
  const { access_token: token } = await tokenOf(simulator.url)
  const headers = { authorization: `Bearer ${String(token)}`, "content-type": "application/json" }
  const body = JSON.stringify({ fullname: "Ada", phone: phoneEnding("00") })
  const answers: string[] = []
  for (let times = 0; times < 100; times++) {
    const answer = await fetch(`${simulator.url}/v1/parties/create`, {
      method: "POST",
      headers,
      body,
    })
    answers.push(`${answer.status} ${answer.headers.get("content-type") ?? ""}`)
  }
  const pages = answers.filter((answer) => answer === "404 text/html")
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.length % 2).toBe(0)
  const parties = (await bench.call("GET", "/v1/parties/list")).body as unknown as unknown[]
  expect(parties).toHaveLength(answers.length - pages.length)
})

async function tokenOf(url: string): Promise<Json> {
  const answer = await fetch(`${url}/v1/jwt/client/obtain/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "simulator-client", client_secret: "simulator-secret" }),
  })
  return (await answer.json()) as Json
}

test("newest_ten: lists of documents", async () => {
  const wire = await withHabits(["newest_ten"])
  for (let number = 1; number <= 12; number++) await checkout(wire, { reference_id: `${number}` })
  const orders = (await wire.bench.call("GET", "/v1/orders/list")).body as unknown as Json[]
  expect(orders.map((order) => order["reference_id"])).toEqual([
    "12",
    "11",
    "10",
    "9",
    "8",
    "7",
    "6",
    "5",
    "4",
    "3",
  ])
})

test("plain_texts: names that are more than ASCII are refused", async () => {
  const answer = await checkout(await withHabits(["plain_texts"]), { party_name: "Zoë" })
  expect(answer.status).toBe(422)
})

test.each([
  ["0.49", 422, "0.50 USD"],
  ["0.5", 200, ""],
  ["1000", 200, ""],
  ["1000.01", 422, "1000.00 USD"],
])("operator_limits: %s US dollars answer %d", async (amount, status, limit) => {
  const wire = await withHabits(["operator_limits"])
  const items = [{ name: "Bag", currency: "USD", amount: Number(amount) }]
  const { executed } = await paid(wire, "00", { items })
  expect(executed.status).toBe(status)
  expect(executed.text).toContain(limit)
  expect(wire.simulator.book.executions()).toHaveLength(status === 200 ? 1 : 0)
})

test("the book is the same in each temper, and the contract holds for what is written in it", async () => {
  const books: unknown[] = []
  for (const temper of TEMPERS) {
    const habits = habitsOf(temper).filter((habit) => !TROUBLE_HABITS.includes(habit))
    const wire = await withHabits(habits)
    const change = { items: [{ name: "Bag", currency: "USD", amount: 69.97 }] }
    for (const ending of ["00", "01"]) {
      const reference = `550e8400-e29b-41d4-a716-4466554400${ending}`
      const { execution } = await readyToExecute(wire.bench, phoneEnding(ending), change, reference)
      await wire.raw("POST", "/v1/executions/collection", execution)
    }
    wire.bench.clock.advance(3_000)
    const { documents, executions, parties } = wire.simulator.snapshot()
    books.push({ documents, executions, parties })
    expect(wire.simulator.contractViolations).toEqual([])
  }
  expect(books[1]).toEqual(books[0])
  expect(books[2]).toEqual(books[0])
})

test("the same seed gives the same answers, another gives others", async () => {
  const habits = habitsOf("odd").filter((habit) => habit !== "proxy_404")
  const told = async (seed: string) => {
    const wire = await withHabits(habits, { seed })
    const texts = []
    for (let times = 0; times < 5; times++) texts.push((await wire.raw("GET", UNKNOWN)).text)
    return texts
  }
  const first = await told("1")
  expect(await told("1")).toEqual(first)
  expect(await told("2")).not.toEqual(first)
})

test("every habit is shown here, and no temper has the ambiguous one", () => {
  expect([...shown].sort()).toEqual(Object.keys(HABITS).filter(isHabit).sort())
  expect(TEMPERS.flatMap(habitsOf)).not.toContain("ambiguous")
  expect(habitsOf("tidy")).toEqual([])
})
