import fc from "fast-check"
import { safeAttributes } from "./attributes"

const of = (text: string) => safeAttributes({ "payment.method": text })["payment.method"]

it("a word of the code or the gateway is said as it is", () => {
  for (const word of ["push", "COMPLETED", "LIBERIA_OPERATOR_A", "status.collection"]) {
    expect(of(word)).toBe(word)
  }
})

it("[S05] a text that could be an id, a phone number or an amount is not", () => {
  const hex = fc.stringMatching(/^[a-z]{0,6}_?[0-9a-f]{24,32}$/)
  const phone = fc.stringMatching(/^[A-Za-z+]{0,4}[0-9]{7,13}$/)
  const amount = fc.stringMatching(/^[0-9]{1,9}(\.[0-9]{1,3})?$/)
  const uuid = fc.uuid()
  fc.assert(fc.property(fc.oneof(hex, phone, amount, uuid), (text) => of(text) === "other"))
})

it("what is not there is left out", () => {
  expect(safeAttributes({ "payment.method": null, "error.type": undefined })).toEqual({})
})
