/** Which page an address shows. */
import { Bar, Header } from "./components/header"
import { Page, Wait } from "./components/page"
import { PaymentBanner } from "./components/payment-banner"
import { CartProvider } from "./hooks/use-cart"
import { RegionProvider } from "./hooks/use-region"
import { CartPage } from "./pages/cart"
import { CataloguePage } from "./pages/catalogue"
import { CheckoutPage } from "./pages/checkout"
import { OrderPage } from "./pages/order"
import { PaymentPage } from "./pages/payment"
import { PaymentCollectionPage } from "./pages/payment-collection"
import { ProductPage } from "./pages/product"
import { ReturnPage } from "./pages/return"
import { Link, usePlace, type Place } from "./router"
import { words } from "./words"
import { chooseLanguage, LANGUAGES, language, type Language } from "./words/language"

export function App() {
  const place = usePlace()
  const waiting = (state: Parameters<typeof Wait>[0]["state"]) => (
    <>
      <Bar />
      <main className="page">
        <Wait state={state} label={words.shop.opening} />
      </main>
    </>
  )
  return (
    <RegionProvider waiting={waiting}>
      <CartProvider>
        <Header />
        <PaymentBanner />
        {pageFor(place)}
        <footer className="footer">
          {words.shop.footer}
          <LanguageChoice />
        </footer>
      </CartProvider>
    </RegionProvider>
  )
}

function LanguageChoice() {
  return (
    <p role="group" aria-label={words.shop.language} className="languages">
      {(Object.keys(LANGUAGES) as Language[]).map((code) => (
        <button
          key={code}
          type="button"
          lang={code}
          className="button-link"
          aria-pressed={code === language}
          onClick={() => chooseLanguage(code)}
        >
          {LANGUAGES[code]}
        </button>
      ))}
    </p>
  )
}

function pageFor({ path, query }: Place) {
  const [room = "", ...rest] = path.split("/").filter((part) => part !== "")
  const name = rest.length === 1 ? decodeURIComponent(rest[0] ?? "") : null
  if (room === "") return <CataloguePage />
  if (room === "cart" && rest.length === 0) return <CartPage />
  if (room === "checkout" && rest.length === 0) return <CheckoutPage />
  if (room === "product" && name !== null) return <ProductPage handle={name} />
  if (room === "order" && name !== null) return <OrderPage orderId={name} />
  if (room === "payment-collection" && name !== null) {
    return <PaymentCollectionPage collectionId={name} orderId={query.get("order_id")} />
  }
  if (room === "return" && name !== null) {
    return <ReturnPage result={name} sessionId={query.get("payment_session_id")} />
  }
  if (room === "payment" && name !== null) {
    const isBackFromCancel = query.get("back") === "cancel"
    return <PaymentPage key={name} sessionId={name} isBackFromCancel={isBackFromCancel} />
  }
  return (
    <Page title={words.shop.nothingHere}>
      <p>{words.shop.leadsNowhere}</p>
      <Link to="/">{words.shop.back}</Link>
    </Page>
  )
}
