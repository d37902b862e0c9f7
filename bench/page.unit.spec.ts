import type { Figure } from "./figure"
import { pageWith } from "./page"

const figure = (value: number, more: Partial<Figure> = {}): Figure =>
  ({
    value,
    unit: "ms",
    better: "lower",
    against: "a | peer",
    limit: 10,
    samples: 1,
    ...more,
  }) as Figure

const PAGE = [
  "# Performance",
  "",
  "<!-- measured: figures -->",
  "",
  "| Figure | Measured | Limit | Against | On |",
  "| --- | --- | --- | --- | --- |",
  "| `first` | 1 ms | 10 | a peer | 2026-01-01 |",
  "| `gone` | 2 ms | 10 | a peer | 2026-01-01 |",
  "",
  "<!-- end of figures -->",
  "",
  "More.",
  "",
].join("\n")

const NAMES = ["second", "first"]

describe("the table of measured figures", () => {
  it("gets the rows that were measured, and keeps the others in their order", () => {
    const figures = { second: figure(123.456) }
    const page = pageWith(PAGE, { figures, names: NAMES, day: "2026-11-28" })
    expect(page.split("\n").filter((line) => line.startsWith("| `"))).toEqual([
      "| `second` | 123 ms | 10 | a \\| peer | 2026-11-28 |",
      "| `first` | 1 ms | 10 | a peer | 2026-01-01 |",
    ])
    expect(page.startsWith("# Performance\n")).toBe(true)
    expect(page.endsWith("<!-- end of figures -->\n\nMore.\n")).toBe(true)
  })

  it("replaces a row, says where nothing is promised, and is the same written twice", () => {
    const asked = {
      figures: { first: figure(0.98765, { limit: null }) },
      names: NAMES,
      day: "2026-11-28",
    }
    const page = pageWith(PAGE, asked)
    expect(page).toContain("| `first` | 0.988 ms | none | a \\| peer | 2026-11-28 |")
    expect(pageWith(page, asked)).toBe(page)
  })

  it("refuses a page without a place for it", () => {
    const asked = { figures: {}, names: NAMES, day: "2026-11-28" }
    expect(() => pageWith("# Performance", asked)).toThrow(/no place for figures/)
  })
})
