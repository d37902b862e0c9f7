import fc from "fast-check"
import { sentence } from "../../core/messages"
import { timesIn } from "./times-in"

const shown = (iso: string) => `<${Date.parse(iso)}>`
const moments = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })

it.each(["since", "at"] as const)("a sentence has its moment as the page writes it: %s", (name) => {
  const code = name === "since" ? "database_behind" : "clock_put_back"
  fc.assert(
    fc.property(moments, (at) => {
      const text = timesIn(sentence("health", code, { [name]: at.toISOString() }), shown)
      expect(text).toContain(`<${at.getTime()}>`)
      expect(text).not.toContain(at.toISOString())
    }),
  )
})

it("everything else of a sentence stays as it is", () => {
  const without = fc.string().filter((text) => !/\d{4}-\d\d-\d\dT/.test(text))
  fc.assert(fc.property(without, (text) => expect(timesIn(text, shown)).toBe(text)))
  expect(timesIn("2026-99-99T99:99:99Z", shown)).toBe("2026-99-99T99:99:99Z")
})
