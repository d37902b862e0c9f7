/**
 * Troubles that no single event tells: an operator that fails most payments, a job that does not
 * run, and an account whose client the gateway refuses. Each is told once when it begins and once
 * when it is over, whichever processes see it.
 */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { refusedSubject } from "../ledger/accounts/refused-clients"
import { disruptedSubject, readMethodHealth } from "../ledger/disrupted-methods"
import { readCheckHealth } from "../ledger/read-check-health"
import type { NotificationPorts } from "./deps"
import { queueNotifications } from "./queue"
import type { NotificationKind } from "./rules/kinds"
import { isInTrouble, recoveryOf } from "./rules/trouble"
import { beginTrouble, endTrouble, findTrouble, type MethodNews } from "./sql/trouble"

type WatchPorts = Pick<NotificationPorts, "database" | "clock">
type Facts = Readonly<Record<string, unknown>>

/**
 * Compares each operator's payments of the last half hour. An operator that is not tried any more
 * is looked at as well, because silence ends its trouble.
 */
export async function watchOperators(deps: WatchPorts): Promise<void> {
  for (const one of await readMethodHealth(deps.database)) {
    const { method, ended, failed, disruptedSince } = one
    const subject = disruptedSubject(method)
    const counts = { ended, failed }
    const facts = { operator: method, ...counts }
    if (isInTrouble(one)) {
      const news = { method, reason: "failures", ...counts }
      await tellBegin(deps, subject, "operator_trouble", facts, news)
      continue
    }
    const reason = disruptedSince === null ? null : recoveryOf(one)
    if (reason === null) continue
    const minutes = LIMITS.operatorTroubleWithinMs / 60_000
    const told = { ...facts, reason, minutes }
    await tellEnd(deps, subject, "operator_recovered", told, { method, reason, ...counts })
  }
}

export type WatchedJob = {
  /** Whether a worker has looked for due payments lately. */
  readonly isRunning: boolean
  /** Since one did; null: none ever has. */
  readonly lastPassMsAgo: number | null
  /** How many give signs of life. */
  readonly workers: number
}

/**
 * Tells that the job does not run, or that it runs again. The job can't tell the first itself, so
 * each process that serves the store calls this from time to time.
 *
 * @param watchedMs for how long this process has found no pass; 0: there was one
 */
export async function watchJob(deps: WatchPorts, watchedMs: number): Promise<WatchedJob> {
  const { database } = deps
  const { lastPassMsAgo, workers } = await readCheckHealth(database)
  const isRunning = lastPassMsAgo !== null && lastPassMsAgo <= LIMITS.workerGoneAfterMs
  // Of a new store nobody knows since when it should run: then what this process saw counts.
  const goneMs = lastPassMsAgo ?? watchedMs
  if (isRunning) await tellEnd(deps, "job", "job_runs_again", {})
  else if (goneMs >= LIMITS.jobGoneAfterMs && watchedMs > 0) {
    await tellBegin(deps, "job", "job_stopped", { minutes: Math.floor(goneMs / 60_000) })
  }
  return { isRunning, lastPassMsAgo, workers: workers.length }
}

type Refused = { readonly id: AccountId; readonly label: string }
type Logged = WatchPorts & Pick<NotificationPorts, "logger">

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
  const fields = { account: id, event: "account_refused" }
  deps.logger.error(`merchant payments: account_refused: ${said}`, fields)
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
  deps: WatchPorts,
  subject: string,
  kind: NotificationKind,
  facts: Facts,
  news: MethodNews | null = null,
): Promise<boolean> {
  const { since, isNew } = await beginTrouble(deps.database, subject, news)
  await tell(deps, { subject, since, kind, facts })
  return isNew
}

async function tellEnd(
  deps: WatchPorts,
  subject: string,
  kind: NotificationKind,
  facts: Facts,
  news: MethodNews | null = null,
): Promise<boolean> {
  const since = await findTrouble(deps.database, subject)
  if (!since) return false
  await tell(deps, { subject, since, kind, facts })
  return endTrouble(deps.database, subject, since, news)
}

async function tell(
  deps: WatchPorts,
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
