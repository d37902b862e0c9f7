/** The customer's receipt as a page. */
import { z } from "zod"
import { text } from "../../core/schemas/shapes"
import { PAPER_LANGUAGES } from "../words"

export const receiptPageQuery = z.strictObject({ lang: z.enum(PAPER_LANGUAGES).optional() })

/** A customer's link may have been cut or added to; a language that is not known is no mistake. */
export const paperQuery = z.object({
  lang: z.enum(PAPER_LANGUAGES).optional().catch(undefined),
})

export const receiptPage = z.strictObject({
  /** The whole page. No script runs in it, and it loads nothing. */
  html: text,
  /** The customer's link to the same page; null: not paid, ended, or the store has no address. */
  receipt_url: text.nullable(),
})

export const receiptPageResponse = z.strictObject({ receipt_page: receiptPage })
export const receiptLinkResponse = receiptPage.pick({ receipt_url: true })
