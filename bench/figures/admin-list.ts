/**
 * How long the admin's pages wait for the server with a million operations in the ledger: the list
 * without a filter, by each filter, by pairs of them, at its end and far down; the box on an order,
 * one payment with its story, payouts, and the number on the menu. Each is asked over HTTP on the
 * same machine, so Medusa's own part (login, parsing, JSON) and the way there and back are in it:
 * the server alone takes less. Medusa's own list of as many payments is asked in turns with them.
 *
 * The store runs without its jobs: what they would do with two years of payments at once is no
 * page's.
 */
import { createHash } from "node:crypto"
import { expectOk } from "../../integration-tests/http/support/shop"
import type { Benchmark, Figure } from "../figure"
import { fillPayments, middleRow, RARE } from "../support/payment-rows"
import type { Fixture } from "../support/fixture"
import { median, percentile } from "../support/statistics"
import { storeWithoutJobs } from "../support/store-without-jobs"
import { inHarness, type Harness } from "../support/harness"

const LIMIT_MS = 60
const WIDGET_LIMIT_MS = 40
/** What is rare or not there at all is known when a whole index is read. */
const NONE_LIMIT_MS = 300
const NONE = ["method_rare", "by_amount_rare", "method_account_none", "method_flow_none"]
const ROWS = 1_000_000
const ROUNDS = 60
const WARM_UP = 5
const DAY_MS = 86_400_000
const OURS = "/admin/merchant-payments"
const MEDUSA = "/admin/payments?limit=20"

export const adminList: Benchmark = {
  name: "admin_list_ms",
  on: "store",
  run: (fixture) =>
    inHarness(fixture, { directory: storeWithoutJobs(fixture) }, (harness) =>
      measure(fixture, harness),
    ),
}

async function measure({ say }: Fixture, harness: Harness): Promise<Figure> {
  await fillPayments(harness.databaseUrl, ROWS, say)
  const lists = listQuestions()
  const widget = `${OURS}/orders/order_bench_${middleRow(ROWS)}`
  const questions = [...Object.values(lists), widget, MEDUSA]
  const took = await askInTurns(harness, questions, say)
  const of = (question: string) => took.get(question) ?? []
  const p95s = Object.entries(lists).map(
    ([name, question]) => [name, percentile(of(question), 0.95)] as const,
  )
  const found = p95s.filter(([name]) => !NONE.includes(name))
  const slowest = found.reduce((one, other) => (other[1] > one[1] ? other : one))
  const all = Object.values(lists).flatMap(of)
  return {
    value: slowest[1],
    unit: "ms",
    better: "lower",
    against: "a limit, and Medusa's own list of as many payments, asked in turns",
    limit: LIMIT_MS,
    samples: all.length,
    slowest: slowest[0],
    p50: median(all),
    p95: percentile(all, 0.95),
    none_p95: Math.max(...p95s.filter(([name]) => NONE.includes(name)).map(([, p95]) => p95)),
    none_p95_limit: NONE_LIMIT_MS,
    widget_p50: median(of(widget)),
    widget_p95: percentile(of(widget), 0.95),
    widget_p95_limit: WIDGET_LIMIT_MS,
    medusa_list_p50: median(of(MEDUSA)),
    medusa_list_p95: percentile(of(MEDUSA), 0.95),
    over_medusa: median(all) / median(of(MEDUSA)),
    over_medusa_limit: 1,
    operations: ROWS,
    ...Object.fromEntries(p95s.map(([name, p95]) => [`p95_${name}`, p95])),
  }
}

