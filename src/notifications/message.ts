/**
 * Makes the message of a notification when it is sent: whom the settings name by then, and what
 * the ledger and Medusa say by then. Nothing of it is stored by the plugin.
 */
import { methodCountries, methodLabels } from "../core/method-labels"
import { LIMITS } from "../core/limits"
import { majorText } from "../core/money"
import type { Operation } from "../core/operation"
import { payerHint } from "../core/payer-hint"
import { dayAfter, dayIn, startOfDay, UTC } from "../core/time-zone"
import { findById } from "../ledger/find-operations"
import { findRequest } from "../ledger/requests"
import { sumsOf } from "../core/movements"
import { readSlices } from "../reconciliation/sql/movements"
import type { Message, NotificationPorts } from "./deps"
import { choiceOf, isTrouble, templateOf, type NotificationKind } from "./rules/kinds"
import type { Locale } from "./rules/kinds"
import { EMAIL, FEED, type NotificationSettings } from "./rules/settings"
import { wordsOf, type SummaryFacts, type WordFacts } from "./rules/words"
import { summaryFacts } from "./schemas/stored-settings"
import { keyOf, stateOf, type Claimed } from "./sql/outbox"
import { isRefundOver } from "./sql/refund-over"
import { findTrouble } from "./sql/trouble"

/** `wait`: its facts are not there yet, in milliseconds. `drop`: there is nobody to tell. */
export type Made =
  | { readonly send: Message }
  | { readonly waitMs: number; readonly why: string }
  | { readonly drop: string }

type Reader = { readonly to: string; readonly locale: Locale; readonly timeZone: string }

export async function messageOf(
  deps: NotificationPorts,
  settings: NotificationSettings,
  claimed: Claimed,
): Promise<Made> {
  const { operationId, audience } = claimed
  const operation = operationId === null ? undefined : await findById(deps.database, operationId)
  const outdated = operation
    ? (outdatedBy(claimed, operation) ?? (await outdatedFailure(deps, claimed, operation)))
    : ((await outdatedRequest(deps, claimed)) ?? (await outdatedTrouble(deps, claimed)))
  if (outdated) return outdated
  const subject = operation && (await subjectOf(deps, operation))
  if (audience === "customer") {
    const wait = subject && waitOfCustomer(claimed, subject)
    if (wait !== undefined) return wait
  } else if (claimed.kind === "money_received" && subject && !subject.orderNumber) {
    const leftMs = LIMITS.notificationOrderWaitMs - claimed.ageMs
    if (leftMs > 0) return { waitMs: leftMs / 2, why: "order_not_made" }
  }
  const reader = await readerOf(deps, settings, claimed, subject)
  if (reader === null) return { drop: "no_address" }
  return { send: await composed(deps, claimed, reader, subject) }
}

/**
 * A message may wait for its channel for hours. What it says is compared with the ledger as it is
 * now: what is decided asks nobody, and news that something newer contradicts is not told.
 */
function outdatedBy({ kind, ageMs }: Claimed, operation: Operation): Made | undefined {
  const { state, nextCheckAt, returnedAt, takenBackAt } = operation
  const { reservedRefundMinor, refundedMinor, collected } = operation
  const isAllIn = (minor: bigint) => collected !== null && minor >= collected.minor
  const isGoingBack = isAllIn(reservedRefundMinor)
  const isBack = returnedAt !== null || takenBackAt !== null || isAllIn(refundedMinor)
  switch (kind) {
    case "decision_needed":
      if (state !== "review" || isBack || isGoingBack) return { drop: "decided" }
      // The account's rules may answer it by themselves, and have a check for that.
      return nextCheckAt !== null && ageMs < LIMITS.notificationRuleWaitMs
        ? { waitMs: LIMITS.notifyEveryMs, why: "rule_may_answer" }
        : undefined
    case "customer_paid":
      if (!isBack && !isGoingBack) return undefined
      // A refund that is under way may fail, and the money stays.
      return isBack || ageMs >= LIMITS.notificationRefundWaitMs
        ? { drop: "given_back" }
        : { waitMs: waitMs(ageMs), why: "refund_under_way" }
    case "customer_taken_back":
      // The gateway agrees again that it is paid.
      return takenBackAt === null ? { drop: "not_taken_back" } : undefined
    case "customer_refunded":
    case "refund_arrived":
    case "payout_done":
      return state === "completed" ? undefined : { drop: "not_completed" }
    case "refund_failed":
    case "payout_failed":
      return state === "completed" ? { drop: "completed" } : undefined
    default:
      return undefined
  }
}

