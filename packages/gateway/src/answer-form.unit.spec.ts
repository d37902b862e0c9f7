/** Which answers are told to be in a form that is not known: by what, and with none of their content. */
import fc from "fast-check"
import { bench, closeBenches } from "../../../integration-tests/gateway/bench"
import {
  CALLS,
  callOf,
  EXECUTION,
  SOURCE,
  type CallCase,
} from "../../../integration-tests/gateway/calls"
import { INVOICE_DETAIL } from "../../../integration-tests/gateway/calls/documents"
import { json, raw, type Answer } from "../../../integration-tests/gateway/scripted-server"
import { LIMITS } from "./terms/limits"
import { ownStateWords } from "./terms/state-words"
import type { NewForm } from "./call"
import type { GatewayOptions } from "./create-gateway"

afterEach(closeBenches)

async function formsOf(
  operation: CallCase["operation"],
  answer: Answer,
  options: Partial<GatewayOptions> = {},
): Promise<readonly string[]> {
  const told: NewForm[] = []
  const onForm = (form: NewForm) => void told.push(form)
  const { gateway } = await bench({ answers: [answer] }, { onForm, ...options })
  await callOf(operation).run(gateway)
  await callOf(operation).run(gateway)
  expect(told.filter((form) => form.operation !== operation)).toEqual([])
  return told.map(({ field, kind }) => `${field} ${kind}`)
}

const [line] = INVOICE_DETAIL.invoice_items
const withLine = (change: object) =>
  json(200, { ...INVOICE_DETAIL, invoice_items: [line, { ...line, ...change }] })

it.each(CALLS)("the contract's own answer to $operation is no news", async (call) => {
  expect(await formsOf(call.operation, json(200, call.body))).toEqual([])
})

it.each<[string, CallCase["operation"], Answer, string]>([
  ["a line", "invoices.retrieve", withLine({ amount: "1,250.50" }), "invoice_items.amount grouped"],
  ["a number of pieces", "invoices.retrieve", withLine({ qty: "x" }), "invoice_items.qty text"],
  ["lines that are none", "invoices.retrieve", withItems("two"), "invoice_items text"],
  ["a line that is none", "invoices.retrieve", withItems([7]), "invoice_items number"],
  [
    "a record in a record",
    "invoices.retrieve",
    withParty({ id: true }),
    "counterparty.party.id boolean",
  ],
  ["a page for a 404", "status.source", raw(404, "<p>gone", {}), "404.detail missing"],
  ["a firewall's 401", "status.source", raw(401, "", {}), "401.detail missing"],
  ["a 404 of others", "status.source", json(404, { message: "no" }), "404.detail missing"],
  ["a 422 of others", "status.source", json(422, { detail: {} }), "422.detail object"],
  ["JSON as a page", "status.source", as("text/html"), "content-type other_type"],
  ["JSON as nothing", "status.source", as(undefined), "content-type missing"],
  [
    "a page",
    "status.source",
    raw(200, "<p>", { "content-type": "text/html" }),
    "content-type other_type",
  ],
  ["a known word", "status.collection", executionIn("SUCCESSFUL"), "status other_word"],
  ["a word", "status.collection", executionIn("Fertig"), "status unknown_word"],
  [
    "a source's word",
    "status.source",
    json(200, { ...SOURCE, status: "X" }),
    "status unknown_word",
  ],
])("%s is told once", async (_name, operation, answer, form) => {
  expect(await formsOf(operation, answer)).toEqual([form])
})

it.each([
  [404, { detail: "Not found" }],
  [422, { detail: [{ loc: ["body", "x"], msg: "no" }] }],
  [401, { detail: "Not authenticated" }],
  [429, {}],
  [502, "<p>down"],
])("a %d as it should be is no news", async (status, body) => {
  expect(await formsOf("status.source", json(status, body))).toEqual([])
})

it("JSON may be called by a name of its own", async () => {
  expect(await formsOf("status.source", as("application/problem+json; charset=utf-8"))).toEqual([])
})

it("a word that the account names is no news, as soon as it names it", async () => {
  let { words } = ownStateWords({})
  const stateWords = () => words
  const ask = () => formsOf("status.collection", executionIn("Fertig"), { stateWords })
  expect(await ask()).toEqual(["status unknown_word"])
  words = ownStateWords({ "execution.COMPLETED": "fertig" }).words
  expect(await ask()).toEqual([])
})

it("what goes on is told again each hour, and a callback that throws changes nothing", async () => {
  const told: string[] = []
  const onForm = ({ field }: NewForm) => {
    told.push(field)
    throw new Error("the caller's")
  }
  const { gateway, clock } = await bench({ answers: [executionIn("Fertig")] }, { onForm })
  const ask = () => callOf("status.collection").run(gateway)
  expect(await ask()).toMatchObject({ kind: "done", value: { status: "Fertig" } })
  await ask()
  expect(told).toHaveLength(1)
  clock.advance(LIMITS.formsNotedEveryMs)
  await ask()
  expect(told).toHaveLength(2)
})

it("no content of an answer is told, whatever its fields hold", async () => {
  const CONTENT = ["231770000042", "Musu Kollie", "sk_live_1", "Fertig"]
  const value = fc.oneof(
    fc.constantFrom<unknown>(...CONTENT, 231770000042, true, null, "N/A", "1,250.50"),
    fc.constantFrom<unknown>(...CONTENT).map((text) => [text, { name: text }]),
    fc.constantFrom<unknown>(...CONTENT).map((text) => ({ [String(text)]: text })),
  )
  const told: string[] = []
  const onForm = (form: NewForm) => void told.push(JSON.stringify(form))
  let body: unknown = {}
  const { gateway } = await bench(
    { answers: [(response, request) => json(200, body)(response, request)] },
    { onForm },
  )
  const calls = CALLS.filter(({ body: good }) => !Array.isArray(good))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), fc.infiniteStream(value), async (call, values) => {
      const names = [...Object.keys(call.body), ...CONTENT]
      body = Object.fromEntries(names.map((name) => [name, values.next().value]))
      await call.run(gateway)
    }),
  )
  expect(told.length).toBeGreaterThan(20)
  expect(told.filter((text) => CONTENT.some((content) => text.includes(content)))).toEqual([])
})

function withItems(items: unknown): Answer {
  return json(200, { ...INVOICE_DETAIL, invoice_items: items })
}

function withParty(change: object): Answer {
  const { counterparty } = INVOICE_DETAIL
  const party = { ...counterparty.party, ...change }
  return json(200, { ...INVOICE_DETAIL, counterparty: { ...counterparty, party } })
}

function executionIn(status: string): Answer {
  return json(200, { ...EXECUTION, status })
}

function as(type: string | undefined): Answer {
  return raw(200, JSON.stringify(SOURCE), type === undefined ? {} : { "content-type": type })
}
