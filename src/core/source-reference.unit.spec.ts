import { createHmac } from "node:crypto"
import { isMarked, operationIdOf, sourceReference } from "./source-reference"
import { storeIds, systemIds } from "./ports"

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it("is a UUID v4 for every operation that is begun, and that operation's alone", () => {
  const ids = Array.from({ length: 200 }, () => systemIds.operationId())
  const references = ids.map(sourceReference)
  expect(references.filter((reference) => !UUID_V4.test(reference))).toEqual([])
  expect(references.map((reference) => `mpop_${reference.replaceAll("-", "")}`)).toEqual(ids)
})

it("is the id itself where that is made of no UUID", () => {
  expect(sourceReference("mpop_1")).toBe("mpop_1")
})

describe("the operation of a reference", () => {
  it("is the one that the reference was made of, however it is written", () => {
    const id = systemIds.operationId()
    expect(operationIdOf(sourceReference(id))).toBe(id)
    expect(operationIdOf(sourceReference(id).toUpperCase())).toBe(id)
    expect(operationIdOf("mpop_1")).toBe("mpop_1")
  })

  it.each([
    "",
    "INV-7",
    "0b9f1d2e-6a51-1f11-8a11-0123456789ab",
    "0b9f1d2e-6a51-4f11-8a11-0123456789ab0",
    "0b9f1d2e-6a51-4f11-ca11-0123456789ab",
    "00000000-0000-0000-0000-000000000000",
  ])("is none for %p", (text) => {
    expect(operationIdOf(text)).toBeUndefined()
  })
})

const digestWith = (key: string) => (text: string) =>
  createHmac("sha256", key).update(text).digest("base64url")

describe("the mark of a store", () => {
  const [own, other] = [digestWith("one"), digestWith("two")]

  it("is on each of its references, which stay UUIDs v4 of their operations", () => {
    const ids = Array.from({ length: 200 }, () => storeIds(own).operationId())
    expect(new Set(ids).size).toBe(200)
    for (const id of ids) {
      const reference = sourceReference(id)
      expect(reference).toMatch(UUID_V4)
      expect(operationIdOf(reference)).toBe(id)
      expect(isMarked(reference.toUpperCase(), own)).toBe(true)
      expect(isMarked(reference, other)).toBe(false)
    }
  })

  it("is on no reference of another program", () => {
    const others = [
      ...Array.from({ length: 200 }, () => systemIds.reference()),
      "INV-7",
      "",
      "mpop_1",
    ]
    expect(others.filter((reference) => isMarked(reference, own))).toEqual([])
  })
})
