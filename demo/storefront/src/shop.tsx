/**
 * The shop's connections, handed to every page: Medusa's own routes, and the checkout kit for all
 * that has to do with paying.
 */
import { createCheckout, en, fr, type Checkout } from "medusa-merchant-payments-checkout"
import { MerchantPayments } from "medusa-merchant-payments-checkout/react"
import { createCardAdapter } from "merchant-payments-simulator/card-adapter"
import { createContext, useContext, useMemo, type ReactNode } from "react"
import { storeOf, type Store } from "./api/store"
import type { ShopConfig } from "./config"
import { formatMoney } from "./money"
import { language } from "./words/language"

export type Shop = { config: ShopConfig; store: Store; checkout: Checkout }

const TEXTS = { en, fr }
const ShopContext = createContext<Shop | null>(null)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (shop === null) throw new Error("useShop needs a ShopProvider above it")
  return shop
}

export function ShopProvider({ config, children }: { config: ShopConfig; children: ReactNode }) {
  const shop = useMemo(() => {
    const { storeApiUrl: baseUrl, publishableKey, orderPlacement, simulatorUrl } = config
    // A real shop hands the SDK of its card processor over here.
    const cardAdapter = simulatorUrl === null ? undefined : createCardAdapter({ simulatorUrl })
    const checkout = createCheckout({ baseUrl, publishableKey, orderPlacement, cardAdapter })
    return { config, store: storeOf(config), checkout }
  }, [config])
  const contact = useMemo(() => {
    const { contactEmail: email, contactPhone: phone } = config
    return { ...(email !== null && { email }), ...(phone !== null && { phone }) }
  }, [config])
  return (
    <ShopContext.Provider value={shop}>
      <MerchantPayments
        checkout={shop.checkout}
        language={language}
        texts={TEXTS[language]}
        contact={contact}
        money={formatMoney}
      >
        {children}
      </MerchantPayments>
    </ShopContext.Provider>
  )
}

/** Where the payment page sends the shopper back to. */
export const RETURN_TO = {
  success: `${window.location.origin}/return/success`,
  cancel: `${window.location.origin}/return/cancel`,
}
