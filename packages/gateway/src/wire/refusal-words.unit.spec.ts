import fc from "fast-check"
import { bench, closeBenches } from "../../../../integration-tests/gateway/bench"
import { callOf } from "../../../../integration-tests/gateway/calls"
import { json } from "../../../../integration-tests/gateway/scripted-server"
import { hasDetail, saysWhy, textsIn } from "./refusal-words"

afterEach(closeBenches)

const LIMIT = "Minimum amount is 5.00 USD"
const FIELD = { path: "amount", message: LIMIT }

/** The same refusal as back ends write it, beside the contract's form. */
const OTHER_FORMS: readonly [string, object, object][] = [
  ["message", { message: LIMIT }, { detail: LIMIT }],
  ["error", { error: LIMIT }, { detail: LIMIT }],
  ["an error's message", { error: { code: 17, message: LIMIT } }, { detail: LIMIT }],
  [
    "message and errors by field",
    { message: "The given data was invalid.", errors: { amount: [LIMIT] } },
    { detail: "The given data was invalid.", fields: [FIELD] },
  ],
  ["errors by field, a text each", { errors: { amount: LIMIT } }, { fields: [FIELD] }],
  ["a list of errors", { errors: [{ field: "amount", message: LIMIT }] }, { fields: [FIELD] }],
  ["a list of texts", { errors: [LIMIT] }, { fields: [{ path: "", message: LIMIT }] }],
]

it.each(OTHER_FORMS)("[N20] %s: says why, and is no form of the contract", (_, body, words) => {
  expect(textsIn(body)).toEqual({ ...words, isOtherForm: true })
  expect(saysWhy(body)).toBe(true)
  expect(hasDetail(body)).toBe(false)
})

it.each([422, 400])("[N20] %d in each form reaches the caller of a money call", async (status) => {
  for (const [, body] of OTHER_FORMS) {
    const { gateway } = await bench({ answers: [json(status, body)] })
    const outcome = await callOf("executions.collection").run(gateway)
    expect(outcome).toMatchObject({ kind: "refused", error: { code: "GATEWAY_INVALID" } })
    expect(outcome.kind === "refused" && outcome.error.said).toBeTruthy()
  }
})

it.each([
  ["nothing", undefined],
  ["a page", "<html>"],
  ["no words", {}],
  ["an empty message", { message: " " }],
  ["words that are no text", { message: 7, errors: 8, error: [] }],
])("%s says nothing", (_, body) => {
  expect(textsIn(body)).toEqual({})
  expect(saysWhy(body)).toBe(false)
})

it("[S04] nothing that is sent in a refusal is repeated where it is secret, and none throws", () => {
  const secret = "card_secret_4711"
  const names = fc.constantFrom("message", "error", "errors", "detail", "msg", "title", "field")
  const leaf = fc.oneof(fc.constant(`no: ${secret}`), fc.jsonValue())
  fc.assert(
    fc.property(fc.dictionary(names, fc.oneof(leaf, fc.dictionary(names, leaf))), (body) => {
      expect(JSON.stringify(textsIn(body, [secret]))).not.toContain(secret)
    }),
  )
})
