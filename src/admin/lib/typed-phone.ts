/**
 * A wallet's number as an admin types it, with the country's code or without. It is read only where
 * it can be the number of one country alone.
 */
import parsePhoneNumber, { type CountryCode } from "libphonenumber-js/mobile"

/** Countries in which the gateway pays out to wallets. */
const COUNTRIES: readonly CountryCode[] = ["LR", "RW"]
/** The country of a currency: a number without a country code is read as that country's. */
const HOME: Readonly<Record<string, CountryCode>> = { LRD: "LR", RWF: "RW" }

type TypedPhone = {
  /** `+231770000010` */
  readonly international: string
  /** The number as people in its country write it: `077 000 0010`. */
  readonly national: string
  readonly country: CountryCode
}

/** @returns undefined if it is no mobile number of these countries, or could belong to either */
export function typedPhone(typed: string, currency: string): TypedPhone | undefined {
  const home = HOME[currency]
  const text = typed.trim().replace(/^00[\s-]*(?=[1-9])/, "+")
  // Wallets often display the country's code without a plus.
  const texts = /^[1-9]/.test(text) ? [text, `+${text}`] : [text]
  const found = texts.flatMap((one) =>
    (home ? [home] : COUNTRIES).flatMap((country) => readIn(one, country)),
  )
  const [first] = found
  const isOne = found.every(({ international }) => international === first?.international)
  return isOne ? first : undefined
}

function readIn(text: string, home: CountryCode): TypedPhone[] {
  const number = parsePhoneNumber(text, home)
  const country = number?.country
  if (!number?.isValid() || country === undefined || !COUNTRIES.includes(country)) return []
  return [{ international: number.number, national: number.formatNational(), country }]
}
