/**
 * The shape of an id or token of the plugin, Medusa or the gateway. PostgreSQL fails on a zero byte
 * in a text, so an id of another shape is answered as one that does not exist, before any SQL.
 */
import { z } from "zod"
import { idFrom } from "../core/ids"
import { PHONE_TEXT_MAX } from "../core/phone-text"
import { invalidAs, Refusal, type RefusalKey } from "../core/refusal"
import { isTimeZone } from "../core/time-zone"

export const SHAPE = /^[\x21-\x7e]{1,200}$/

/** An id in a body or a query; refused by its field name if it has another shape. */
export const id = z.string().trim().regex(SHAPE)

/** {@link id} of one kind of thing. */
export const idOf = <I extends string>() => id.transform((text) => idFrom<I>(text))

/** A phone number as it was typed or pasted; `parsePhone` says what it is. */
export const phone = z.string().max(PHONE_TEXT_MAX)

export const currency = z.string().regex(/^[A-Za-z]{3}$/, invalidAs("currency"))

export const flag = z.enum(["true", "false"]).transform((text) => text === "true")

export const isOfThisCentury = (date: Date) =>
  date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100

/** The name of a time zone, in which days are counted. */
export const timeZone = z
  .string()
  .max(100)
  .refine((name) => isTimeZone(name), invalidAs("time_zone"))

/**
 * The id or token in a route's address.
 *
 * @param notFound the refusal for an impossible id, the same as for an unknown one
 */
export function shapedIn<I extends string = string>(
  params: Readonly<Record<string, string | undefined>>,
  notFound: RefusalKey,
  name = "id",
): I {
  const given = params[name] ?? ""
  if (!SHAPE.test(given)) throw new Refusal(notFound)
  return given as I
}
