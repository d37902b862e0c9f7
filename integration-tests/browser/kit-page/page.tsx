/** A shop's checkout page on the kit, as a stranger would write it. */
import { createCardAdapter } from "merchant-payments-simulator/card-adapter"
import { createRoot } from "react-dom/client"
import { createCheckout, en, fr, rw } from "../../../packages/checkout/src/index"
import {
  MerchantPayment,
  MerchantPayments,
  MobileMoneyForm,
} from "../../../packages/checkout/src/react/index"

declare global {
  interface Window {
    shop: {
      baseUrl: string
      publishableKey: string
      cartId: string
      language?: keyof typeof TEXTS
      simulatorUrl?: string
      /** The form for mobile money alone. */
      isAlone?: boolean
      /** What the shop has asked for already. */
      flow?: string
    }
  }
}

const TEXTS = { en, fr, rw }
const { baseUrl, publishableKey, cartId, language = "en", simulatorUrl, isAlone, flow } = window.shop
const cardAdapter = simulatorUrl ? createCardAdapter({ simulatorUrl }) : undefined
const checkout = createCheckout({ baseUrl, publishableKey, cardAdapter })
const started = () => {
  document.title = "Started"
}
const paid = (orderId: string | null) => {
  document.title = `Order ${orderId ?? ""}`
}

async function start() {
  const headers = { "x-publishable-api-key": publishableKey }
  const answer = await fetch(`${baseUrl}/store/carts/${cartId}`, { headers })
  const { cart } = await answer.json()
  createRoot(document.getElementById("root")!).render(
    <MerchantPayments checkout={checkout} language={language} texts={TEXTS[language]}>
      {isAlone ? (
        <MobileMoneyForm cart={cart} onStarted={started} />
      ) : (
        <MerchantPayment cart={cart} flow={flow} onPaid={paid} />
      )}
    </MerchantPayments>,
  )
}

void start()
