/**
 * The fields that invoices and orders share (specification, "States and transitions"; contract, 4
 * and 5).
 *
 * `publish` and `cancel` are read by id and state alone, so that an odd field beside them does not
 * hide what became of the document. The other answers also need what identifies the document. A new
 * document without lines may lack the total; a total that is there is exact or the answer is not
 * read.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../../core/money"
import type { CleanText, ExactText, StateWord } from "../../../core/said/texts"
import type { Currency } from "../amounts"
import type { CounterpartyWithParty } from "../counterparties"
import { counterpartyFields } from "../counterparties"
import { itemFields, itemsIn, type DocumentItem } from "./document-items"
import { ENUMS, type DocumentStatus, type FeeBearer, type OwnerType } from "../enums"
import * as field from "../fields"
import type { CamelCased, GatewayTime, Wire } from "../reading"
import { currencyIn, isAbsent } from "../forms"
import { exactMoneyOf, Misfit, otherThanAsked, part, sameReference } from "../reading"
import { expectingRecord, expectingRecords } from "../unusual"

export type DocumentResponse = {
  readonly id: number
  readonly status: DocumentStatus
  /** The gateway's own number, such as `ORD-2026-00301`. Its form varies: never parse it. */
  readonly number?: ExactText
  readonly counterpartyId?: number
  readonly currency?: CurrencyCode
  /** The sum of the lines, before fees. */
  readonly total?: Money
  readonly note?: CleanText
  /** Open: an unknown value is kept. */
  readonly feeBearer?: FeeBearer | StateWord
  /** Whether it can be paid through a shared link. */
  readonly asPaymentLink?: boolean
  /** The merchant's own, free text. */
  readonly referenceId?: ExactText
  /** Set once it is paid. */
  readonly paidAt?: GatewayTime
  /** The merchant that the credential belongs to. */
  readonly ownerId?: number
  readonly ownerType?: OwnerType | StateWord
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
  readonly wire: Wire
}

/** A document without its lines, as `create`, `update` and lists return it. */
export type DocumentRecord = DocumentResponse & {
  readonly number: ExactText
  readonly counterpartyId: number
  readonly currency: CurrencyCode
}

/** A document with its lines and its counterparty, as `retrieve` returns it. */
export type DocumentDetail = DocumentRecord & {
  readonly total: Money
  /** Absent when the gateway did not say; that does not mean there are none. */
  readonly items?: readonly DocumentItem[]
  readonly counterparty?: CounterpartyWithParty
}

/** Fields of both kinds: id and state are required, the others may be missing. */
export const answerFields = {
  id: field.id,
  status: field.sourceStatus,
  counterparty_id: field.optionalId,
  currency: field.optionalCurrency,
  total_amount: field.fromWire,
  note: field.optionalText,
  fee_bearer: field.optionalWord(ENUMS.FeeBearer),
  as_payment_link: field.optionalFlag,
  reference_id: field.optionalExact,
  paid_at: field.optionalTime,
  owner_id: field.optionalId,
  owner_type: field.optionalWord(ENUMS.OwnerType),
  ...field.recordTimes,
}
export const recordFields = { ...answerFields, counterparty_id: field.id, currency: field.currency }
export const detailFields = {
  ...recordFields,
  // Only for display: a counterparty that can't be read is left out.
  counterparty: expectingRecord(
    part(counterpartyFields).catch(undefined),
    counterpartyFields.shape,
  ),
}
/** Schema of the lines; each kind names the field after itself. */
export const linesField = expectingRecords(z.array(itemFields).nullish(), itemFields.shape)

type AnswerFields = CamelCased<z.output<z.ZodObject<typeof answerFields>>>
type RecordFields = CamelCased<z.output<z.ZodObject<typeof recordFields>>>

/** What the answer has to be about. A field that was not asked for is not compared. */
export type Asked = {
  readonly id?: number | undefined
  readonly number?: string | undefined
  readonly counterpartyId?: number | undefined
  readonly currency?: Currency | undefined
  readonly referenceId?: string | null | undefined
}

/** The answer, or the misfit if it is not the one that was asked for. */
export function aboutAsked<Response extends DocumentResponse>(
  answer: Response | Misfit,
  asked: Asked,
  numberName: string,
): Response | Misfit {
  if (answer instanceof Misfit) return answer
  const { id, number, counterpartyId, currency, referenceId } = asked
  if (number !== undefined && answer.number !== number) return another(numberName)
  if (referenceId && answer.referenceId && !sameReference(answer.referenceId, referenceId)) {
    return another("reference_id")
  }
  return otherThanAsked(answer, { id, counterpartyId, currency }) ?? answer
}

const another = (path: string) => new Misfit(path, "another than asked for")

/** Takes every field that can be read and refuses none. */
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
  if (!currency) return new Misfit("currency", "no currency")
  if (!total && !isAbsent(wire["total_amount"])) return NOT_EXACT
  return { ...answer, number, currency }
}

type Contents = Pick<z.output<z.ZodObject<typeof detailFields>>, "counterparty"> & {
  readonly number: ExactText
  readonly lines: z.output<typeof linesField>
  /** The wire's name of the field of the lines, for the path of a misfit. */
  readonly linesName: string
}

export function detailOf<Fields extends RecordFields>(
  fields: Fields,
  { number, lines, linesName, counterparty }: Contents,
  wire: Wire,
) {
  const record = recordOf(fields, number, wire)
  if (record instanceof Misfit) return record
  const { total } = record
  if (!total) return NOT_EXACT
  const items = lines ? itemsIn(lines, linesName) : undefined
  if (items instanceof Misfit) return items
  return { ...record, total, items, counterparty }
}

const NOT_EXACT = new Misfit("total_amount", "no exact amount in its currency")
