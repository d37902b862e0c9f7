/** Cards on a shop's own page: the processor's answers, its page and its control routes. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { CARDS } from "../rules/cards"
import {
  checkoutRequest,
  collectionStatus,
  MINUTE_MS,
  sourceStatus,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const execute = (body: Json) => bench.call("POST", "/v1/executions/collection", body)

/** Everything that the execution of a card needs. */
async function readyWith(token: string): Promise<{ source: Json; execution: Json }> {
  const { body: source } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  const { source_id, source_type, party_id, currency } = source
  const session = await bench.call("POST", "/v1/sessions/checkout", { source_id, source_type })
  const query = `payment_method_id=${token}&operation_type=COLLECTION&provider=CARD_PROCESSOR`
  const { body: card } = await bench.call("GET", `/v1/predictions/card-provider-info?${query}`)
  const account = await bench.call(
    "POST",
    "/v1/payment-accounts/create?operation_type=COLLECTION",
    {
      account_name: "Ada",
      provider: card["gateway_provider"],
      method: card["payment_method"],
      party_id,
    },
  )
  const execution = {
    session_id: String(session.body["id"]),
    payment_account_id: String(account.body["id"]),
    currency,
    reference_id: crypto.randomUUID(),
  }
  return { source, execution }
}

/** Executed with a card whose bank asks the shopper. */
async function challenged() {
  const { source, execution } = await readyWith("card_3ds")
  const { body } = await execute(execution)
  return { source, execution, secret: String(body["client_secret"]), body }
}

const page = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${bench.simulator.url}${path}`, init)
  return { text: await response.text(), headers: response.headers }
}
const authenticate = (secret: string) =>
  page(`/processor/authenticate?client_secret=${encodeURIComponent(secret)}`)
const answer = (secret: string, given: "pass" | "refuse") =>
  page("/processor/authenticate", {
    method: "POST",
    body: new URLSearchParams({ client_secret: secret, answer: given }),
  })
const challengeIn = ({ reference_id }: Json) =>
  bench.simulator.book.execution(String(reference_id))?.challenge

test("a card whose bank asks answers PROCESSING with a secret, also when it is repeated", async () => {
  const { execution, source, body } = await challenged()
  expect(body).toMatchObject({
    status: "PROCESSING",
    requires_action: true,
    client_secret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
  })
  expect((await execute(execution)).body).toEqual(body)
  expect(await collectionStatus(bench, execution)).toMatchObject({
    status: "PROCESSING",
    requires_action: null,
    client_secret: null,
  })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PROCESSING" })
  expect(challengeIn(execution)).toBe("asked")
})

test("a card whose bank asks nothing is COMPLETED at once", async () => {
  const { source, execution } = await readyWith("card_no_3ds")
  const { body } = await execute(execution)
  expect(body).toMatchObject({ status: "COMPLETED", requires_action: null, client_secret: null })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID" })
})

test("a declined card is FAILED at once, and its account serves no other attempt", async () => {
  const { source, execution } = await readyWith("card_declined")
  expect((await execute(execution)).body).toMatchObject({
    status: "FAILED",
    gateway_message: "Card declined by the bank",
  })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "ACTIVE" })
  const { body: session } = await bench.call("POST", "/v1/sessions/checkout", {
    source_id: source["source_id"],
    source_type: source["source_type"],
  })
  const again = {
    ...execution,
    session_id: String(session["id"]),
    reference_id: crypto.randomUUID(),
  }
  expect((await execute(again)).status).toBe(422)
})

test("a card without a word of its bank ends as its payer's number says", async () => {
  const { execution } = await readyWith("card_brand1_lr")
  expect((await execute(execution)).body).toMatchObject({ status: "PROCESSING" })
  bench.clock.advance(MINUTE_MS)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
})

test("a prediction serves one account: the next card account knows no bank", async () => {
  await readyWith("card_3ds")
  const party = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  const { body } = await bench.call(
    "POST",
    "/v1/payment-accounts/create?operation_type=COLLECTION",
    {
      account_name: "Ada",
      provider: "CARD_PROCESSOR",
      method: "CREDIT_CARD",
      party_id: party.body["party_id"],
    },
  )
  const accounts = bench.simulator.snapshot().accounts
  expect(accounts.find(({ id }) => id === body["id"])).not.toHaveProperty("cardToken")
})

test("the processor's page asks, may stand in a shop's frame, and tells it the answer", async () => {
  const { execution, source, secret } = await challenged()
  const asked = await authenticate(secret)
  expect(asked.text).toContain('data-testid="card-pass"')
  expect(asked.headers.get("content-security-policy")).toContain("frame-ancestors *")
  const { text } = await answer(secret, "pass")
  expect(text).toContain('card: "passed"')
  expect(text).not.toContain(secret)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID" })
  expect(challengeIn(execution)).toBe("passed")
  expect((await authenticate(secret)).text).toContain('card: "over"')
})

test("a card that is refused on the page is FAILED, and can't be passed any more", async () => {
  const { execution, secret } = await challenged()
  expect((await answer(secret, "refuse")).text).toContain('card: "refused"')
  expect((await answer(secret, "pass")).text).toContain('card: "over"')
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "FAILED" })
  expect(challengeIn(execution)).toBe("refused")
})

test("a shopper who leaves is waited for for ten minutes", async () => {
  const { execution, secret } = await challenged()
  bench.clock.advance(9 * MINUTE_MS)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "PROCESSING" })
  expect(bench.simulator.card.pending()).toHaveLength(1)
  bench.clock.advance(2 * MINUTE_MS)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "FAILED" })
  expect((await answer(secret, "pass")).text).toContain('card: "over"')
  expect(bench.simulator.card.pending()).toEqual([])
})

test("control routes pass and refuse by the reference or the secret", async () => {
  const first = await challenged()
  const second = await challenged()
  const control = (act: string, key: Json) => bench.call("POST", `/_simulator/card/${act}`, key)
  expect(await bench.call("GET", "/_simulator/card")).toMatchObject({ body: [{}, {}] })
  const reference = first.execution["reference_id"]
  expect(await control("pass", { reference })).toMatchObject({ body: { status: "COMPLETED" } })
  const refused = await control("refuse", { clientSecret: second.secret })
  expect(refused).toMatchObject({ body: { status: "FAILED", challenge: "refused" } })
  expect((await control("pass", { reference })).status).toBe(404)
})

test("the adapter's test cards are tokens of the processor", () => {
  const text = readFileSync(path.resolve(__dirname, "../../card-adapter.mjs"), "utf8")
  const offered = [...text.matchAll(/token: "(\w+)"/g)].map(([, token]) => token)
  const asked = CARDS.filter(({ bank }) => bank !== undefined).map(({ token }) => token)
  expect(offered).toEqual(asked)
})
