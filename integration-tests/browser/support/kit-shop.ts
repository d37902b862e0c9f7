/** A shop on the kit whose store is a script over real HTTP: it answers, or hangs, as a test says. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import type * as Scripted from "../../../packages/checkout/src/testing/scripted-store.js" with {
  "resolution-mode": "import",
}
import { kitScript } from "./kit-page"

export type ScriptedStore = Awaited<ReturnType<typeof Scripted.scriptedStore>>
export type Answer = Parameters<ScriptedStore["on"]>[1]

/** The kit is an ES module, which Jest compiles for this process. */
const scripted = createRequire(__filename)(
  "../../../packages/checkout/src/testing/scripted-store",
) as typeof Scripted
export const { DISTURBANCES, event, json, says } = scripted

const STYLE = join(__dirname, "../../../packages/checkout/style.css")

const OPERATOR = { payment_method: "OP1", label: "Operator 1", country: "LR", menu_code: "*100#" }
const WALLET = { ...OPERATOR, currencies: ["USD", "LRD"] }
const OTHER = { ...WALLET, payment_method: "OP2", label: "Operator 2" }
export const QUOTE = { payer_amount: 5657.13, payer_currency: "LRD" }
export const CART = {
  id: "cart",
  total: 5601.12,
  currency_code: "lrd",
  shipping_address: { phone: "+231770000456", country_code: "lr" },
}
const METHODS = [
  { provider_id: "pp_push", flow: "push", needs_phone: true, operators: [WALLET, OTHER] },
  { provider_id: "pp_hosted", flow: "hosted", currencies: ["LRD"], operators: [] },
]

type PageSettings = {
  readonly language?: string
  readonly isAlone?: boolean
  readonly flow?: string
}

let built: Promise<string> | undefined

/** Answers what a form asks. Its pages are at `/shop/…`, by the names of `settings`. */
export async function kitShop(
  settings: Readonly<Record<string, PageSettings>>,
): Promise<ScriptedStore> {
  const [script, style] = await Promise.all([(built ??= kitScript(".")), readFile(STYLE, "utf8")])
  const shop = await scripted.scriptedStore()
  for (const [name, given] of Object.entries(settings)) {
    const shown = { baseUrl: shop.url, publishableKey: "pk", cartId: CART.id, ...given }
    shop.on(`GET /shop/${name}`, file("text/html; charset=utf-8", pageOf(shown)))
  }
  shop.on("GET /page.js", file("text/javascript; charset=utf-8", script))
  shop.on("GET /style.css", file("text/css", style))
  shop.on("GET /carts/cart", (_request, response) => json(response, 200, { cart: CART }))
  shop.on("GET /methods", (_request, response) => json(response, 200, { methods: METHODS }))
  shop.on("POST /operator", (_request, response) => json(response, 200, { operator: WALLET }))
  shop.on("GET /quote", (_request, response) => json(response, 200, { quote: QUOTE }))
  return shop
}

export function file(type: string, text: string): Answer {
  return (_request, response) => response.writeHead(200, { "content-type": type }).end(text)
}

function pageOf({ language = "en", ...settings }: PageSettings): string {
  const shop = JSON.stringify({ language, ...settings })
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Shop</title>`,
    `<meta name="viewport" content="width=device-width">`,
    `<style>body { margin: 0; background: Canvas; color: CanvasText }</style>`,
    `<link rel="stylesheet" href="/style.css"></head>`,
    `<body><main id="root"></main><script>window.shop = ${shop}</script>`,
    `<script type="module" src="/page.js"></script></body></html>`,
  ].join("\n")
}
