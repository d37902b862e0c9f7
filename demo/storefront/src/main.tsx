/**
 * Reads the settings, then draws the shop. Without settings it says so instead of showing nothing.
 */
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app"
import { loadConfig } from "./config"
import { ShopProvider } from "./shop"
import { words } from "./words"
import { language } from "./words/language"
import "medusa-merchant-payments-checkout/style.css"
import "./styles/base.css"
import "./styles/layout.css"
import "./styles/forms.css"
import "./styles/shop.css"
import "./styles/payment.css"

const place = document.getElementById("root")
if (place === null) throw new Error("index.html has no #root")
const root = createRoot(place)
document.documentElement.lang = language

loadConfig().then(
  (config) =>
    root.render(
      <StrictMode>
        <ShopProvider config={config}>
          <App />
        </ShopProvider>
      </StrictMode>,
    ),
  (error: unknown) =>
    root.render(
      <main className="page">
        <h1>{words.shop.notSetUp}</h1>
        <p role="alert">{error instanceof Error ? error.message : words.shop.noSettings}</p>
      </main>,
    ),
)
