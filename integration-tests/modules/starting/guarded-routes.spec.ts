/**
 * The store routes of the installed Medusa that the guard covers: read from Medusa's route files, and
 * asked of Express as Medusa asks it. A new version with a new way to change a cart fails here.
 */
import { once } from "node:events"
import fs from "node:fs"
import type { Server } from "node:http"
import path from "node:path"
import express, { type NextFunction, type Request, type Response } from "express"
import middlewares from "../../../src/api/middlewares"

const API = path.resolve(__dirname, "../../../node_modules/@medusajs/medusa/dist/api")
const VERBS = { POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const
const CHANGING = ["POST", "PUT", "PATCH", "DELETE"] as const

/** Routes that change something, but never what a payment is for. Each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
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

/** `POST /store/carts/:id`, of each route file below a folder that exports such a method. */
function changingRoutes(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.js")
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(folder, file), "utf8")
      const address = `/${path.basename(folder)}/${path.dirname(file)}`
        .replaceAll(path.sep, "/")
        .replaceAll(/\[([^\]]+)\]/g, ":$1")
      return CHANGING.filter((method) => new RegExp(`\\bexports\\.${method}\\b`).test(text)).map(
        (method) => `${method} ${address}`,
      )
    })
    .sort()
}

/** Thrown at the guard's first question: it never gets further here. */
class Asked extends Error {}

/** The product's middlewares on Express, mounted as Medusa does it; 418 when one of them asks. */
function guardedApp() {
  const app = express()
  app.use((request, _response, next) => {
    Object.assign(request, {
      scope: {
        resolve: () => {
          throw new Asked()
        },
      },
    })
    next()
  })
  for (const { matcher, methods, middlewares: handlers } of middlewares.routes ?? []) {
    for (const method of methods ?? []) {
      const verb = CHANGING.find((one) => one === method)
      if (!verb) continue
      for (const handler of handlers ?? []) {
        app[VERBS[verb]](matcher, (request, response, next) => {
          const asked: unknown = Reflect.apply(handler, undefined, [request, response, next])
          Promise.resolve(asked).catch(next)
        })
      }
    }
  }
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    response.sendStatus(error instanceof Asked ? 418 : 500)
  })
  return app
}

let url = ""
let server: Server

beforeAll(async () => {
  server = guardedApp().listen(0, "localhost")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  url = `http://localhost:${address.port}`
})

afterAll(async () => {
  server.close()
  await once(server, "close")
})

async function isGuarded(route: string): Promise<boolean> {
  const [method = "", address = ""] = route.split(" ")
  const { status } = await fetch(`${url}${address.replaceAll(/:[a-z_]+/g, "some_id")}`, { method })
  expect([404, 418]).toContain(status)
  return status === 418
}

const routes = changingRoutes(path.join(API, "store"))

it("Medusa's routes are found where this test looks", () => {
  expect(routes).toContain("POST /store/carts/:id/line-items/:line_id")
  expect(routes).toContain("DELETE /store/carts/:id/line-items/:line_id")
  expect(routes).toContain("POST /store/payment-collections/:id/payment-sessions")
})

it("[B02] the guard covers each store route of Medusa that changes what is paid", async () => {
  const open: string[] = []
  for (const route of routes) {
    if (!(await isGuarded(route))) open.push(route)
  }
  expect(open).toEqual(Object.keys(HARMLESS).sort())
})

it.each([
  "PUT /store/carts/:id",
  "POST /store/carts/:id/gift-cards",
  "DELETE /store/carts/:id/gift-cards",
  "POST /store/carts/:id/store-credits",
  "PATCH /store/carts/:id/line-items/bulk",
  "DELETE /store/payment-collections/:id",
  "POST /store/Carts/:id/Line-Items/",
  "POST /store/carts/:id/",
  "POST /store/carts/:id/complete/again",
])("[B02] the guard covers %s, in case a plugin or another spelling uses it", async (route) => {
  expect(await isGuarded(route)).toBe(true)
})

it.each([
  "GET /store/carts/:id",
  "POST /store/carts/:id/complete/",
  "POST /store/Carts/:id/COMPLETE",
])("the guard doesn't cover %s", async (route) => {
  expect(await isGuarded(route)).toBe(false)
})
