/**
 * What the demo shop sells and where: plain data, no Medusa.
 *
 * Prices are set in each currency, not converted, as a shop would. USD and LRD have cents, RWF has
 * none; amounts such as 19.99 with 7.5% tax give totals that no currency can express, on purpose.
 */

export type Prices = { readonly usd: number; readonly lrd: number; readonly rwf: number }

export type Product = {
  readonly handle: string
  readonly title: string
  readonly description: string
  readonly image: string
  readonly weightGrams: number
  readonly prices: Prices
  readonly sizes?: readonly string[]
}

/** Served by the store and by the storefront alike, so one relative address works in both. */
const image = (name: string) => `/static/products/${name}.svg`

export const PRODUCTS: readonly Product[] = [
  {
    handle: "woven-basket",
    title: "Woven basket",
    description: "A lidded basket, coiled by hand from sisal and sweetgrass.",
    image: image("basket"),
    weightGrams: 450,
    prices: { usd: 34.5, lrd: 6640, rwf: 49900 },
  },
  {
    handle: "market-tote",
    title: "Market tote",
    description: "A roomy cotton bag in a wax print, with handles that hold a week's shopping.",
    image: image("tote"),
    weightGrams: 320,
    prices: { usd: 19.99, lrd: 3850.5, rwf: 28900 },
  },
  {
    handle: "mountain-coffee",
    title: "Mountain coffee, 500 g",
    description: "Whole beans, washed and sun-dried, medium roast. Notes of orange and cocoa.",
    image: image("coffee"),
    weightGrams: 520,
    prices: { usd: 12.75, lrd: 2455.25, rwf: 18450 },
  },
  {
    handle: "star-t-shirt",
    title: "Star T-shirt",
    description: "Heavy combed cotton, printed by hand. Fits true to size.",
    image: image("shirt"),
    weightGrams: 210,
    prices: { usd: 16.4, lrd: 3158.75, rwf: 23750 },
    sizes: ["S", "M", "L", "XL"],
  },
  {
    handle: "enamel-mug",
    title: "Enamel mug",
    description: "Light, tough and easy to clean. Holds 350 ml of something hot.",
    image: image("mug"),
    weightGrams: 180,
    prices: { usd: 9.95, lrd: 1916.35, rwf: 14400 },
  },
  {
    handle: "print-cushion",
    title: "Print cushion",
    description:
      "A cushion cover of thick cotton with a hidden zip, 45 by 45 cm, filling included.",
    image: image("cushion"),
    weightGrams: 600,
    prices: { usd: 27.3, lrd: 5257, rwf: 39500 },
  },
  {
    handle: "pocket-notebook",
    title: "Pocket notebook",
    description: "A hundred and twenty pages of recycled paper, stitched so that it lies flat.",
    image: image("notebook"),
    weightGrams: 150,
    prices: { usd: 5.25, lrd: 1011.15, rwf: 7599 },
  },
  {
    handle: "bead-bracelet",
    title: "Bead bracelet",
    description: "Glass and paper beads on a strong elastic cord. No two are quite alike.",
    image: image("bracelet"),
    weightGrams: 40,
    prices: { usd: 7.6, lrd: 1463.8, rwf: 11001 },
  },
]

export const STOCK_PER_VARIANT = 10_000

/** Medusa lets a country belong to one region only. */
export const REGIONS = [
  { name: "Liberia", currency: "lrd", countries: ["lr"] },
  { name: "Rwanda", currency: "rwf", countries: ["rw"] },
  { name: "International", currency: "usd", countries: ["us", "gb", "de", "fr", "gh", "ke", "ng"] },
] as const

/** Cards on the shop's own page, too: in the demo the simulator plays the card processor. */
export const PAYMENT_PROVIDERS = [
  "pp_mobile-money_merchant",
  "pp_hosted-checkout_merchant",
  "pp_card_merchant",
]

/** In percent, on top of the prices. */
export const TAX_RATES = [
  { country: "lr", name: "GST", code: "lr-gst", rate: 12 },
  { country: "rw", name: "VAT", code: "rw-vat", rate: 18 },
  { country: "us", name: "Sales tax", code: "us-sales", rate: 7.5 },
] as const

export const SHIPPING_OPTIONS = [
  {
    name: "Standard delivery",
    code: "standard",
    description: "In 3 to 5 days.",
    prices: { usd: 4.5, lrd: 450, rwf: 2000 },
  },
  {
    name: "Express delivery",
    code: "express",
    description: "Tomorrow, by motorbike.",
    prices: { usd: 11.9, lrd: 1150.5, rwf: 5200 },
  },
] as const

export const WELCOME_CODE = { code: "WELCOME10", percent: 10 } as const

/** As Medusa wants them: one entry a currency. */
export const pricesOf = (prices: Prices) =>
  Object.entries(prices).map(([currency_code, amount]) => ({ currency_code, amount }))
