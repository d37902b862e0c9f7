/** What every component of the kit is given, once for the page. */
import {
  createContext,
  useContext,
  useMemo,
  type ButtonHTMLAttributes,
  type ComponentType,
  type InputHTMLAttributes,
  type ReactNode,
} from "react"
import type { Checkout } from "../checkout.js"
import { moneyText, sayIn, type Say } from "../texts.js"
import { en, type TextKey, type Texts } from "../texts/en.js"
import { enParts, type PartKey, type PartTexts } from "../texts/en-parts.js"

/** A shop's own, in the place of `<button>` and `<input>`; they pass all props on. */
export type Parts = {
  readonly Button: ComponentType<ButtonHTMLAttributes<HTMLButtonElement>>
  readonly Input: ComponentType<InputHTMLAttributes<HTMLInputElement>>
}

/** Whom a shopper asks who can't go on. */
export type ShopContact = { readonly email?: string; readonly phone?: string }

export type Kit = {
  readonly checkout: Checkout
  readonly say: Say<TextKey | PartKey>
  readonly language: string
  money(amount: number, currency: string): string
  readonly parts: Parts
  readonly contact: ShopContact | undefined
}

const PLAIN: Parts = {
  Button: (props) => <button type="button" className="mp-button" {...props} />,
  Input: (props) => <input className="mp-input" {...props} />,
}

const KitContext = createContext<Kit | null>(null)

export type MerchantPaymentsProps = {
  readonly checkout: Checkout
  /** A tag such as `fr`, for the page's language and how amounts are written. Default: `en`. */
  readonly language?: string
  /**
   * `en`, `fr` or `rw` of this package, or the shop's own. Default: `en`, which also says what the
   * shop's own texts leave out.
   */
  readonly texts?: Texts & Partial<PartTexts>
  /** Single texts in the place of those. */
  readonly over?: Partial<Texts & PartTexts>
  readonly components?: Partial<Parts>
  /** How the shop writes amounts, in major units. Default: as "LRD 5,601.12". */
  money?(amount: number, currency: string): string
  /** Shown where a shopper waits for long, or for the shop. */
  readonly contact?: ShopContact
  readonly children: ReactNode
}

export function MerchantPayments(props: MerchantPaymentsProps) {
  const {
    checkout,
    language = "en",
    texts = en,
    over,
    components,
    contact,
    money,
    children,
  } = props
  const kit = useMemo<Kit>(
    () => ({
      checkout,
      say: sayIn<TextKey | PartKey>({ ...enParts, ...texts }, over),
      language,
      money: money ?? ((amount, currency) => moneyText(amount, currency, language)),
      parts: { ...PLAIN, ...components },
      contact,
    }),
    [checkout, language, texts, over, components, contact, money],
  )
  return <KitContext.Provider value={kit}>{children}</KitContext.Provider>
}

/** @throws outside of {@link MerchantPayments} */
export function useKit(): Kit {
  const kit = useContext(KitContext)
  if (kit === null) throw new Error("Wrap this in <MerchantPayments checkout={createCheckout(…)}>.")
  return kit
}
