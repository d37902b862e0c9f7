/**
 * What can be an id or a token: of ours, of Medusa's or of the gateway's. PostgreSQL refuses a zero byte in
 * a text as an error, so what has another shape is answered as an id that does not exist, before any SQL.
 */
import { z } from "zod"
import type { Refusal } from "../core/refusal"

const SHAPE = /^[\x21-\x7e]{1,200}$/

/** Of a body or a query: refused by name where it can be no id. */
export const id = z.string().trim().regex(SHAPE, "not an id")

/**
 * The id, or the token, in a route's address.
 *
 * @param notFound what is thrown for one that can't exist, as for one that does not
 */
export function shapedIn(
  params: Readonly<Record<string, string | undefined>>,
  notFound: () => Refusal,
  name = "id",
): string {
  const given = params[name] ?? ""
  if (!SHAPE.test(given)) throw notFound()
  return given
}
