import { OPERATORS, operatorOf, typedPhone } from "./operators"

test.each([
  ["231770000001", "OPERATOR1_MOMO_LBR"],
  ["231880000001", "OPERATOR2_MONEY_LBR"],
  ["250780000001", "OPERATOR1_MOMO_RWA"],
  ["250790000001", "OPERATOR1_MOMO_RWA"],
  ["250730000001", "OPERATOR2_MONEY_RWA"],
  ["250720000001", "OPERATOR3_RWA"],
])("%s is served by %s", (phone, method) => {
  expect(operatorOf(phone)?.method).toBe(method)
})

test.each(["231555000001", "250252000001", "23177000001", "4915100000001"])(
  "no operator serves %s",
  (phone) => {
    expect(operatorOf(phone)).toBeUndefined()
  },
)

test("Liberia is paid in dollars of both kinds, Rwanda in francs", () => {
  for (const { country, currencies } of OPERATORS) {
    expect(currencies).toEqual(country === "LBR" ? ["USD", "LRD"] : ["RWF"])
  }
})

test.each(["+231 77 000-0001", "00231770000001", " 231770000001"])(
  "%p is typed for 231…",
  (text) => {
    expect(typedPhone(text)).toBe("231770000001")
  },
)
