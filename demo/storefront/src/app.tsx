/** Which page an address shows. */
import { Header } from "./components/header"
import { Page, Wait } from "./components/page"
import { CartProvider } from "./hooks/use-cart"
import { RegionProvider } from "./hooks/use-region"
import { CartPage } from "./pages/cart"
import { CataloguePage } from "./pages/catalogue"
import { CheckoutPage } from "./pages/checkout"
import { OrderPage } from "./pages/order"
import { PaymentPage } from "./pages/payment"
import { ProductPage } from "./pages/product"
import { ReturnPage } from "./pages/return"
import { Link, usePlace, type Place } from "./router"

export function App() {
  const place = usePlace()
  const waiting = (state: Parameters<typeof Wait>[0]["state"]) => (
    <Page title="Welcome">
      <Wait state={state} label="Opening the shop…" />
    </Page>
  )
  return (
    <RegionProvider waiting={waiting}>
      <CartProvider>
        <Header />
        {pageFor(place)}
        <footer className="footer">
          A demonstration shop. Nothing is sold and no money moves.
        </footer>
      </CartProvider>
    </RegionProvider>
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
  if (room === "return" && name !== null) {
    return <ReturnPage result={name} sessionId={query.get("payment_session_id")} />
  }
  if (room === "payment" && name !== null) {
    const isBackFromCancel = query.get("back") === "cancel"
    return <PaymentPage key={name} sessionId={name} isBackFromCancel={isBackFromCancel} />
  }
  return (
    <Page title="Nothing here">
      <p>This address leads nowhere.</p>
      <Link to="/">Back to the shop</Link>
    </Page>
  )
}
