/**
 * Troubles that no single event tells: an operator that fails most payments, a job that does not
 * run, and an account whose client the gateway refuses. Each is told once when it begins and once
 * when it is over, whichever processes see it.
 */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { refusedSubject } from "../ledger/accounts/refused-clients"
import { readCheckHealth } from "../ledger/read-check-health"
import type { NotificationPorts } from "./deps"
import { queueNotifications } from "./queue"
import type { NotificationKind } from "./rules/kinds"
import { isInTrouble, isOver } from "./rules/trouble"
import {
  beginTrouble,
  endTrouble,
  findTrouble,
  listOperatorsInTrouble,
  readOperatorEnds,
} from "./sql/trouble"

type Deps = Pick<NotificationPorts, "database" | "clock">
type Facts = Readonly<Record<string, unknown>>

/** Compares each operator's ended payments of the last half hour. */
export async function watchOperators(deps: Deps): Promise<void> {
  const { database } = deps
  const ends = await readOperatorEnds(database)
  const known = new Set(await listOperatorsInTrouble(database))
  for (const { operator, ...counts } of ends) {
    const facts = { operator, ended: counts.ended, failed: counts.failed }
    const subject = `operator:${operator}`
    if (isInTrouble(counts)) await tellBegin(deps, subject, "operator_trouble", facts)
    else if (known.has(operator) && isOver(counts)) {
      await tellEnd(deps, subject, "operator_recovered", facts)
    }
  }
}

/**
 * Tells that the job does not run, or that it runs again. The job can't tell the first itself, so
 * each process that serves the store calls this from time to time.
 *
 * @param watchedMs for how long this process has found no sign of life; 0: there was one
 * @returns whether the job runs, by its sign of life
 */
export async function watchJob(
  deps: Deps,
  watchedMs: number,
): Promise<{ readonly isRunning: boolean }> {
  const { database } = deps
  const { lastPassMsAgo } = await readCheckHealth(database)
  const isRunning = lastPassMsAgo !== null && lastPassMsAgo <= LIMITS.workerGoneAfterMs
  // A worker that stops in order leaves no sign of life: then what this process saw counts.
  const goneMs = lastPassMsAgo ?? watchedMs
  if (isRunning) await tellEnd(deps, "job", "job_runs_again", {})
  else if (goneMs >= LIMITS.jobGoneAfterMs && watchedMs > 0) {
    await tellBegin(deps, "job", "job_stopped", { minutes: Math.floor(goneMs / 60_000) })
  }
  return { isRunning }
}

type Refused = { readonly id: AccountId; readonly label: string }
type Logged = Deps & Pick<NotificationPorts, "logger">

/**
 * Tells the merchant once that the gateway refuses an account's client, and the log: once, and once
 * more in each process that has never seen the client accepted, as one that was restarted since.
 */
export async function tellRefused(
  deps: Logged,
  { id, label }: Refused,
  wasAccepted: boolean,
): Promise<void> {
  const facts = { account: label, account_id: id }
  const isNew = await tellBegin(deps, refusedSubject(id), "account_refused", facts)
  if (!isNew && wasAccepted) return
  const said = sentence("health", "accounts_refused", { accounts: `${label} (${id})` })
  deps.logger.error(`merchant payments: account_refused: ${said}`)
}

/** Tells once that it is over; says nothing where no refusal was told. */
export async function tellAccepted(deps: Logged, { id, label }: Refused): Promise<void> {
  const facts = { account: label, account_id: id }
  if (!(await tellEnd(deps, refusedSubject(id), "account_accepted", facts))) return
  deps.logger.info(
    `merchant payments: account_accepted: the gateway takes the client id and secret of ` +
      `${label} (${id}) again.`,
  )
}

/** Queued after it was written down, under its moment: a crash in between tells it at the next look. */
async function tellBegin(
  deps: Deps,
  subject: string,
  kind: NotificationKind,
  facts: Facts,
): Promise<boolean> {
  const { since, isNew } = await beginTrouble(deps.database, subject)
  await tell(deps, { subject, since, kind, facts })
  return isNew
}

async function tellEnd(
  deps: Deps,
  subject: string,
  kind: NotificationKind,
  facts: Facts,
): Promise<boolean> {
  const since = await findTrouble(deps.database, subject)
  if (!since) return false
  await tell(deps, { subject, since, kind, facts })
  return endTrouble(deps.database, subject, since)
}

async function tell(
  deps: Deps,
  told: {
    readonly subject: string
    readonly since: Date
    readonly kind: NotificationKind
    readonly facts: Facts
  },
): Promise<void> {
  const { subject, since, kind, facts } = told
  await queueNotifications(deps, {
    eventId: `${subject}:${since.toISOString()}:${kind}`,
    kind,
    operationId: null,
    occurredAt: since,
    facts,
  })
}
