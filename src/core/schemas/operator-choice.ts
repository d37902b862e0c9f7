/** An operator that can be paid with, by the names of an account. */
import { z } from "zod"
import { text, type Output } from "./shapes"

export const operatorChoice = z.strictObject({
  payment_method: text,
  provider: text,
  label: text,
  country: text,
  /** The currencies that its wallets can be charged in. */
  currencies: z.array(text),
  /** The code to dial for a payer who sees no prompt, from the account; null where it has none. */
  menu_code: text.nullable(),
})
export type OperatorChoice = Output<typeof operatorChoice>
