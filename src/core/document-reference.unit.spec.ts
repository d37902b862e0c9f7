import { documentReference } from "./document-reference"
import { systemIds } from "./ports"

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it("is a UUID v4 for every operation that is begun, and that operation's alone", () => {
  const ids = Array.from({ length: 200 }, () => systemIds.operationId())
  const references = ids.map(documentReference)
  expect(references.filter((reference) => !UUID_V4.test(reference))).toEqual([])
  expect(references.map((reference) => `mpop_${reference.replaceAll("-", "")}`)).toEqual(ids)
})

it("is the id itself where that is made of no UUID", () => {
  expect(documentReference("mpop_1")).toBe("mpop_1")
})
