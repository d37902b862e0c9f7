/**
 * What invoices and orders share: one lifecycle, one set of fields, the same calls under other
 * paths (specification, "States and transitions"; contract, 4 and 5). `invoices.ts` and `orders.ts`
 * add the words in which they differ.
 *
 * `publish` and `cancel` are read by id and state alone, so that an odd field beside them does not
 * hide what became of the document. The other answers also need what identifies the document. A new
 * document without lines may lack the total; a total that is there is exact or the answer is not
 * read.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../../core/money"
import { parseCurrency } from "../../../core/money"
import type { Currency } from "../amounts"
import type { CounterpartyWithParty } from "../counterparties"
import { counterpartyFields, counterpartyWithParty } from "../counterparties"
import type { DocumentItem } from "./document-items"
import { itemFields, itemsIn } from "./document-items"
import type { DocumentStatus, FeeBearer, OwnerType } from "../enums"
import type { Wire } from "../fields"
import {
  amountField,
  exactMoneyOf,
  idField,
  Misfit,
  optionalFlag,
  optionalId,
  optionalText,
  readLater,
  sameReference,
  statusField,
  textField,
} from "../fields"

export type DocumentResponse = {
  readonly id: number
  readonly status: DocumentStatus
  /** The gateway's own number, such as `ORD-2026-00301`. Its form varies: never parse it. */
  readonly number?: string
  readonly counterpartyId?: number
  readonly currency?: CurrencyCode
  /** The sum of the lines, before fees. */
  readonly total?: Money
  readonly note?: string
  /** Open: an unknown value is kept. */
  readonly feeBearer?: FeeBearer | (string & {})
  /** Whether it can be paid through a shared link. */
  readonly asPaymentLink?: boolean
  /** The merchant's own, free text. */
  readonly referenceId?: string
  /** ISO 8601, as the gateway wrote it. Set once it is paid. */
  readonly paidAt?: string
  /** The merchant that the credential belongs to. */
  readonly ownerId?: number
  readonly ownerType?: OwnerType | (string & {})
  /** ISO 8601, as the gateway wrote it. */
  readonly createdAt?: string
  /** ISO 8601, as the gateway wrote it. */
  readonly updatedAt?: string
  readonly wire: Wire
}

/** A document without its lines, as `create`, `update` and lists return it. */
export type DocumentRecord = DocumentResponse & {
  readonly number: string
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
  id: idField,
  status: statusField,
  counterparty_id: optionalId,
  currency: optionalText,
  total_amount: readLater,
  note: optionalText,
  fee_bearer: optionalText,
  as_payment_link: optionalFlag,
  reference_id: optionalText,
  paid_at: optionalText,
  owner_id: optionalId,
  owner_type: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
}
export const recordFields = { ...answerFields, counterparty_id: idField, currency: textField }
export const detailFields = {
  ...recordFields,
  total_amount: amountField,
  // Only for display: a counterparty that can't be read is left out.
  counterparty: counterpartyFields.nullish().catch(undefined),
}
/** Schema of the lines; each kind names the field after itself. */
export const linesField = z.array(itemFields).nullish()

type AnswerFields = z.output<z.ZodObject<typeof answerFields>>
type RecordFields = z.output<z.ZodObject<typeof recordFields>>
type DetailFields = z.output<z.ZodObject<typeof detailFields>>
type Lines = z.output<typeof linesField>

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
  if (id !== undefined && answer.id !== id) return another("id")
  if (number !== undefined && answer.number !== number) return another(numberName)
  if (counterpartyId !== undefined && answer.counterpartyId !== counterpartyId) {
    return another("counterparty_id")
  }
  if (currency !== undefined && answer.currency !== currency) return another("currency")
  if (referenceId && answer.referenceId && !sameReference(answer.referenceId, referenceId)) {
    return another("reference_id")
  }
  return answer
}

const another = (path: string) => new Misfit(path, "another document than asked for")

/** Takes every field that can be read and refuses none. */
export function answerOf(
  fields: AnswerFields,
  number: string | undefined,
  wire: Wire,
): DocumentResponse {
  return {
    id: fields.id,
    status: fields.status,
    number,
    counterpartyId: fields.counterparty_id,
    currency: parseCurrency(fields.currency),
    total: exactMoneyOf(fields.total_amount, fields.currency),
    note: fields.note,
    feeBearer: fields.fee_bearer,
    asPaymentLink: fields.as_payment_link,
    referenceId: fields.reference_id,
    paidAt: fields.paid_at,
    ownerId: fields.owner_id,
    ownerType: fields.owner_type,
    createdAt: fields.created_at,
    updatedAt: fields.updated_at,
    wire,
  }
}

export function recordOf(
  fields: RecordFields,
  number: string,
  wire: Wire,
): DocumentRecord | Misfit {
  const currency = parseCurrency(fields.currency)
  if (!currency) return new Misfit("currency", "no currency")
  const answer = answerOf(fields, number, wire)
  const isMissing = fields.total_amount === undefined || fields.total_amount === null
  if (!answer.total && !isMissing) return NOT_EXACT
  return { ...answer, number, counterpartyId: fields.counterparty_id, currency }
}

/** @param linesName the wire's name of the field of the lines, for the path of a misfit */
export function detailOf(
  fields: DetailFields,
  number: string,
  lines: Lines,
  linesName: string,
  wire: Wire,
): DocumentDetail | Misfit {
  const record = recordOf(fields, number, wire)
  if (record instanceof Misfit) return record
  const { total } = record
  if (!total) return NOT_EXACT
  const items = lines ? itemsIn(lines, linesName) : undefined
  if (items instanceof Misfit) return items
  const { counterparty } = fields
  return {
    ...record,
    total,
    items,
    counterparty: counterparty ? counterpartyWithParty(counterparty) : undefined,
  }
}

const NOT_EXACT = new Misfit("total_amount", "no exact amount in its currency")