/** A request that was approved, refused, withdrawn or grew old meanwhile asks nobody. */
async function outdatedRequest(
  { database }: NotificationPorts,
  { kind, facts }: Claimed,
): Promise<Made | undefined> {
  if (kind !== "request_waiting") return undefined
  const request = await findRequest(database, String(facts["request_id"]))
  return request?.state === "waiting" ? undefined : { drop: "decided" }
}

/** A failed refund that was made again, or that an admin has dismissed, asks nobody any more. */
async function outdatedFailure(
  { database }: NotificationPorts,
  { kind }: Claimed,
  { id }: Operation,
): Promise<Made | undefined> {
  const isOver = kind === "refund_failed" && (await isRefundOver(database, id))
  return isOver ? { drop: "decided" } : undefined
}

/**
 * A trouble that is over is not told, nor its end to those who never heard of it: while a channel
 * was down both have waited.
 */
async function outdatedTrouble(
  { database }: NotificationPorts,
  claimed: Claimed,
): Promise<Made | undefined> {
  const { kind, eventId, occurredAt, recipientId, channel } = claimed
  const about = `:${occurredAt.toISOString()}:`
  const begun = choiceOf(kind)
  if (!isTrouble(begun) || !eventId.endsWith(about + kind)) return undefined
  const subject = eventId.slice(0, -`${about}${kind}`.length)
  if (kind === begun) {
    const since = await findTrouble(database, subject)
    return since?.getTime() === occurredAt.getTime() ? undefined : { drop: "over" }
  }
  const key = keyOf({ eventId: subject + about + begun, recipientId, channel })
  const told = await stateOf(database, key)
  if (told === "waiting") return { waitMs: LIMITS.notifyEveryMs, why: "beginning_not_told" }
  return told === "dropped" ? { drop: "never_told" } : undefined
}

/** An operation, and the purchase that it belongs to: of a refund, its payment's. */
type Subject = {
  readonly operation: Operation
  readonly purchase: Operation
  readonly orderNumber: string | null
  readonly email: string | null
}

async function subjectOf(deps: NotificationPorts, operation: Operation): Promise<Subject> {
  const parent = operation.parentId && (await findById(deps.database, operation.parentId))
  const purchase = parent || operation
  const { cartId, orderId } = purchase
  const contact =
    cartId === null && orderId === null ? undefined : await deps.medusa.contact({ cartId, orderId })
  return {
    operation,
    purchase,
    orderNumber: contact?.orderNumber ?? null,
    email: contact?.email ?? null,
  }
}

/** A customer is told of an order that Medusa has recorded as paid, not of money on its way there. */
function waitOfCustomer({ kind, ageMs }: Claimed, subject: Subject): Made | undefined {
  const { operation, orderNumber } = subject
  const isRecorded = orderNumber !== null && operation.recordedAt !== null
  const isThere = kind === "customer_paid" ? isRecorded : orderNumber !== null
  if (isThere) return undefined
  if (ageMs >= LIMITS.notificationGivenUpMs) return { drop: "order_not_made" }
  return { waitMs: waitMs(ageMs), why: "order_not_made" }
}

/** What has waited for long is looked at more rarely. */
const waitMs = (ageMs: number): number => Math.max(LIMITS.notifyEveryMs, ageMs / 4)

async function readerOf(
  { medusa }: NotificationPorts,
  { recipients, customers }: NotificationSettings,
  { audience, recipientId, channel }: Claimed,
  subject: Subject | undefined,
): Promise<Reader | null> {
  if (audience === "merchant") {
    const one = recipients.find(({ id }) => id === recipientId)
    if (!one || one.channel !== channel) return null
    const timeZone = one.schedule.mode === "daily" ? one.schedule.time_zone : UTC
    return { to: one.address ?? "", locale: one.locale, timeZone }
  }
  const { orderId } = subject?.purchase ?? { orderId: null }
  const basket =
    channel === EMAIL || orderId === null ? undefined : await medusa.basketOfOrder(orderId)
  const to = channel === EMAIL ? subject?.email : basket?.phone
  return to ? { to, locale: customers.locale, timeZone: UTC } : null
}

