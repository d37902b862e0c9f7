/**
 * Arbitrary values of every kind that a request holds: all that the contract allows, nothing else.
 */
import fc from "fast-check"
import { majorText } from "../../../src/gateway"
import type { Amount } from "../../../src/gateway"
import { currency } from "../../gateway/calls"
import { ENUMS } from "../../../packages/gateway/src/wire/enums"

const LATEST = new Date("2100-01-01T00:00:00Z")
const EARLIEST = new Date("2000-01-01T00:00:00Z")

/** Absent or there; a field that may be left out has to be seen both ways. */
export const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
export const maybeNull = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(fc.constant(undefined), fc.constant(null), value)
export const oneOf = <Name extends keyof typeof ENUMS>(name: Name) =>
  fc.constantFrom<(typeof ENUMS)[Name][number][]>(...ENUMS[name])

export const id = fc.integer({ min: 1, max: 1_000_000_000_000 })
/** Any script, any length that a person types. */
export const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
/** What may stand in an address: anything but control characters. */
export const addressText = text.filter((value) => !/\p{Cc}/u.test(value))
export const documentNumber = fc.oneof(
  fc.stringMatching(/^(INV|ORD)-20\d\d-\d{4,5}$/),
  addressText.filter((value) => value !== "." && value !== ".."),
)
export const phone = fc.stringMatching(/^[1-9]\d{7,14}$/)
export const reference = fc.uuid({ version: 4 })
export const date = fc.date({ min: EARLIEST, max: LATEST, noInvalidDate: true })
export const code = fc.constantFrom(...["USD", "LRD", "RWF"].map((name) => currency(name)))
export const qty = fc.integer({ min: 1, max: 10_000 })

/** From the smallest amount that the currency has to a very large one, in both of its forms. */
export const amountIn = (currencyCode: ReturnType<typeof currency>) =>
  fc
    .oneof(fc.constant(1n), fc.bigInt({ min: 1n, max: 99_999_999_999n }))
    .chain((minor) => {
      const money = { minor, currency: currencyCode }
      return fc.constantFrom<Amount[]>(money, { major: majorText(money), currency: currencyCode })
    })
export const amount = code.chain(amountIn)
