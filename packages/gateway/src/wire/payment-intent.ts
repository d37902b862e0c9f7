/**
 * Finds the payment intent id, which a refund needs and no documented answer carries (contract, 3
 * and 17.1). It is read under its possible names, in the answer and in the objects of its first
 * level.
 *
 * A wrong id could refund another customer's money. So there is no id if the names disagree, or if
 * the same answer has that number under the name of another id. An admin then types the id.
 */
import { idFrom, type PaymentIntentId } from "../terms/ids"
import { isWire, type Wire } from "./reading"

/** Names under which an answer may have the payment intent's id. */
export const PAYMENT_INTENT_FIELDS = [
  "payment_intent_id",
  "payment_intent",
  "paymentIntentId",
  "original_payment_intent_id",
  "checkout_payment_intent_id",
  "intent_id",
] as const

/** Names of an object whose `id` is the payment intent. */
const PAYMENT_INTENT_OBJECTS: readonly string[] = [
  "payment_intent",
  "paymentIntent",
  "checkout_payment_intent",
  "intent",
]

/** Names of the ids of other records: the execution, its session, its source, its accounts. */
const OTHER_IDS: readonly string[] = [
  "id",
  "execution_id",
  "session_id",
  "checkout_session_id",
  "source_id",
  "order_id",
  "invoice_id",
  "payment_account_id",
  "party_id",
  "counterparty_id",
  "provider_transaction_id",
]

/** All candidates in an answer. If it has any, an id that an admin types must be one of them. */
export function paymentIntentsIn(wire: Wire): readonly PaymentIntentId[] {
  const found = new Set(namedIn(wire))
  for (const [name, value] of Object.entries(wire)) {
    if (!isWire(value)) continue
    for (const id of namedIn(value)) found.add(id)
    const own = PAYMENT_INTENT_OBJECTS.includes(name) ? intentId(ownField(value, "id")) : undefined
    if (own !== undefined) found.add(own)
  }
  return [...found]
}

/** The payment intent's id. Undefined if the answer has none, several, or another record's. */
export function paymentIntentIn(wire: Wire): PaymentIntentId | undefined {
  const [id, ...others] = paymentIntentsIn(wire)
  if (id === undefined || others.length > 0) return undefined
  return OTHER_IDS.some((name) => intentId(ownField(wire, name)) === id) ? undefined : id
}

/** Whether a field or object of this name may hold the payment intent. */
export function mayHoldIntent(name: string): boolean {
  return [...PAYMENT_INTENT_FIELDS, ...PAYMENT_INTENT_OBJECTS].includes(name)
}

function namedIn(object: Wire): PaymentIntentId[] {
  return PAYMENT_INTENT_FIELDS.flatMap((name) => intentId(ownField(object, name)) ?? [])
}

/** A positive safe integer, or its digits. The card processor's ids have letters and are not taken. */
function intentId(value: unknown): PaymentIntentId | undefined {
  const isText = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value)
  const id = isText ? Number(value) : value
  const isId = typeof id === "number" && Number.isSafeInteger(id) && id > 0
  return isId ? idFrom<PaymentIntentId>(id) : undefined
}

function ownField(object: Wire, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
