/**
 * What one admin asks for and another approves: payouts, transfers, refunds and changes of
 * accounts. A request has an id, and approving names it. It is used once: its operation is drafted
 * by the statement that uses it. A draft that ended before anything could be sent leaves it waiting.
 * Rows of the version before have no `kind`. They are read, and that version finds none of these.
 */
import { randomUUID } from "node:crypto"
import type { AccountProposal } from "../core/account"
import { isPerson } from "../core/account-policies"
import type { AccountId, AdminId, CounterpartyId, OperationId, WalletId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { refusal, type Refusal } from "../core/refusal"
import type { Sealed } from "../core/secret-box"
import { momentIn, type Database, type Row } from "./database"
import { text, textOrNull } from "./operation-row"

/**
 * SQL about the shop's users, for statements that use a request. Reading them before would leave a
 * moment in which a deleted admin still counts. Arguments are SQL expressions for a user's id.
 */
export type People = {
  /** A condition: the user exists, and may do what the request is about. */
  may(userId: string, kind: RequestKind): string
  /** A text that changes with the user's address; null: there is no such user. */
  markOf(userId: string): string
}

export type RequestKind = "PAYOUT" | "TRANSFER" | "REFUND" | "ACCOUNT"

/** `closed`: who asked is no admin any more, has another address, or lost the right to ask. */
export type RequestState = "waiting" | "approved" | "refused" | "withdrawn" | "aged" | "closed"

/** What the other admin is shown, and what it is carried out with. */
type RequestDetails = {
  /** The account that its money leaves; no other may send it. */
  readonly account_id?: AccountId
  /** Major units. */
  readonly amount?: string
  readonly currency?: string
  readonly recipient_name?: string | null
  readonly phone_hint?: string | null
  readonly payment_method?: string | null
  readonly carrier?: string | null
  readonly from_wallet_id?: WalletId | null
  readonly to_counterparty_id?: CounterpartyId | null
}

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
const kinds = (of: (kind: RequestKind) => string) =>
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
}

/**
 * SQL by which a change is written only if it uses the request that it carries out, or needs none.
 * The request's id and the approving admin are bound from the parameter `$first` on.
 */