async function composed(
  deps: NotificationPorts,
  claimed: Claimed,
  reader: Reader,
  subject: Subject | undefined,
): Promise<Message> {
  const { kind, channel, key, facts, operationId } = claimed
  const shop = await deps.notifier.shopName()
  const receiptUrl =
    claimed.audience === "customer"
      ? await deps.receiptUrl(subject?.purchase.orderId ?? null)
      : null
  const summary = kind === "summary" ? await summaryOf(deps, facts, reader.timeZone) : undefined
  const known: WordFacts = {
    ...factsOf(subject, facts),
    operator: await operatorOf(deps, claimed, subject, reader.locale),
    ...(summary ? { summary } : {}),
    shop,
    receiptUrl,
  }
  const words = wordsOf(kind, { locale: reader.locale, channel }, known)
  return {
    key,
    channel,
    to: reader.to,
    template: channel === FEED ? "admin-ui" : templateOf(kind),
    ...words,
    operationId,
    data: {
      kind,
      notification_id: key,
      event_id: claimed.eventId,
      locale: reader.locale,
      shop,
      receipt_url: receiptUrl,
      ...dataOf(kind, claimed, subject),
      ...(summary ? { summary } : {}),
      subject: words.subject,
      text: words.text,
      // Medusa's admin shows these two.
      ...(channel === FEED ? { title: words.subject, description: words.text } : {}),
    },
  }
}

function factsOf(subject: Subject | undefined, facts: Claimed["facts"]): WordFacts {
  const number = (name: string) => {
    const fact = facts[name]
    return typeof fact === "number" ? { [name]: fact } : {}
  }
  const account = facts["account"]
  return {
    money: subject ? moneyOf(subject.operation) : moneyIn(facts),
    orderNumber: subject?.orderNumber ?? null,
    account: typeof account === "string" ? account : null,
    phoneEnd: subject ? payerHint(subject.operation) : null,
    isQuiet: facts["reason"] === "quiet",
    ...number("failed"),
    ...number("ended"),
    ...number("minutes"),
  }
}

/**
 * The operator by the accounts' own names; else the gateway's name. One in trouble is named with its
 * country: an operator of two countries may have one name in both, and trouble in one.
 */
async function operatorOf(
  deps: NotificationPorts,
  { facts }: Claimed,
  subject: Subject | undefined,
  locale: Locale,
): Promise<string | null> {
  const inTrouble = facts["operator"]
  const told = typeof inTrouble === "string" ? inTrouble : null
  const method = subject?.operation.paymentMethod ?? told
  if (method === null) return null
  const accounts = await deps.accounts()
  const label = methodLabels(accounts)(method) ?? method
  const country = subject ? null : methodCountries(accounts)(method)
  if (country === null) return label
  return `${label} (${new Intl.DisplayNames(locale, { type: "region" }).of(country)})`
}

/** What moved: of a payment what was collected, which may be more or less than was asked for. */
const moneyOf = ({ collected, amount }: Operation) => {
  const money = collected ?? amount
  return { amount: majorText(money), currency: money.currency }
}

/** Of a request, which has no operation yet; one to change an account has no amount. */
function moneyIn({ amount, currency }: Claimed["facts"]): WordFacts["money"] {
  return typeof amount === "string" && typeof currency === "string" ? { amount, currency } : null
}

function dataOf(kind: NotificationKind, { facts }: Claimed, subject: Subject | undefined) {
  if (!subject) return { ...facts }
  const { operation, purchase, orderNumber } = subject
  return {
    ...facts,
    ...moneyOf(operation),
    operation_id: operation.id,
    operation_type: operation.type,
    parent_id: operation.parentId,
    order_id: purchase.orderId,
    order_number: orderNumber,
    payment_method: operation.paymentMethod,
    phone_end: payerHint(operation),
    ...(kind === "money_received" ? { is_recorded: operation.recordedAt !== null } : {}),
  }
}

/** Whole days of the reader's time zone: those of the events that the summary was made of. */
async function summaryOf(
  { database }: NotificationPorts,
  facts: Claimed["facts"],
  timeZone: string,
): Promise<SummaryFacts> {
  const { counts, ...time } = summaryFacts.parse(facts)
  const firstDay = dayIn(timeZone, new Date(time.from))
  const lastDay = dayIn(timeZone, new Date(time.to))
  const from = startOfDay(timeZone, firstDay)
  const until = startOfDay(timeZone, dayAfter(lastDay))
  const sums = sumsOf(await readSlices(database, [from, until]))
  return { firstDay, lastDay, counts, sums }
}
