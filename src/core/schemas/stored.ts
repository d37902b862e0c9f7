/**
 * What the JSON columns hold that several rooms read. A row may be older than this code: what an
 * earlier version left out is absent, and no row is refused for it.
 */
import { z } from "zod"
import type { CleanText } from "../said/texts"
import { idText, type Output, text } from "./shapes"

/** @returns undefined: it can't be read */
export function readAs<Value>(schema: z.ZodType<Value>, value: unknown): Value | undefined {
  return schema.safeParse(value).data
}

/** What describes a column of JSON. */
export type Stored<Value> = z.ZodType<Value>

const absent = <Value>(schema: z.ZodType<Value>) => schema.nullable().catch(null)

/** The lines of an operation, each with its total in the smallest unit of the row's currency. */
export const storedLines = z.preprocess(
  (value): unknown => (Array.isArray(value) ? value : []),
  z.array(
    z.object({
      name: z.coerce.string<string>(),
      // Only shown: for a number that can't be read no payment becomes unreadable.
      quantity: z.coerce.number<number>().catch(Number.NaN),
      minor: z.coerce.bigint<string>(),
    }),
  ),
)

const fees = z.object({
  platform: absent(text),
  gateway: absent(text),
  /** The fee for the exchange. In which of its two currencies is not shown (contract, 8). */
  fx: absent(text),
  /** The currency of platform and gateway fee; null where the gateway named none, or two. */
  currency: absent(text),
})
/** The fees that the gateway took, each as decimal text in major units. */
export type Fees = Output<typeof fees>
export const storedFees = absent(fees)

/** The last messages of the gateway and the wallet. */
export const storedMessages = z
  .object({
    gateway: idText<CleanText>().nullable(),
    wallet: idText<CleanText>().nullable(),
  })
  .partial()
  .catch({})

/** What an event says besides its code. Which names it has depends on the code. */
export const storedFacts = z.record(text, z.unknown()).catch({})

export const sealed = z.object({
  ciphertext: text,
  /** Names the key without revealing it. */
  keyId: text,
})
export type Sealed = Output<typeof sealed>
