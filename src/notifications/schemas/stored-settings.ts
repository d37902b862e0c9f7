/** What the notifications' tables hold. What another version has chosen beside it is left out. */
import { z } from "zod"
import { count, type Output, text } from "../../core/schemas/shapes"
import { CUSTOMER_KINDS, MERCHANT_KINDS, NOTIFICATION_KINDS } from "../rules/kinds"
import { customerRule, recipient, settingsChange } from "./notifications"

const knownOf = <Kind extends string>(kinds: readonly Kind[]) =>
  z.array(text).transform((stored) => kinds.filter((kind) => stored.includes(kind)))

/** ISO 8601: what happened before is not told. Null: since the shop's first day. */
const since = text.nullable()

const storedRecipient = z.object({ ...recipient.shape, kinds: knownOf(MERCHANT_KINDS), since })
export type Recipient = Output<typeof storedRecipient>

export const storedSettings = z.object({
  recipients: z.array(storedRecipient),
  customers: z.object({
    locale: recipient.shape.locale,
    rules: z.array(z.object({ ...customerRule.shape, kinds: knownOf(CUSTOMER_KINDS), since })),
  }),
})
export type NotificationSettings = Output<typeof storedSettings>

export const storedChanges = z.array(settingsChange)

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