export function requestOfChange(people: People, first: number) {
  const [id, adminId] = [`$${first}::text`, `$${first + 1}::text`]
  return {
    found: `request as materialized (${requestUsed(people, "ACCOUNT", id, adminId)})`,
    holds: `(${id} is null or exists (select from request))`,
    used: (from: string) => `used as (
    update mp_approval a
       set approved_by = ${adminId}, approved_at = now(), closed_at = now(), open_subject = null
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
  returning a.id`

/** @returns whether a request for the same waits; the key, if there is one, then stands for it */
export async function joinWaiting(
  database: Database,
  subject: string,
  key: string | null,
): Promise<string | undefined> {
  const [row] = await database.query(JOIN, [subject, key])
  return row && String(row["id"])
}

const COLUMNS = `a.*, a.asked_at + ${AGE} as ends_at,
  case when a.refused_by is not null and a.refused_by = a.asked_by then 'withdrawn'
       when a.refused_by is not null then 'refused'
       when not ${IS_UNUSED} then 'approved'
       when a.closed_at is not null and a.approved_at is not null then 'approved'
       when a.closed_at is not null then 'closed'
       when ${IS_OPEN} then 'waiting'
       else 'aged' end as request_state`

const BY_ID = `select ${COLUMNS} from mp_approval a where a.id = $1`
const BY_KEY = `select ${COLUMNS} from mp_approval a where a.keys @> array[$1::text]
  order by a.asked_at limit 1`
const BY_OPERATION = `select ${COLUMNS} from mp_approval a where a.operation_id = $1 limit 1`

export const findRequest = (database: Database, id: string) => one(database, BY_ID, id)
/** The request that the caller's key stands for, whatever became of it. */
export const findRequestByKey = (database: Database, key: string) => one(database, BY_KEY, key)
/** The request that an operation came from. */
export const findRequestOf = (database: Database, operationId: OperationId) =>
  one(database, BY_OPERATION, operationId)

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

/** The requests that wait, newest first. */
export async function listWaiting(
  database: Database,
  people: People,
  kindsShown: readonly RequestKind[],
): Promise<readonly TwoAdminRequest[]> {
  await closeForsaken(database, people)
  const sql = `select ${COLUMNS} from mp_approval a
    where a.kind = any ($1) and ${IS_OPEN}
    order by a.asked_at desc, a.id limit ${LIMITS.eventsShownMax}`
  return (await database.query(sql, [kindsShown])).map(requestFrom)
}

/**
 * @returns the request, refused, or withdrawn by who asked for it
 * @throws Refusal `request_not_found`, `request_ended`, `request_needs_person`
 */
export async function closeRequest(
  database: Database,
  people: People,
  given: {
    readonly id: string
    readonly kinds: readonly RequestKind[]
    readonly adminId: AdminId
    readonly answer: string | null
  },
): Promise<TwoAdminRequest> {
  const { id, adminId, answer } = given
  if (!isPerson(adminId)) throw refusal("request_needs_person")
  const sql = `update mp_approval a
      set closed_at = now(), refused_by = $2, answer = $3, open_subject = null, sealed = null
    where a.id = $1 and a.kind = any ($4) and ${IS_OPEN}
      and (a.asked_by = $2 or ${kinds((kind) => `a.kind = '${kind}' and ${people.may("$2", kind)}`)})
    returning ${COLUMNS}`
  const [row] = await database.query(sql, [id, adminId, answer, given.kinds])
  if (row) return requestFrom(row)
  throw endedRefusal(await requestOfKind(database, id, given.kinds))
}

/** @throws Refusal `request_not_found` */
export async function requestOfKind(
  database: Database,
  id: string,
  kindsAsked: readonly RequestKind[],
): Promise<TwoAdminRequest & { readonly kind: RequestKind }> {
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
  request: TwoAdminRequest & { readonly kind: RequestKind },
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
const doneBefore = (subject: string, key: string) => `
  a.subject = ${subject} and a.kind is not null and a.approved_at > now() - ${AGE}
  and (${key}::text is null or a.keys @> array[${key}::text])
  and (a.operation_id is null or exists (
    select from mp_operation o
     where o.id = a.operation_id and o.state not in ('failed', 'expired')))`

/** What another admin approves by asking for the same. */
type SameAsked = Pick<AskedRequest, "kind" | "subject" | "askedBy" | "proposal"> & {
  readonly details: RequestDetails
  /** What was read before it was asked for: of one such state it is done once. Null: of a day. */
  readonly key: string | null
}

/** The refusals of a first request (`isNew`: it was not noted before) and of an API key's. */
type Unagreed = {
  noted(isNew: boolean): Refusal | Promise<Refusal>
  noPerson(): Refusal
}

/**
 * Called after the state was read that the change compares when it is written. The statement that
 * writes it uses the request (`requestUsed`), so nothing is used up where nothing is written.
 *
 * @returns the request of another admin for the same
 * @throws Refusal of {@link Unagreed}; `request_ended` where it is done already, or where one of the
 *   two may not do it
 */
export async function agreedBefore(
  database: Database,
  people: People,
  asked: SameAsked,
  refuse: Unagreed,
): Promise<TwoAdminRequest> {
  const { subject, key, askedBy } = asked
  if (!isPerson(askedBy)) throw refuse.noPerson()
  await closeForsaken(database, people)
  for (let tries = 0; tries < LIMITS.moneyOutTries; tries++) {
    const sql = `select ${COLUMNS} from mp_approval a where ${doneBefore("$1", "$2")} limit 1`
    const [done] = await database.query(sql, [subject, key])
    if (done) throw endedRefusal(requestFrom(done))
    const waitingId = await joinWaiting(database, subject, key)
    const waiting = waitingId && (await findRequest(database, waitingId))
    if (waiting && waiting.askedBy === askedBy) throw await refuse.noted(false)
    if (waiting) {
      await assertUsable(database, people, { ...waiting, kind: asked.kind }, askedBy)
      return waiting
    }
    const from = `where not exists (select from mp_approval a where ${doneBefore("$1", "$2")})`
    const noted = { ...asked, id: newRequestId(), sealed: null, note: null }
    const values = [subject, key, ...requestValues(noted)]
    const made = await database.query(requestInsert(people, 3, from), values)
    if (made.length > 0) throw await refuse.noted(true)
  }
  throw refusal("request_ended")
}

/** Its secrets are needed no more once the money is on its way. */
export async function forgetSealed(database: Database, id: string): Promise<void> {
  const sql = `update mp_approval a set sealed = null where a.id = $1 and not (${IS_OPEN})`
  await database.query(sql, [id])
}

function requestFrom(row: Row): TwoAdminRequest {
  return {
    id: text(row, "id"),
    kind: textOrNull(row, "kind") as RequestKind | null,
    state: text(row, "request_state") as RequestState,
    subject: text(row, "subject"),
    askedBy: text(row, "asked_by"),
    askedAt: momentIn(row["asked_at"]),
    endsAt: momentIn(row["ends_at"]),
    note: textOrNull(row, "note"),
    keys: row["keys"] as readonly string[],
    details: row["details"] ?? {},
    sealed: (row["sealed"] ?? null) as Sealed | null,
    proposal: (row["proposal"] ?? null) as AccountProposal | null,
    operationId: textOrNull(row, "operation_id"),
    approvedBy: textOrNull(row, "approved_by"),
    approvedAt: row["approved_at"] === null ? null : momentIn(row["approved_at"]),
    refusedBy: textOrNull(row, "refused_by"),
    answer: textOrNull(row, "answer"),
  }
}
