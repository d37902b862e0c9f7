import fc from "fast-check"
import { disruptedOf, withoutDisrupted, type OfferedMethod } from "./disrupted-operators"

const operator = fc.record({
  payment_method: fc.constantFrom("A", "B", "C"),
  status: fc.constantFrom("ok" as const, "disrupted" as const),
})
const methods = fc.array(fc.record({ operators: fc.array(operator, { maxLength: 3 }) }))

const all = (offered: readonly OfferedMethod[]) => offered.flatMap(({ operators }) => operators)

it("leaves out what is disrupted and not tried, and nothing else, in the same order", () => {
  fc.assert(
    fc.property(methods, fc.subarray(["A", "B", "C"]), (offered, tried) => {
      const left = withoutDisrupted(offered, new Set(tried))
      expect(all(left)).toEqual(
        all(offered).filter((one) => one.status === "ok" || tried.includes(one.payment_method)),
      )
      // A method that never had an operator, such as the payment page, is never left out.
      const without = ({ operators }: OfferedMethod) => operators.length === 0
      expect(left.filter(without)).toHaveLength(offered.filter(without).length)
    }),
  )
})

it("leaves all that is offered once each disrupted one is tried", () => {
  fc.assert(
    fc.property(methods, (offered) => {
      expect(withoutDisrupted(offered, new Set(disruptedOf(offered)))).toEqual(offered)
    }),
  )
})