/** What is asked for, by the name of its field. */
function listQuestions(): Record<string, string> {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const place = (days: number) => `${(Date.now() - days * DAY_MS) * 1_000}.mpop_bench_1`
  const n = middleRow(ROWS)
  const day = `created_from=${ago(400)}&created_to=${ago(399)}`
  const filters: Record<string, string> = {
    first_page: "",
    offset: "limit=100&offset=1000",
    deep: `after=${place(700)}`,
    date_range: day,
    date_old: `created_to=${ago(700)}`,
    ...oneEach("state", ["completed", "failed", "expired", "review", "in_flight", "drafted"]),
    states: "state=failed,expired",
    states_live: "state=drafted,submitted,in_flight",
    attention: "needs_attention=true",
    attention_none: "needs_attention=false",
    menu_count: "needs_attention=true&limit=1",
    ...oneEach("type", ["COLLECTION", "REFUND", "TRANSFER"]),
    ...oneEach("flow", ["push", "hosted", "link"]),
    ...oneEach("currency", ["USD", "LRD", "RWF"]),
    account: "account_id=mpacc_env",
    account_rare: `account_id=${RARE.account}`,
    method: "payment_method=OPERATOR1_MOMO_LBR",
    method_rare: `payment_method=${RARE.method}`,
    order: `order_id=order_bench_${n}`,
    cart: `cart_id=cart_bench_${n}`,
    reference: `reference=${uuidOf(n)}`,
    phone: "phone=042",
    q_id: `q=mpop_bench_${n}`,
    q_number: `q=${n}`,
    q_order: "q=%2323",
    q_name: `q=${encodeURIComponent(`mary name${n % 50_000}`)}`,
    q_first_name: "q=mary",
    q_email: `q=ada${n}@ex`,
    q_phone: "q=0770123042",
    q_amount: `q=${encodeURIComponent("LRD 19.99")}`,
    q_amount_rare: "q=5601.12",
    q_nothing: "q=nothing",
    q_name_state: "q=mary&state=failed",
    by_amount: "order=-amount",
    by_amount_state: "order=amount&state=failed",
    by_amount_rare: `order=-amount&payment_method=${RARE.method}`,
    state_date: `state=failed&${day}`,
    state_date_common: `state=completed&${day}`,
    currency_state: "currency=RWF&state=failed",
    currency_deep: `currency=USD&after=${place(700)}`,
    type_offset: "type=COLLECTION&limit=100&offset=1000",
    method_account: `payment_method=OPERATOR1_MOMO_LBR&account_id=mpacc_env`,
    method_account_none: `payment_method=OPERATOR1_MOMO_LBR&account_id=${RARE.otherAccount}`,
    method_flow_none: "payment_method=OPERATOR1_MOMO_LBR&flow=card",
    refund_failed: "type=REFUND&state=failed",
    phone_state: "phone=042&state=failed",
    attention_currency: "needs_attention=true&currency=RWF",
    settled_failed: "needs_attention=false&state=failed",
  }
  return {
    ...Object.fromEntries(Object.entries(filters).map(([name, query]) => [name, listOf(query)])),
    one_payment: `${OURS}/operations/mpop_bench_${n}`,
    payouts: `${OURS}/payouts`,
    payouts_failed: `${OURS}/payouts?state=failed`,
    transfers: `${OURS}/transfers`,
  }
}

/** A search goes in the body of a POST. */
const listOf = (query: string) =>
  /(?:^|&)q=/.test(query) ? `${OURS}/operations/search?${query}` : `${OURS}/operations?${query}`

const asked = (admin: Harness["admin"], question: string) => {
  const [path = "", query] = question.split("?")
  return path.endsWith("/search")
    ? admin.call("POST", path, Object.fromEntries(new URLSearchParams(query)))
    : admin.call("GET", question)
}

const oneEach = (filter: string, values: readonly string[]) =>
  Object.fromEntries(
    values.map((value) => [`${filter}_${value.toLowerCase()}`, `${filter}=${value}`]),
  )

/** As the rows have it: their number's digest. */
const uuidOf = (n: number) =>
  createHash("md5")
    .update(String(n))
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")

/** @returns what each took, in milliseconds; one after the other, as a person asks */
async function askInTurns(
  { admin }: Harness,
  questions: readonly string[],
  say: (line: string) => void,
): Promise<Map<string, number[]>> {
  const took = new Map<string, number[]>(questions.map((question) => [question, []]))
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const question of questions) {
      const since = performance.now()
      await expectOk(asked(admin, question))
      if (round >= 0) took.get(question)?.push(performance.now() - since)
    }
    if (round > 0 && round % 20 === 0) say(`  round ${round} of ${ROUNDS}`)
  }
  return took
}
