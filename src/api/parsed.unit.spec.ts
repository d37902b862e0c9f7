import { z } from "zod"
import { invalidAs, Refusal } from "../core/refusal"
import { segment, word } from "./endpoints/endpoint"
import { askedIn, parsed } from "./parsed"

const schema = z.strictObject({
  name: z.string().min(2).max(5).optional(),
  kind: z.enum(["a", "b"]).optional(),
  day: z.union([z.iso.date(), z.iso.datetime()], invalidAs("time")).optional(),
  limit: z.int().max(50).optional(),
  amounts: z.record(z.string().regex(/^[A-Z]{3}$/, invalidAs("amounts")), z.number()).optional(),
  id: z.guid().optional(),
})

function refused(given: unknown) {
  try {
    return parsed(schema, given)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [error.key, error.details["field"], error.facts]
  }
}

it.each([
  [{ name: 1 }, "invalid_request.type", "name", { expected: "string" }],
  [{ name: "a" }, "invalid_request.at_least", "name", { least: 2 }],
  [{ name: "abcdef" }, "invalid_request.at_most", "name", { most: 5 }],
  [{ kind: "c" }, "invalid_request.one_of", "kind", { expected: ["a", "b"] }],
  [{ day: "yesterday" }, "invalid_request.time", "day", {}],
  [{ limit: 51 }, "invalid_request.at_most", "limit", { most: 50 }],
  [{ amounts: { secret: 1 } }, "invalid_request.amounts", "amounts", {}],
  [{ amounts: { USD: "secret" } }, "invalid_request.type", "amounts", { expected: "number" }],
  [{ id: "secret" }, "invalid_request", "id", {}],
  [{ secret: 1 }, "invalid_request.unknown_field", null, {}],
  ["secret", "invalid_request.type", null, { expected: "object" }],
])("%j is refused as %s, and nothing of it is repeated", (given, key, field, facts) => {
  expect(refused(given)).toEqual([key, field, facts])
  expect(JSON.stringify(refused(given))).not.toContain("secret")
})

it("an id in an impossible shape is answered as one that does not exist", () => {
  const endpoint = { params: { id: segment("order_not_found") } }
  const read = (id: string) => askedIn(endpoint, { params: { id }, query: {} })
  expect(() => read("no \u0000 id")).toThrow(expect.objectContaining({ code: "order_not_found" }))
  expect(read("id_1")).toEqual({ id: "id_1" })
})

it("a segment that is no known word is refused", () => {
  const endpoint = { params: { action: word("request_not_found", "approve", "refuse") } }
  const read = (action: string) => askedIn(endpoint, { params: { action }, query: {} })
  expect(() => read("destroy")).toThrow(expect.objectContaining({ code: "request_not_found" }))
  expect(read("refuse")).toEqual({ action: "refuse" })
})
