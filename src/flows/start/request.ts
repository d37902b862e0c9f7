/** What a shopper asks for with `start`, or an admin in their place. Nothing in it is a fact about money: those come from Medusa. */
export type StartRequest = {
  readonly sessionId: string
  /** The logged-in customer, if any. */
  readonly customerId?: string | undefined
  /** Where a shopper's request comes from, for what is counted. */
  readonly network?: string | undefined
  readonly phone?: string | undefined
  /** The operator's value, when the shopper chose one instead of what the number says. */
  readonly paymentMethod?: string | undefined
  readonly payerCurrency?: string | undefined
  /** What the shopper was told the wallet is charged, in major units of the payer's currency. */
  readonly expectedPayerAmount?: number | undefined
  /** An admin's id: what they make is a link to send, and not a page that a shopper is on. */
  readonly linkFor?: string | undefined
  readonly successUrl?: string | undefined
  readonly cancelUrl?: string | undefined
}
