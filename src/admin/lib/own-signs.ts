/**
 * Medusa's pages write every currency by `Intl`'s narrow symbol, with no setting for it, and the
 * narrow symbol of the Liberian dollar is the US dollar's. In this page, a currency that has a sign
 * of its own gets that one; all other formats stay the browser's.
 */
import { signOf } from "../../core/markets"

type Format = Intl.NumberFormat
type Options = Intl.NumberFormatOptions

/** @returns a constructor as the given one, to be put in its place */
export function withOwnSigns(native: typeof Intl.NumberFormat): typeof Intl.NumberFormat {
  const made = (format: Format, options: Options | undefined): Format => {
    const { style, currency, currencyDisplay } = options ?? {}
    const isNarrow = style === "currency" && currencyDisplay === "narrowSymbol"
    const sign = isNarrow ? signOf(currency?.toUpperCase() ?? "") : undefined
    return sign === undefined ? format : signed(format, sign)
  }
  return new Proxy(native, {
    construct: (target, [locales, options]: [Intl.LocalesArgument, Options?]) =>
      made(new target(locales, options), options),
    apply: (target, _self, [locales, options]: [Intl.LocalesArgument, Options?]) =>
      made(target(locales, options), options),
  })
}

function signed(format: Format, sign: string): Format {
  const parts = format.formatToParts.bind(format)
  const own = (amount?: number | bigint) =>
    parts(amount).map((part) => (part.type === "currency" ? { ...part, value: sign } : part))
  const text = (amount: number | bigint) =>
    own(amount)
      .map(({ value }) => value)
      .join("")
  return Object.defineProperties(format, {
    format: { value: text },
    formatToParts: { value: own },
  })
}
