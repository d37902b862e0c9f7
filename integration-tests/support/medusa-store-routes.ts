/** The store routes of the installed Medusa that change something, read from its route files. */
import fs from "node:fs"
import path from "node:path"

const STORE = path.resolve(__dirname, "../../node_modules/@medusajs/medusa/dist/api/store")
export const CHANGING = ["POST", "PUT", "PATCH", "DELETE"] as const

/** Routes that change something, but never what a payment is for. Each with the reason. */
export const HARMLESS: Readonly<Record<string, string>> = {
  "POST /store/carts": "makes another cart",
  "POST /store/carts/:id/complete": "asks the provider, who answers from the ledger",
  "POST /store/payment-collections": "gives back the one there is, as it is",
  "POST /store/customers": "registers; whose cart it is changes below the cart",
  "POST /store/customers/me": "a profile; a cart keeps its own address and email",
  "POST /store/customers/me/addresses": "an address book; a cart keeps its own address",
  "POST /store/customers/me/addresses/:address_id": "an address book",
  "DELETE /store/customers/me/addresses/:address_id": "an address book",
  "POST /store/orders/:id/transfer/request": "whose order it is, not what it costs",
  "POST /store/orders/:id/transfer/accept": "whose order it is, not what it costs",
  "POST /store/orders/:id/transfer/cancel": "whose order it is, not what it costs",
  "POST /store/orders/:id/transfer/decline": "whose order it is, not what it costs",
  "POST /store/returns": "asks for a return; what goes back is the admin's to send",
  "POST /store/search": "reads",
  "POST /store/shipping-options/:id/calculate": "reads a price",
}

/** `POST /store/carts/:id`, of each route file of the store API that exports such a method. */
export function changingRoutes(): string[] {
  return fs
    .readdirSync(STORE, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.js")
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(STORE, file), "utf8")
      const address = `/store/${path.dirname(file)}`
        .replaceAll(path.sep, "/")
        .replaceAll(/\[([^\]]+)\]/g, ":$1")
      return CHANGING.filter((method) => new RegExp(`\\bexports\\.${method}\\b`).test(text)).map(
        (method) => `${method} ${address}`,
      )
    })
    .sort()
}
