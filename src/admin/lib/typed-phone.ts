/**
 * A wallet's number as an admin types it, with the country's code or without. It is read only where
 * it can be the number of one country alone.
 */
import { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } from "google-libphonenumber"
import { COUNTRIES, countriesOf, type Country } from "../../core/markets"
import { phoneText } from "../../core/phone-text"

const library = PhoneNumberUtil.getInstance()
const MOBILE: readonly (PhoneNumberType | undefined)[] = [
  PhoneNumberType.MOBILE,
  PhoneNumberType.FIXED_LINE_OR_MOBILE,
]

type TypedPhone = {
  /** `+231770000010` */
  readonly international: string
  /** The number as people in its country write it: `077 000 0010`. */
  readonly national: string
  readonly country: Country
}

/** `Liberia or Rwanda`: whose numbers are read, as the language writes it. */
export function countriesText(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "region" })
  const list = new Intl.ListFormat(language, { type: "disjunction" })
  return list.format(COUNTRIES.map((country) => names.of(country) ?? country))
}

/** @returns undefined if it is no mobile number of these countries, or could belong to either */
export function typedPhone(typed: string, currency: string): TypedPhone | undefined {
  // A number without a country's code is read as one of the currency's own country.
  const own = countriesOf(currency)
  const text = phoneText(typed)
  if (text === undefined) return undefined
  // Wallets often display the country's code without a plus.
  const texts = /^[1-9]/.test(text) ? [text, `+${text}`] : [text]
  const found = texts.flatMap((one) =>
    (own.length > 0 ? own : COUNTRIES).flatMap((country) => readIn(one, country)),
  )
  const [first] = found
  const isOne = found.every(({ international }) => international === first?.international)
  return isOne ? first : undefined
}

function readIn(text: string, home: Country): TypedPhone[] {
  try {
    const number = library.parse(text, home)
    const region = library.getRegionCodeForNumber(number)
    const country = COUNTRIES.find((one) => one === region)
    const isMobile = MOBILE.includes(library.getNumberType(number))
    if (!library.isValidNumber(number) || !isMobile || country === undefined) return []
    const international = library.format(number, PhoneNumberFormat.E164)
    return [
      { international, national: library.format(number, PhoneNumberFormat.NATIONAL), country },
    ]
  } catch {
    // What is no number at all is an error of the library's.
    return []
  }
}
