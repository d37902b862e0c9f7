/** The plugin's own routes as the pages call them: addresses and types of the server's endpoints. */
import type { AdminRoutes, Answer, AskedOf } from "../../api/answers"
import { call, download, type Query } from "./api"

export const BASE = "/admin/merchant-payments"

export type Route = keyof AdminRoutes
export type { AdminRoutes, Answer } from "../../api/answers"

/** What is sent to a route: the ids of its address, its query and its body. */
export type Sent<Key extends Route> = AskedOf<AdminRoutes[Key], Query[string]>

/** The method, the address and what goes with it. */
function requestOf<Key extends Route>(key: Key, sent: Sent<Key>) {
  const [method, address = ""] = key.split(" ") as ["GET" | "POST" | "DELETE", string]
  const { query, body, ...ids } = sent as { query?: Query; body?: object }
  const path = address.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((ids as Record<string, string>)[name] ?? ""),
  )
  // A POST without fields is JSON all the same, which a page of another origin can't send.
  const given = method === "POST" ? { body: body ?? {} } : {}
  return { path: `${BASE}/${path}`, method, query, ...given }
}

/** @throws ApiError */
export function ask<Key extends Route>(
  key: Key,
  sent: Sent<Key>,
  signal?: AbortSignal,
): Promise<Answer<AdminRoutes[Key]>> {
  const { path, ...given } = requestOf(key, sent)
  return call(path, { ...given, ...(signal && { signal }) })
}

/** Hands the route's file to the browser's downloads. @throws ApiError */
export function downloadFrom<Key extends Route>(key: Key, sent: Sent<Key>): Promise<void> {
  const { path, ...given } = requestOf(key, sent)
  return download(path, given)
}
