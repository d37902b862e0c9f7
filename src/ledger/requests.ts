/**
 * What one admin asks for and another approves: payouts, transfers, refunds and changes of
 * accounts. A request has an id, and approving names it. It is used once: its operation is drafted
 * by the statement that uses it. A draft that ended before anything could be sent leaves it waiting.
 * Rows of the version before have no `kind`. They are read, and that version finds none of these.
 */
import { randomUUID } from "node:crypto"
import type { AdminId, OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import { accountProposal, type AccountProposal } from "../core/schemas/stored-account"
import { sealed, type Sealed } from "../core/schemas/stored"
import { momentIn, type Database, type Row } from "./database"
import { json, text, textOrNull } from "./operation-row"
import { requestDetails, type RequestDetails } from "./schemas/stored-request"

/**
 * SQL about the shop's users, for statements that use a request. Reading them before would leave a
 * moment in which a deleted admin still counts. Arguments are SQL expressions for a user's id.
 */
export type People = {
  /** A query for the ids of all users that exist, as `id`. */
  readonly all: string
  /** A condition: the user exists, and may do what the request is about. */
  may(userId: string, kind: RequestKind): string
  /** A text that changes with the user's address; null: there is no such user. */
  markOf(userId: string): string
}

export const REQUEST_KINDS = ["PAYOUT", "TRANSFER", "REFUND", "ACCOUNT"] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** `closed`: who asked is no admin any more, has another address, or lost the right to ask. */
export const REQUEST_STATES = [
  "waiting",
  "approved",
  "refused",
  "withdrawn",
  "aged",
  "closed",
] as const
type RequestState = (typeof REQUEST_STATES)[number]

export type AskedRequest = {
  readonly id: string
  readonly kind: RequestKind
  /** Exactly what is asked for, without a secret or a phone number: equal requests are equal. */
  readonly subject: string
  readonly askedBy: AdminId
  /** The caller's idempotency key; null: what is asked for has none. */
  readonly key: string | null
  readonly details: RequestDetails
  readonly sealed: Sealed | null
  readonly note: string | null
  /** A change of an account; what else is asked for has none. */
  readonly proposal?: AccountProposal | undefined
}

export type TwoAdminRequest = {
  readonly id: string
  /** Null: noted by the version before; it can't be approved, and its asker asks again. */
  readonly kind: RequestKind | null
  readonly state: RequestState
  readonly subject: string
  readonly askedBy: AdminId
  readonly askedAt: Date
  /** Until then it can be approved. */
  readonly endsAt: Date
  readonly note: string | null
  readonly keys: readonly string[]
  readonly details: RequestDetails
  readonly sealed: Sealed | null
  readonly proposal: AccountProposal | null
  readonly operationId: OperationId | null
  readonly approvedBy: AdminId | null
  readonly approvedAt: Date | null
  readonly refusedBy: AdminId | null
  /** What the other admin wrote with the answer. */
  readonly answer: string | null
}

export type RequestOfKind = TwoAdminRequest & { readonly kind: RequestKind }

export const newRequestId = () => `mpappr_${randomUUID().replaceAll("-", "")}`

/** What seals a request's secrets to it. */
export const sealedForRequest = (id: string) => `request ${id}`

const AGE = `interval '${LIMITS.secondAdminWithinMs} ms'`

/**
 * Whether the draft `a` led to ended before anything could be sent. It asks for the ended draft, and
 * not for the lack of a live one: a statement that waited for the row sees the row anew, but not an
 * operation that was inserted meanwhile.
 */
const IS_UNUSED = `(a.operation_id is null or exists (
  select from mp_operation o
   where o.id = a.operation_id and o.state = 'expired' and o.reference is null))`

export const IS_OPEN = `a.closed_at is null and a.asked_at > now() - ${AGE} and ${IS_UNUSED}`

/** Whether the admin who asked is still the same person, and may still ask. */
const askerCounts = (people: People, kind: string) => `
  (${kinds((one) => `${kind} = '${one}' and ${people.may("a.asked_by", one)}`)})
  and (a.asked_as is null or a.asked_as = ${people.markOf("a.asked_by")})`

const KINDS: readonly RequestKind[] = ["PAYOUT", "TRANSFER", "REFUND", "ACCOUNT"]
export const kinds = (of: (kind: RequestKind) => string) =>
  KINDS.map((kind) => `(${of(kind)})`).join(" or ")

/**
 * SQL of the request that a statement uses, locked, or nothing: it waits, another person asked for
 * it, and both are still admins with the right to it.
 */
export const requestUsed = (people: People, kind: RequestKind, id: string, adminId: string) => `
  select a.id from mp_approval a
   where a.id = ${id} and a.kind = '${kind}' and ${IS_OPEN} and a.asked_by <> ${adminId}
     and ${people.may(adminId, kind)} and ${askerCounts(people, "a.kind")}
     for update of a`

/** SQL that notes what a request became. @param from the operation as `id`, drafted just now */
export const requestBecame = (id: string, adminId: string, answer: string, from: string) => `
  update mp_approval a
     set approved_by = ${adminId}, approved_at = now(), operation_id = ${from}.id,
         answer = ${answer}, open_subject = null
    from ${from} where a.id = ${id}`

/** A request as the statement that carries it out uses it. */
export type RequestUse = {
  readonly id: string
  readonly approvedBy: AdminId
  /** What the approving admin wrote. */
  readonly answer: string | null
}

/**
 * SQL by which a change is written only if it uses the request that it carries out, or needs none.
 * The request's id, the approving admin and the answer are bound from the parameter `$first` on.
 */
export function requestOfChange(people: People, first: number) {
  const [id, adminId, answer] = [0, 1, 2].map((next) => `$${first + next}::text`) as [
    string,
    string,
    string,
  ]
  return {
    found: `request as materialized (${requestUsed(people, "ACCOUNT", id, adminId)})`,
    holds: `(${id} is null or exists (select from request))`,
    used: (from: string) => `used as (
    update mp_approval a
       set approved_by = ${adminId}, approved_at = now(), closed_at = now(), answer = ${answer},
           open_subject = null, sealed = null
      from ${from} where a.id = ${id})`,
  }
}

/** SQL that notes a request; its values are bound from the parameter `$first` on. */
export function requestInsert(people: People, first: number, from: string): string {
  const given = Array.from({ length: 9 }, (_, index) => `$${first + index}`)
  const [id, kind, subject, askedBy, key, details, sealed, note, proposal] = given
  return `insert into mp_approval
      (id, kind, subject, open_subject, asked_by, asked_as, keys, details, sealed, note, proposal)
    select ${id}::text, ${kind}::text, ${subject}::text, ${subject}::text, ${askedBy}::text,
           ${people.markOf(`${askedBy}::text`)},
           case when ${key}::text is null then '{}'::text[] else array[${key}::text] end,
           ${details}::jsonb, ${sealed}::jsonb, ${note}::text, ${proposal}::jsonb ${from}
    on conflict do nothing
    returning id`
}

/** In the order of {@link requestInsert}. */
export function requestValues(asked: AskedRequest): unknown[] {
  const { id, kind, subject, askedBy, key, details, sealed, note, proposal } = asked
  const json = (value: unknown) => (value == null ? null : JSON.stringify(value))
  return [id, kind, subject, askedBy, key, json(details), json(sealed), note, json(proposal)]
}

/**
 * The request for the same that waits already is given the key as well, so that the key leads to
 * what becomes of it. What lies there and can't be approved any more makes room for a new one.
 */
const JOIN = `
  with waiting as materialized (
    select a.id from mp_approval a where a.subject = $1 and a.kind is not null and ${IS_OPEN}
     order by a.asked_at limit 1
  ), freed as (
    update mp_approval a set open_subject = null
     where a.open_subject = $1 and not (${IS_OPEN})
  )
  update mp_approval a
     set keys = case when $2::text is null or a.keys @> array[$2::text] then a.keys
                     else a.keys || $2::text end
    from waiting where a.id = waiting.id and ${IS_OPEN}
  returning a.id, a.keys`

/** @returns the request for the same that waits; the key, if there is one, then stands for it */
export async function joinWaiting(
  database: Database,
  subject: string,
  key: string | null,
): Promise<Pick<TwoAdminRequest, "id" | "keys"> | undefined> {
  const [row] = await database.query(JOIN, [subject, key])
  return row && { id: text(row, "id"), keys: row["keys"] as readonly string[] }
}

export const REQUEST_COLUMNS = `a.*, a.asked_at + ${AGE} as ends_at,
  case when a.refused_by is not null and a.refused_by = a.asked_by then 'withdrawn'
       when a.refused_by is not null then 'refused'
       when not ${IS_UNUSED} then 'approved'
       when a.kind = 'ACCOUNT' and a.approved_at is not null then 'approved'
       when a.closed_at is not null then 'closed'
       when ${IS_OPEN} then 'waiting'
       else 'aged' end as request_state`

const BY_ID = `select ${REQUEST_COLUMNS} from mp_approval a where a.id = $1`
const BY_KEY = `select ${REQUEST_COLUMNS} from mp_approval a where a.keys @> array[$1::text]
  order by a.asked_at limit 1`
const BY_OPERATIONS = `select ${REQUEST_COLUMNS} from mp_approval a where a.operation_id = any ($1)`

export const findRequest = (database: Database, id: string) => one(database, BY_ID, id)
/** The request that the caller's key stands for, whatever became of it. */
export const findRequestByKey = (database: Database, key: string) => one(database, BY_KEY, key)
/** The requests that operations came from, by the operation's id. */
export async function findRequestsOf(
  database: Database,
  operationIds: readonly OperationId[],
): Promise<ReadonlyMap<OperationId, TwoAdminRequest>> {
  const rows = await database.query(BY_OPERATIONS, [operationIds])
  const requests = rows.map(requestFrom)
  return new Map(requests.flatMap((one) => (one.operationId ? [[one.operationId, one]] : [])))
}

async function one(
  database: Database,
  sql: string,
  value: string,
): Promise<TwoAdminRequest | undefined> {
  const [row] = await database.query(sql, [value])
  return row && requestFrom(row)
}

/** Closes what was asked for by those who count no more: they don't count again if they return. */
export async function closeForsaken(database: Database, people: People): Promise<void> {
  const sql = `update mp_approval a set closed_at = now(), open_subject = null, sealed = null
    where a.kind is not null and ${IS_OPEN} and not (${askerCounts(people, "a.kind")})`
  await database.query(sql, [])
}

/** It waits. A change of an account that was removed meanwhile waits for nobody. */
export const IS_WAITING = `${IS_OPEN} and (
  a.kind <> 'ACCOUNT' or a.proposal ->> 'name' = 'created' or exists (
    select from mp_account of
     where of.id = a.proposal ->> 'accountId' and of.deleted_at is null))`

/** The requests that wait, newest first. @param id of one request; absent: all of these kinds */
export async function listWaiting(
  database: Database,
  people: People,
  kindsShown: readonly RequestKind[],
  id?: string,
): Promise<readonly TwoAdminRequest[]> {
  await closeForsaken(database, people)
  const sql = `select ${REQUEST_COLUMNS} from mp_approval a
    where a.kind = any ($1) and ($2::text is null or a.id = $2) and ${IS_WAITING}
    order by a.asked_at desc, a.id limit ${LIMITS.eventsShownMax}`
  return (await database.query(sql, [kindsShown, id ?? null])).map(requestFrom)
}

/** @throws Refusal `request_not_found` */
export async function requestOfKind(
  database: Database,
  id: string,
  kindsAsked: readonly RequestKind[],
): Promise<RequestOfKind> {
  const found = await findRequest(database, id)
  const kind = kindsAsked.find((one) => one === found?.kind)
  if (!found || kind === undefined) throw refusal("request_not_found")
  return { ...found, kind }
}

/** Why a request can't be used any more. */
export function endedRefusal({ id, state, operationId }: TwoAdminRequest) {
  const ended = { request_id: id, state, ended: state !== "waiting" && state !== "approved" }
  const key = state === "waiting" ? "request_ended.people" : (`request_ended.${state}` as const)
  return refusal(key, {}, { ...ended, ...(operationId !== null && { operation_id: operationId }) })
}

/**
 * Whether these two may agree now. The statement that uses the request decides; this says why not.
 *
 * @throws Refusal `request_ended`
 */
export async function assertUsable(
  database: Database,
  people: People,
  request: RequestOfKind,
  adminId: AdminId,
): Promise<void> {
  const sql = requestUsed(people, request.kind, "$1::text", "$2::text")
  if ((await database.query(sql, [request.id, adminId])).length > 0) return
  const now = await findRequest(database, request.id)
  if (now?.state !== "approved") throw endedRefusal(now ?? request)
}

/**
 * What is done already: approved within a day, and not undone by a proven end of its operation. A
 * second click of the admin who approved, or a late one of the asker, is for the same.
 */
export const doneBefore = (subject: string, key: string) => `
  a.subject = ${subject} and a.kind is not null and a.approved_at > now() - ${AGE}
  and (${key}::text is null or a.keys @> array[${key}::text])
  and (a.kind = 'ACCOUNT' or exists (
    select from mp_operation o
     where o.id = a.operation_id and o.state not in ('failed', 'expired')))`

/** @param key as in {@link doneBefore} */
export async function findDone(
  database: Database,
  subject: string,
  key: string | null,
): Promise<TwoAdminRequest | undefined> {
  const sql = `select ${REQUEST_COLUMNS} from mp_approval a where ${doneBefore("$1", "$2")} limit 1`
  const [row] = await database.query(sql, [subject, key])
  return row && requestFrom(row)
}

/** Its secrets are needed no more once the money is on its way. */
export async function forgetSealed(database: Database, id: string): Promise<void> {
  const sql = `update mp_approval a set sealed = null where a.id = $1 and not (${IS_OPEN})`
  await database.query(sql, [id])
}

export function requestFrom(row: Row): TwoAdminRequest {
  const isApproved = row["request_state"] === "approved"
  return {
    id: text(row, "id"),
    kind: textOrNull<RequestKind>(row, "kind"),
    state: text<RequestState>(row, "request_state"),
    subject: text(row, "subject"),
    askedBy: text(row, "asked_by"),
    askedAt: momentIn(row["asked_at"]),
    endsAt: momentIn(row["ends_at"]),
    note: textOrNull(row, "note"),
    keys: row["keys"] as readonly string[],
    details: json(row, "details", requestDetails.nullable()) ?? {},
    sealed: json(row, "sealed", sealed.nullable()),
    proposal: json(row, "proposal", accountProposal.nullable()),
    operationId: textOrNull(row, "operation_id"),
    approvedBy: isApproved ? textOrNull(row, "approved_by") : null,
    approvedAt: isApproved ? momentIn(row["approved_at"]) : null,
    refusedBy: textOrNull(row, "refused_by"),
    answer: textOrNull(row, "answer"),
  }
}
