/**
 * Reads the settings, then draws the shop. Without settings it says so instead of showing nothing.
 */
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app"
import { loadConfig } from "./config"
import { ShopProvider } from "./shop"
import "./styles/base.css"
import "./styles/layout.css"
import "./styles/forms.css"
import "./styles/shop.css"
import "./styles/payment.css"

const place = document.getElementById("root")
if (place === null) throw new Error("index.html has no #root")
const root = createRoot(place)

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
        <h1>The shop is not set up</h1>
        <p role="alert">{error instanceof Error ? error.message : "No settings were found."}</p>
      </main>,
    ),
)
