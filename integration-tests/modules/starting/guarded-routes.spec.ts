/**
 * The store routes of the installed Medusa that the guard covers: read from Medusa's route files, and
 * asked of Express as Medusa asks it. A new version with a new way to change a cart fails here.
 */
import { once } from "node:events"
import type { Server } from "node:http"
import express, { type NextFunction, type Request, type Response } from "express"
import middlewares from "../../../src/api/middlewares"
import { CHANGING, changingRoutes, HARMLESS } from "../../support/medusa-store-routes"

const VERBS = { POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const

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

const routes = changingRoutes()

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
