import { z } from "zod"
import { type RefusalCode, type RefusalKey, STATUS_OF } from "../refusal"
import { keysOf, number, type Output, text } from "./shapes"

const scalar = z.union([text, number])
/** `19.99` and `USD`: how the routes write money in a refusal. */
const amount = z.strictObject({ amount: text, currency: text })

/** The fields with which a route answers a refusal; some refusals have details beside them. */
export const refusalResponse = z.strictObject({
  code: keysOf<RefusalCode>(STATUS_OF),
  /** The code, or `code.situation` where the code has several. */
  situation: text as unknown as z.ZodType<RefusalKey, RefusalKey>,
  /** The situation in English, with what to do. */
  message: text,
  /** Ids, amounts, states and counts of the case, as the message names them. */
  facts: z.record(text, z.union([scalar.nullable(), z.array(scalar), amount])),
})
export type RefusalResponse = Output<typeof refusalResponse>
