import { COLUMNS } from "./operation-columns"
import { storable, storableJson } from "./storable"
import { money } from "../../integration-tests/support/an-operation"

describe("[S09] text for the database", () => {
  it("keeps every whole character", () => {
    const text = "Basket 🧺 × 2, “quoted”, <b>\n\t"
    expect(storable(text)).toBe(text)
  })

  it("loses zero bytes and half characters, and nothing else", () => {
    expect(storable("a\0b\uD83Ec\uDE00d")).toBe("a�b�c�d")
    expect(JSON.parse(storableJson({ a: ["\0"], b: { c: "\uD83E" }, n: 1, z: null }))).toEqual({
      a: ["�"],
      b: { c: "�" },
      n: 1,
      z: null,
    })
  })

  it("keeps the amounts of lines exact", () => {
    const lines = [{ name: "A\0", quantity: 3, amount: money(9_007_199_254_740_993n) }]
    expect(JSON.parse(String(COLUMNS.lines.write?.(lines)))).toEqual([
      { name: "A�", quantity: 3, minor: "9007199254740993" },
    ])
  })
})
