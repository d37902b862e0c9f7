/**
 * What two admins have to agree on: refunds, money that goes out, changes of an account. The first
 * request is noted and refused. Another admin's request for the very same within a day is accepted,
 * and uses up the first. API keys neither ask nor confirm. A proposed change of an account is kept
 * with the request, so that the other admin sees it (`accounts/proposals.ts`). If the process dies
 * after the confirmation, both admins ask again.
 */
import { randomUUID } from "node:crypto"
import type { AccountProposal } from "../core/account"
import { isPerson } from "../core/account-policies"
import type { AdminId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Refusal } from "../core/refusal"
import type { Database } from "./database"

type Wanted = {
  /** Exactly what is wanted, without a secret or a phone number. */
  readonly subject: string
  /** The admin who asks now: a user's id, or an API key's. */
  readonly adminId: AdminId
  /** The proposed change of an account, kept with the first request. */
  readonly proposal?: AccountProposal
}

export type Approval = {
  readonly id: string
  readonly askedBy: string
  /** The change of an account as the first admin proposed it. */
  readonly proposal?: AccountProposal
}

/**
 * Approves another admin's open request for the same subject, and closes all other requests for it:
 * of two admins who confirm each other at once, the second finds none and asks anew. Requests are
 * locked in the order of their ids.
 */
const APPROVE = `
  with open as materialized (
    select id, asked_by, asked_at from mp_approval
     where subject = $1 and closed_at is null
     order by id for update
  ), other as (
    select id from open
     where asked_by <> $2 and asked_at > now() - $3 * interval '1 ms'
     order by asked_at limit 1
  ), closed as (
    update mp_approval a
       set closed_at = now(),
           approved_at = case when a.id = other.id then now() end,
           approved_by = case when a.id = other.id then $2 end
      from open, other
     where a.id = open.id
    returning a.id, a.asked_by, a.approved_by, a.proposal
  )
  select id, asked_by, proposal from closed where approved_by is not null`

/** Notes a request, unless the same admin has an open one for the same subject. */
const ASK = `
  insert into mp_approval (id, subject, asked_by, proposal)
  select $4, $1, $2, $5::jsonb
   where not exists (
     select from mp_approval
      where subject = $1 and closed_at is null and asked_by = $2
        and asked_at > now() - $3 * interval '1 ms')
  returning id`

/** The refusals of a first request (`isNew`: it was not noted before) and of an API key's. */
type Unagreed = {
  noted(isNew: boolean): Refusal | Promise<Refusal>
  noPerson(): Refusal
}

/**
 * @returns the confirmed request, to be given back with `reopenApproval` when nothing was done
 * @throws Refusal of {@link Unagreed}
 */
export async function assertTwoAdmins(
  database: Database,
  { subject, adminId, proposal }: Wanted,
  refuse: Unagreed,
): Promise<Approval> {
  if (!isPerson(adminId)) throw refuse.noPerson()
  const parameters = [subject, adminId, LIMITS.secondAdminWithinMs]
  const [row] = await database.query(APPROVE, parameters)
  if (row) {
    return {
      id: String(row["id"]),
      askedBy: String(row["asked_by"]),
      ...(row["proposal"] !== null && { proposal: row["proposal"] as AccountProposal }),
    }
  }
  const id = `mpappr_${randomUUID().replaceAll("-", "")}`
  const kept = proposal === undefined ? null : JSON.stringify(proposal)
  const made = await database.query(ASK, [...parameters, id, kept])
  throw await refuse.noted(made.length > 0)
}

const REOPEN = `
  update mp_approval set closed_at = null, approved_at = null, approved_by = null
   where id = $1 and approved_at is not null`

/** Called when nothing was done for an approval: the first admin's request is open again. */
export async function reopenApproval(database: Database, id: string): Promise<void> {
  await database.query(REOPEN, [id])
}
