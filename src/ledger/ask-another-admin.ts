/** One admin asks for what another has to approve: how it is noted once, and who may answer it. */
import { isPerson } from "../core/account-policies"
import type { AdminId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { refusal, type Refusal } from "../core/refusal"
import type { Sealed } from "../core/secret-box"
import type { Database } from "./database"
import {
  assertUsable,
  closeForsaken,
  doneBefore,
  endedRefusal,
  findDone,
  joinWaiting,
  newRequestId,
  requestInsert,
  requestOfKind,
  requestValues,
  type AskedRequest,
  type People,
  type RequestKind,
  type RequestOfKind,
} from "./requests"

/** What is asked for. Its `key` is what was read before: of one such state it is done once. */
type NewRequest = Omit<AskedRequest, "id" | "sealed"> & {
  /** Encrypts what carries it out and nobody may read. Absent: there is nothing of that kind. */
  seal?(requestId: string): Sealed | null
}

/** The refusals that say what became of it. */
type Unapproved = {
  /** @param isNew it was not noted before */
  noted(requestId: string, isNew: boolean): Refusal | Promise<Refusal>
  noPerson(): Refusal
}

/**
 * Notes what another admin has to approve by the request's id. The same asked for again, by
 * another admin as well, leads to the request that waits: it approves nothing.
 *
 * @throws Refusal of {@link Unapproved}; `request_ended` where it is done already,
 *   `request_needs_right`
 */
export async function askAnotherAdmin(
  database: Database,
  people: People,
  asked: NewRequest,
  refuse: Unapproved,
): Promise<never> {
  const { kind, subject, key, askedBy } = asked
  if (!isPerson(askedBy)) throw refuse.noPerson()
  await assertMayAsk(database, people, kind, askedBy)
  await closeForsaken(database, people)
  for (let tries = 0; tries < LIMITS.moneyOutTries; tries++) {
    const done = await findDone(database, subject, key)
    if (done) throw endedRefusal(done)
    const waiting = await joinWaiting(database, subject, key)
    if (waiting) throw await refuse.noted(waiting.id, false)
    const from = `where not exists (select from mp_approval a where ${doneBefore("$1", "$2")})`
    const id = newRequestId()
    const noted = { ...asked, id, sealed: asked.seal?.(id) ?? null }
    const values = [subject, key, ...requestValues(noted)]
    const made = await database.query(requestInsert(people, 3, from), values)
    if (made.length > 0) throw await refuse.noted(id, true)
  }
  throw refusal("request_ended")
}

/**
 * A request of an admin without the right to it would be closed at once, so it isn't noted.
 *
 * @throws Refusal `request_needs_right`
 */
export async function assertMayAsk(
  database: Database,
  people: People,
  kind: RequestKind,
  adminId: AdminId,
): Promise<void> {
  if (!(await hasRight(database, people, kind, adminId))) throw refusal("request_needs_right")
}

/** Whether this person may ask for what such a request is about, and approve it. */
export async function hasRight(
  database: Database,
  people: People,
  kind: RequestKind,
  adminId: AdminId,
): Promise<boolean> {
  const sql = `select $1::text as id where ${people.may("$1::text", kind)}`
  return (await database.query(sql, [adminId])).length > 0
}

/** How many people may ask for what a request is about, and approve it. */
export async function countPeople(
  database: Database,
  people: People,
  kind: RequestKind,
): Promise<number> {
  const sql = `select count(*) as admins from (${people.all}) u where ${people.may("u.id", kind)}`
  const [row] = await database.query(sql, [])
  return Number(row?.["admins"])
}

/** An admin's answer to a request. */
export type RequestAnswer = {
  readonly id: string
  readonly adminId: AdminId
  /** The admin's reason; undefined: none was written. */
  readonly note: string | undefined
}

/**
 * @returns the request that this admin may approve now, or that was approved before
 * @throws Refusal `request_not_found`, `request_ended`, `request_needs_person`, `request_is_own`
 */
export async function requestToApprove(
  database: Database,
  people: People,
  kinds: readonly RequestKind[],
  { id, adminId }: RequestAnswer,
): Promise<RequestOfKind> {
  await closeForsaken(database, people)
  const request = await requestOfKind(database, id, kinds)
  if (request.state === "approved") return request
  if (request.state !== "waiting") throw endedRefusal(request)
  if (!isPerson(adminId)) throw refusal("request_needs_person")
  if (request.askedBy === adminId) throw refusal("request_is_own")
  await assertUsable(database, people, request, adminId)
  return request
}
