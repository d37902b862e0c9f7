/** Makes routes from their endpoints. A request is parsed before the work begins. */
import type { AuthenticatedMedusaRequest, MedusaRequest } from "@medusajs/framework/http"
import { type AdminId, idFrom } from "../core/ids"
import type { FlowDeps } from "../engine/deps"
import { accountsFrom, flowsFrom } from "../medusa/wiring/flows-from"
import { notifyFrom } from "../medusa/wiring/notify-from"
import type { AdminRoutes, Answer, StoreRoutes } from "./answers"
import { ADMIN, STORE, type Asked, type Endpoint } from "./endpoints"
import { askedIn } from "./parsed"
import { respond, type Route } from "./respond"
import { respondFile, wantsFile, type CsvFile } from "./respond-file"

/** A storefront's route. */
export function storeRoute<Key extends keyof StoreRoutes>(
  key: Key,
  work: (
    deps: FlowDeps,
    asked: Asked<StoreRoutes[Key]>,
    request: MedusaRequest,
  ) => Promise<Answer<StoreRoutes[Key]>>,
): Route<MedusaRequest> {
  return (request, response) =>
    respond(response, () => work(flowsFrom(request.scope), askedIn(STORE[key], request), request))
}

type Scope = MedusaRequest["scope"]

/** What an admin asks: `adminId` is recorded with what it does. */
type AskedByAdmin<Key extends keyof AdminRoutes> = Asked<AdminRoutes[Key]> & {
  readonly adminId: AdminId
}

/**
 * Makes the admin's routes whose work gets these dependencies. Below `/admin` Medusa requires a
 * login or a secret API key, and either has an id.
 */
const adminRoutes =
  <Deps>(from: (scope: Scope) => Deps) =>
  <Key extends keyof AdminRoutes>(
    key: Key,
    work: (
      deps: Deps,
      asked: AskedByAdmin<Key>,
      request: AuthenticatedMedusaRequest,
    ) => Promise<Answer<AdminRoutes[Key]>>,
  ): Route<AuthenticatedMedusaRequest> =>
  (request, response) =>
    respond(response, () => {
      const adminId = idFrom<AdminId>(request.auth_context.actor_id)
      const endpoint: Endpoint = ADMIN[key]
      const asked = { ...askedIn(endpoint, request), adminId } as AskedByAdmin<Key>
      return work(from(request.scope), asked, request)
    })

export const adminRoute = adminRoutes(flowsFrom)
export const accountsRoute = adminRoutes(accountsFrom)
export const notificationsRoute = adminRoutes(notifyFrom)

/** The unparsed filters of a request. May throw a refusal. */
type Given = (request: Pick<MedusaRequest, "query" | "body">) => unknown

/**
 * An admin's route that answers JSON, or with `format=csv` the whole as a file.
 *
 * @param given finds the filters of a request; by default they are its query
 */
export function fileRoute<Key extends keyof AdminRoutes>(
  key: Key,
  work: {
    /** Left out: it always answers a file. */
    readonly json?: (
      deps: FlowDeps,
      asked: Asked<AdminRoutes[Key]>,
      request: AuthenticatedMedusaRequest,
    ) => Promise<Answer<AdminRoutes[Key]>>
    readonly csv: (
      deps: FlowDeps,
      asked: Asked<AdminRoutes[Key]>,
      request: AuthenticatedMedusaRequest,
    ) => Promise<CsvFile>
  },
  given: Given = ({ query }) => query,
): Route<AuthenticatedMedusaRequest> {
  return (request, response) => {
    const endpoint: Endpoint = ADMIN[key]
    const asked = () => {
      const one = given(request)
      const read = askedIn(endpoint, { params: request.params, query: one, body: one })
      return read as Asked<AdminRoutes[Key]>
    }
    const { json, csv } = work
    return json && !wantsFile(given, request)
      ? respond(response, () => json(flowsFrom(request.scope), asked(), request))
      : respondFile(request, response, () => csv(flowsFrom(request.scope), asked(), request))
  }
}
