/** What becomes of the shop's own things while a payment is under way. */
import type { LedgerDatabase } from "../support/ledger-database"
import type { Simulator } from "../../packages/simulator/src"
import { OK } from "./scripts"
import { openGateway, type Cast, type Setup } from "./setup"

/** What is under way is a draft again, as it was before its last commits. */
const LOSE_SUBMIT = `
  with first as (
    select e.operation_id as id, min(e.seq) as seq
      from mp_operation_event e join mp_operation o on o.id = e.operation_id
     where e.name = 'submit' and o.state in ('submitted', 'in_flight') and o.sendings > 0
     group by 1
  ), lost as (
    delete from mp_operation_event e using first
     where e.operation_id = first.id and e.seq >= first.seq
  )
  update mp_operation o
     set state = 'drafted', version = first.seq - 1, reference = null, submitted_at = null,
         sendings = 0, last_sent_at = null, last_sending = null, gateway_session_id = null,
         payment_account_id = null, card_secret = null, checks = 0, absent_at = null,
         source_status = 'ACTIVE', lease_token = null, lease_until = null,
         next_check_at = expires_at
    from first where o.id = first.id`

/** A standby takes over that has lost the commit of `submit`, and all after it. */
export async function loseSubmit(ledger: LedgerDatabase): Promise<void> {
  await ledger.sql(LOSE_SUBMIT)
}

/**
 * From test to live: the account is set to another gateway, whose numbers begin where those of the
 * first began, and all that begins from now on is there.
 */
export async function moveFrom(
  { victim, survivors }: Cast,
  setup: Setup,
  ahead: { readonly ms: number },
): Promise<Simulator> {
  const nowMs = () => Date.now() + ahead.ms
  const moved = await openGateway({ ...setup, script: OK, faults: {} }, nowMs)
  const act = { act: "move", gatewayUrl: moved.url } as const
  await Promise.all([victim, ...survivors].map((worker) => worker.ask(act)))
  return moved
}

/** An admin saves a new client of the merchant's, and revokes the first one in the portal. */
export async function rotateAt({ victim, survivors }: Cast): Promise<void> {
  await Promise.all([victim, ...survivors].map((worker) => worker.ask({ act: "rotate" })))
}
