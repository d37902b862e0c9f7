/** `GET operations/:id/receipt-page`. All keys are always there. */
export type ReceiptPageResponse = {
  /** The whole page. No script runs in it, and it loads nothing. */
  readonly html: string
  /** The customer's link to the same page; null: not paid, ended, or the store has no address. */
  readonly receipt_url: string | null
}
