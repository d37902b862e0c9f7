/** What the notifications' tables hold. What another version has chosen beside it is left out. */
import { z } from "zod"
import { count, type Output, text } from "../../core/schemas/shapes"
import { CUSTOMER_KINDS, LOCALES, MERCHANT_KINDS, NOTIFICATION_KINDS } from "../rules/kinds"
import { settingsChange } from "./notifications"

const knownOf = <Kind extends string>(kinds: readonly Kind[]) =>
  z.array(text).transform((stored) => kinds.filter((kind) => stored.includes(kind)))

/** ISO 8601: what happened before is not told. Null: since the shop's first day. */
const since = text.nullable()
const locale = z.enum(LOCALES)

/**
 * Checked on its way in, by the version that stored it: a rule that has changed since must not
 * silence everybody.
 */
const storedRecipient = z.object({
  id: text,
  name: text,
  channel: text,
  address: text.nullable(),
  locale,
  kinds: knownOf(MERCHANT_KINDS),
  schedule: z.discriminatedUnion("mode", [
    z.object({ mode: z.literal("at_once") }),
    z.object({ mode: z.literal("daily"), hour: count, time_zone: text }),
  ]),
  since,
})
export type Recipient = Output<typeof storedRecipient>

export const storedSettings = z.object({
  recipients: z.array(storedRecipient),
  customers: z.object({
    locale,
    rules: z.array(z.object({ channel: text, kinds: knownOf(CUSTOMER_KINDS), since })),
  }),
})
export type NotificationSettings = Output<typeof storedSettings>

/** A change that this version has no words for is left out. */
export const storedChanges = z
  .array(z.unknown())
  .transform((stored) => stored.flatMap((one) => settingsChange.safeParse(one).data ?? []))

/** What a summary was made of: how many of each kind, and the first and the last moment. */
export const summaryFacts = z.object({
  counts: z.record(text, count).transform((counts) =>
    NOTIFICATION_KINDS.flatMap((kind) => {
      const of = counts[kind]
      return of === undefined ? [] : [{ kind, count: of }]
    }),
  ),
  from: text,
  to: text,
})
