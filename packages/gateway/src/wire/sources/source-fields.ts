/**
 * The fields that invoices and orders share (specification, "States and transitions"; contract, 4
 * and 5).
 *
 * The answers to `publish` and `cancel` need only id and state, so that an odd other field does not
 * hide what became of the source. The other answers also need number, counterparty and currency. A
 * new source without lines may lack the total. If a total is there but not exact, the answer is not
 * read.
 */
import { z } from "zod"
import type { CounterpartyId, MerchantId, SourceId } from "../../terms/ids"
import type { CurrencyCode, Money } from "../../terms/money"
import type { CleanText, ExactText, StateWord } from "../../terms/texts"
import type { Currency } from "../amounts"
import type { CounterpartyWithParty } from "../counterparties"
import { counterpartyFields } from "../counterparties"
import { itemFields, itemsIn, type SourceItem } from "./source-items"
import { ENUMS, type DocumentStatus, type FeeBearer, type OwnerType } from "../enums"
import * as field from "../fields"
import type { CamelCased, GatewayTime, Wire } from "../reading"
import { currencyIn, isAbsent } from "../forms"
import { exactMoneyOf, UnusableField, otherThanAsked, part, sameReference } from "../reading"
import { expectingRecord, expectingRecords } from "../unusual"

export type SourceResponse = {
  readonly id: SourceId
  readonly status: DocumentStatus
  /** The gateway's own number, such as `ORD-2026-00301`. The form varies, so never parse it. */
  readonly number?: ExactText
  readonly counterpartyId?: CounterpartyId
  readonly currency?: CurrencyCode
  /** The sum of the lines, before fees. */
  readonly total?: Money
  readonly note?: CleanText
  /** Who pays the fees. Open: an unknown value is kept. */
  readonly feeBearer?: FeeBearer | StateWord
  /** Whether the source can be paid through a shared link. */
  readonly asPaymentLink?: boolean
  /** The merchant's own text for the source. */
  readonly referenceId?: ExactText
  /** When the source was paid; undefined before. */
  readonly paidAt?: GatewayTime
  /** The merchant that the credential belongs to. */
  readonly ownerId?: MerchantId
  readonly ownerType?: OwnerType | StateWord
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
  readonly wire: Wire
}

/** An invoice or order without its lines, as `create`, `update` and lists return it. */
export type SourceRecord = SourceResponse & {
  readonly number: ExactText
  readonly counterpartyId: CounterpartyId
  readonly currency: CurrencyCode
}

/** An invoice or order with its lines and its counterparty, as `retrieve` returns it. */
export type SourceDetail = SourceRecord & {
  readonly total: Money
  /** The lines. Undefined if the answer has no such field; there may still be lines. */
  readonly items?: readonly SourceItem[]
  readonly counterparty?: CounterpartyWithParty
}

/** Fields of invoices and orders: id and state are required, the others may be missing. */
export const answerFields = {
  id: field.idOf<SourceId>(),
  status: field.sourceStatus,
  counterparty_id: field.optionalIdOf<CounterpartyId>(),
  currency: field.optionalCurrency,
  total_amount: field.fromWire,
  note: field.optionalText,
  fee_bearer: field.optionalWord(ENUMS.FeeBearer),
  as_payment_link: field.optionalFlag,
  reference_id: field.optionalExact,
  paid_at: field.optionalTime,
  owner_id: field.optionalIdOf<MerchantId>(),
  owner_type: field.optionalWord(ENUMS.OwnerType),
  ...field.recordTimes,
}
export const recordFields = {
  ...answerFields,
  counterparty_id: field.idOf<CounterpartyId>(),
  currency: field.currency,
}
export const detailFields = {
  ...recordFields,
  // The counterparty is only displayed, so one that can't be read is left out.
  counterparty: expectingRecord(
    part(counterpartyFields).catch(undefined),
    counterpartyFields.shape,
  ),
}
/** The schema of the lines. The wire calls the field `invoice_items` or `order_items`. */
export const linesField = expectingRecords(z.array(itemFields).nullish(), itemFields.shape)

type AnswerFields = CamelCased<z.output<z.ZodObject<typeof answerFields>>>
type RecordFields = CamelCased<z.output<z.ZodObject<typeof recordFields>>>

/** Fields of the request that the answer must repeat. An absent field is not compared. */
export type Asked = {
  readonly id?: number | undefined
  readonly number?: string | undefined
  readonly counterpartyId?: number | undefined
  readonly currency?: Currency | undefined
  readonly referenceId?: string | null | undefined
}

/** The answer, or its unusable field if it is about another invoice or order than asked for. */
export function aboutAsked<Response extends SourceResponse>(
  answer: Response | UnusableField,
  asked: Asked,
  numberName: string,
): Response | UnusableField {
  if (answer instanceof UnusableField) return answer
  const { id, number, counterpartyId, currency, referenceId } = asked
  if (number !== undefined && answer.number !== number) return another(numberName)
  if (referenceId && answer.referenceId && !sameReference(answer.referenceId, referenceId)) {
    return another("reference_id")
  }
  return otherThanAsked(answer, { id, counterpartyId, currency }) ?? answer
}

const another = (path: string) => new UnusableField(path, "another than asked for")

/** Makes an answer of all readable fields; an unreadable total or currency is left out. */
export function answerOf<Fields extends AnswerFields>(
  fields: Fields,
  number: ExactText | undefined,
  wire: Wire,
) {
  const currency = currencyIn(fields.currency)
  return { ...fields, number, currency, total: exactMoneyOf(wire["total_amount"], currency), wire }
}

export function recordOf<Fields extends RecordFields>(
  fields: Fields,
  number: ExactText,
  wire: Wire,
) {
  const answer = answerOf(fields, number, wire)
  const { currency, total } = answer
  if (!currency) return new UnusableField("currency", "no currency")
  if (!total && !isAbsent(wire["total_amount"])) return NOT_EXACT
  return { ...answer, number, currency }
}

type Contents = Pick<z.output<z.ZodObject<typeof detailFields>>, "counterparty"> & {
  readonly number: ExactText
  readonly lines: z.output<typeof linesField>
  /** The wire's name of the field of lines, used in the path of an unusable one. */
  readonly linesName: string
}

export function detailOf<Fields extends RecordFields>(
  fields: Fields,
  { number, lines, linesName, counterparty }: Contents,
  wire: Wire,
) {
  const record = recordOf(fields, number, wire)
  if (record instanceof UnusableField) return record
  const { total } = record
  if (!total) return NOT_EXACT
  const items = lines ? itemsIn(lines, linesName) : undefined
  if (items instanceof UnusableField) return items
  return { ...record, total, items, counterparty }
}

const NOT_EXACT = new UnusableField("total_amount", "no exact amount in its currency")
