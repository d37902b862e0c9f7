/** `checkouts/create`: makes party, counterparty and payable source in one call (contract, 2). */
import { z } from "zod"
import type { CounterpartyId, Given, PartyId, SourceId } from "../../terms/ids"
import { methodOf, type Call } from "../../call"
import type { Money } from "../../terms/money"
import type { ExactText, WebAddress } from "../../terms/texts"
import { writer, type Endpoint } from "../../endpoint"
import {
  currencyField,
  moneyOf,
  payableField,
  wireMoney,
  type Amount,
  type Currency,
} from "../amounts"
import { ENUMS, type DocumentStatus, type RelationshipType, type SourceType } from "../enums"
import * as field from "../fields"
import type { GatewayTime, Wire } from "../reading"
import {
  exactMoneyOf,
  inSnakeCase,
  UnusableField,
  otherThanRepeated,
  pageIn,
  reader,
} from "../reading"

export type CheckoutItem = {
  readonly name: string
  /** The total of the line in the source's currency; a line has no quantity. */
  readonly amount: Amount
}

export type CreateCheckoutRequest = {
  /** `HOSTED` makes a payment page; other values have to be agreed with the service. */
  readonly mode: "HOSTED" | (string & {})
  readonly sourceType: SourceType
  /** The customer's phone number, digits of E.164 without a plus. Needed for cards too. */
  readonly partyPhone: string
  readonly partyName?: string | undefined
  readonly partyEmail?: string | undefined
  readonly partyRelationship?: RelationshipType | undefined
  readonly currency: Currency
  /** At least one line. The sum of the lines is the source's total. */
  readonly items: readonly CheckoutItem[]
  /** The merchant's own text. Not an idempotency key: two calls with it make two sources. */
  readonly referenceId?: string | undefined
  readonly note?: string | undefined
  readonly dueDate?: Date | undefined
  readonly successUrl?: string | undefined
  readonly cancelUrl?: string | undefined
  /** When the source stops being payable. */
  readonly expiresAt?: Date | undefined
  /** An existing counterparty. Left out: the gateway matches one by the phone number. */
  readonly counterpartyId?: Given<CounterpartyId> | undefined
}

export type CheckoutSource = {
  readonly sourceType: SourceType
  readonly sourceId: SourceId
  readonly sourceNumber: ExactText
  /** The source's state. Publish the source if it is `IDLE`. */
  readonly status: DocumentStatus
  readonly partyId: PartyId
  readonly counterpartyId?: CounterpartyId
  /** The source's total. Compare it with the requested amount before the source can be paid. */
  readonly total: Money
  /** The payment page, http or https. */
  readonly url?: WebAddress
  readonly expiresAt?: GatewayTime
  readonly wire: Wire
}

const requestSchema = z
  .object({
    mode: field.text,
    sourceType: field.sourceType,
    partyPhone: field.phone,
    currency: currencyField,
    items: z
      .array(z.object({ name: field.text, amount: payableField }))
      .min(1)
      .readonly(),
    dueDate: z.date().optional(),
    expiresAt: z.date().optional(),
    counterpartyId: z.int().positive().optional(),
    partyName: z.string().optional(),
    partyEmail: z.string().optional(),
    partyRelationship: z.enum(ENUMS.RelationshipType).optional(),
    referenceId: z.string().optional(),
    note: z.string().optional(),
    successUrl: z.string().optional(),
    cancelUrl: z.string().optional(),
  })
  .superRefine(({ items, currency }, context) => {
    items.forEach((item, index) => {
      if (item.amount.currency === currency) return
      context.addIssue({
        code: "custom",
        path: ["items", index, "amount"],
        message: "another currency than the source",
      })
    })
  })

const answerSchema = z.object({
  source_type: field.optionalWord(ENUMS.SourceType),
  source_id: field.idOf<SourceId>(),
  source_number: field.exactText,
  source_status: field.sourceStatus,
  party_id: field.idOf<PartyId>(),
  currency: field.currency,
  total_amount: field.amount,
  mode: field.optionalText,
  counterparty_id: field.optionalIdOf<CounterpartyId>(),
  source_checkout_config_id: field.optionalId,
  url: field.optionalPrivate,
  reference_id: field.optionalExact,
  due_date: field.optionalTime,
  expires_at: field.optionalTime,
  hosted_path_or_token: field.optionalPrivate,
  success_url: field.optionalPrivate,
  cancel_url: field.optionalPrivate,
})

const write = writer(requestSchema, ({ sourceType, items, ...fields }) => ({
  body: {
    ...inSnakeCase(fields),
    source_kind: sourceType,
    items: items.map(({ name, amount }) => ({ name, ...wireMoney(amount) })),
  },
}))

export const createCheckout: Endpoint<CreateCheckoutRequest, CheckoutSource> = {
  operation: "checkouts.create",
  write,
  writePlain: ({ items, partyName: _name, partyEmail: _email, note: _note, ...request }) =>
    write({ ...request, items: inOneLine(items) }),
  read: reader(answerSchema, (fields, wire, { sourceType }, context) => {
    const other = otherThanRepeated(wire, { source_type: sourceType }, context)
    if (other) return other
    const total = exactMoneyOf(fields.totalAmount, fields.currency)
    if (!total) return new UnusableField("total_amount", "no exact amount in its currency")
    const url = fields.url === undefined ? undefined : pageIn(fields.url, context)
    if (url instanceof UnusableField) return url
    return {
      sourceType,
      sourceId: fields.sourceId,
      sourceNumber: fields.sourceNumber,
      status: fields.sourceStatus,
      partyId: fields.partyId,
      counterpartyId: fields.counterpartyId,
      total,
      url,
      expiresAt: fields.expiresAt,
      wire,
    }
  }),
}

/** One line with the sum of all. The items were checked, so all are in one currency. */
function inOneLine([first, ...others]: CreateCheckoutRequest["items"]): CheckoutItem[] {
  if (!first) return []
  const { currency, minor } = moneyOf(first.amount)
  const whole = others.reduce((sum, { amount }) => sum + moneyOf(amount).minor, minor)
  return [{ name: "Order", amount: { minor: whole, currency } }]
}

/** Payable sources in one call (contract, 2a). */
export const checkoutsOf = (call: Call) => ({
  /**
   * Makes party, counterparty and payable source, and in mode `HOSTED` its payment page. No
   * idempotency key: a repeat makes a second source, so after `unknown` list the sources and find
   * your own `referenceId`. Fee bearer and quantities can't be set here; document first can set
   * them. `refused` with `Forbidden`: the merchant is not verified yet (contract, 2a and 5).
   */
  create: methodOf(call, createCheckout),
})
