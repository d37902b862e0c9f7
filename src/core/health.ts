/**
 * The setup check: from what was read to lines that say what is so, why it matters and what to do. Pure,
 * so that each line is a row of a table test. Nothing is decided by it.
 */
import type { AccountState, CheckLine, HealthAnswer } from "./account-answers"
import { LIMITS } from "./limits"

export type HealthFacts = {
  readonly accounts: readonly {
    readonly label: string
    readonly source: "environment" | "admin"
    readonly state: AccountState
    /** Upper case. */
    readonly currencies: readonly string[]
  }[]
  readonly hasKey: boolean
  /** Said where there is no key, or none that can be used. */
  readonly keyProblem: string | null
  /** Our providers that Medusa has registered and enabled. */
  readonly providerIds: readonly string[]
  readonly regions: readonly {
    readonly name: string
    readonly currency: string
    /** Of ours. */
    readonly providerIds: readonly string[]
  }[]
  /** All that Medusa knows, upper case. */
  readonly knownCurrencies: readonly string[]
  /** Of LRD in Medusa; null: it is not there. */
  readonly lrdDigits: number | null
  /** Null: not known here. */
  readonly locking: string | null
  readonly workflowEngine: string | null
  readonly workers: number
  /** How long two of them have been side by side; null: there are no two. */
  readonly togetherMs: number | null
  /** Operations for which Medusa has not answered in time. */
  readonly unanswered: readonly string[]
  /** Null: never. */
  readonly lastPassMsAgo: number | null
  readonly oldestDueMs: number | null
  readonly calls: number
  readonly errors: number
  readonly tooMany: number
  readonly lastAnswerMsAgo: number | null
  readonly inReview: number
}

type Line = Omit<CheckLine, "name">
type Facts = CheckLine["facts"]

const ok = (message: string, facts: Facts = {}): Line => ({ status: "ok", message, facts })
const warning = (message: string, facts: Facts = {}): Line => ({
  status: "warning",
  message,
  facts,
})
const failed = (message: string, facts: Facts = {}): Line => ({ status: "failed", message, facts })
const skipped = (message: string): Line => ({ status: "skipped", message, facts: {} })

/** Without these no payment is taken, or none is brought back. */
const VITAL: ReadonlySet<string> = new Set(["database", "accounts", "providers", "job"])

const CHECKS: Readonly<Record<string, (facts: HealthFacts) => Line>> = {
  database: () => ok("The database answers."),
  accounts: accountsLine,
  encryption_key: keyLine,
  providers: providersLine,
  currencies: currenciesLine,
  liberian_dollar: liberianDollarLine,
  locking: lockingLine,
  workflow_engine: (facts) => fitLine("workflow engine", "Workflows", facts.workflowEngine, facts),
  job: jobLine,
  oldest_due: oldestDueLine,
  medusa_answers: medusaLine,
  gateway_errors: errorsLine,
  too_many_requests: tooManyLine,
  last_call: lastCallLine,
  review: reviewLine,
}

export function healthOf(facts: HealthFacts): HealthAnswer {
  const checks = Object.entries(CHECKS).map(([name, line]) => ({ name, ...line(facts) }))
  return { status: statusOf(checks), checks }
}

/** Nothing could be read: whatever the reason, no payment is looked after. */
export function healthWithoutDatabase(): HealthAnswer {
  const line = failed(
    "The database does not answer, or its tables are not there. Payments stand still until it does; run npx medusa db:migrate if the plugin was updated.",
  )
  return { status: "down", checks: [{ name: "database", ...line }] }
}

function statusOf(checks: readonly CheckLine[]): HealthAnswer["status"] {
  if (checks.some(({ name, status }) => status === "failed" && VITAL.has(name))) return "down"
  const isWell = checks.every(({ status }) => status === "ok" || status === "skipped")
  return isWell ? "ok" : "degraded"
}

function accountsLine({ accounts }: HealthFacts): Line {
  const ready = accounts.filter(({ state }) => state === "ready")
  const others = accounts.filter(({ state }) => state !== "ready")
  const facts = { ready: ready.length, not_ready: others.length }
  const names = others.map(({ label }) => label).join(", ")
  const changed = others.filter(({ state }) => state === "address_changed")
  if (changed.length > 0) {
    const message = `The address or the client of these accounts was changed in the database, not in the admin, and their secrets are sent nowhere: ${changed.map(({ label }) => label).join(", ")}. Find out who did it; then check the address and type the secret in again.`
    return ready.length === 0 ? failed(message, facts) : warning(message, facts)
  }
  if (ready.length === 0) {
    return failed(
      accounts.length === 0
        ? "There is no account, so nothing can be paid. Add one, or set the environment's variables."
        : `No account has credentials that can be used, so nothing can be paid: ${names}. Type the secret in, or put the encryption key back.`,
      facts,
    )
  }
  if (others.length > 0) {
    return warning(
      `Payments of these accounts can neither be taken nor asked about: ${names}. Type the secret in, or put the encryption key back.`,
      facts,
    )
  }
  return ok(`Accounts with credentials: ${ready.length}.`, facts)
}

function keyLine({ hasKey, keyProblem, accounts }: HealthFacts): Line {
  if (hasKey && keyProblem === null) return ok("Secrets can be kept, encrypted.")
  const isNeeded = accounts.some(({ source }) => source === "admin")
  if (keyProblem !== null && (isNeeded || hasKey)) return failed(keyProblem)
  return skipped(
    "There is no encryption key. It is not needed while the environment's account is the only one.",
  )
}

function providersLine({ providerIds, regions }: HealthFacts): Line {
  if (providerIds.length === 0) {
    return failed(
      "The plugin is there and its payment providers are not, so no shopper can choose them. Use withMerchantPayments in medusa-config.ts, and restart.",
    )
  }
  const names = regions.flatMap(({ name, providerIds: own }) => (own.length > 0 ? [name] : []))
  const facts = { providers: providerIds.length, regions: names.length }
  if (names.length === 0) {
    return failed(
      "No region offers a payment provider of the plugin, so no shopper can choose one. Enable them for a region.",
      facts,
    )
  }
  return ok(`Offered in: ${names.join(", ")}.`, facts)
}

function currenciesLine({ accounts, regions, knownCurrencies }: HealthFacts): Line {
  const served = accounts.flatMap(({ state, currencies }) => (state === "ready" ? currencies : []))
  if (served.length === 0) {
    return accounts.some(({ state }) => state === "ready")
      ? failed(
          "No account takes any currency, so nothing can be paid. Add currencies to an account.",
        )
      : skipped("No account takes any currency.")
  }
  const unknown = served.filter((currency) => !knownCurrencies.includes(currency))
  if (unknown.length > 0) {
    return failed(
      `Medusa does not know ${unknown.join(", ")}, so nothing can have a price in it. Restart the store after an update; check the account's currencies.`,
      { unknown: unknown.join(", ") },
    )
  }
  const unserved = regions.filter(
    ({ currency, providerIds }) => providerIds.length > 0 && !served.includes(currency),
  )
  if (unserved.length > 0) {
    const names = unserved.map(({ name, currency }) => `${name} (${currency})`).join(", ")
    return warning(
      `No account takes the currency of these regions, so their shoppers can't pay: ${names}. Add the currency to an account.`,
      { regions: names },
    )
  }
  return ok(`Taken: ${[...new Set(served)].join(", ")}.`)
}

function liberianDollarLine({ accounts, lrdDigits }: HealthFacts): Line {
  if (!accounts.some(({ currencies }) => currencies.includes("LRD"))) {
    return skipped("No account takes LRD.")
  }
  if (lrdDigits === 2) return ok("Medusa knows the Liberian dollar, with two digits.")
  return failed(
    lrdDigits === null
      ? "Medusa does not know the Liberian dollar. The plugin adds it when the store starts: restart it, and check that the plugin is loaded."
      : `Medusa counts the Liberian dollar with ${lrdDigits} digits in the place of 2, so amounts are wrong. Put the currency's row right.`,
    { digits: lrdDigits },
  )
}

type Processes = Pick<HealthFacts, "workers" | "togetherMs">

/** A restart or a rolling deploy has two processes for a while, and means nothing by it. */
function areSeveral({ togetherMs }: Processes): boolean {
  return togetherMs !== null && togetherMs >= LIMITS.workersTogetherMs
}

/** Said of several processes whose locks are not shared, on the health page and in the log; null: all is well. */
export function lockingProblem(facts: Processes & Pick<HealthFacts, "locking">): string | null {
  if (facts.locking !== "in-memory" || !areSeveral(facts)) return null
  return `${facts.workers} processes have run side by side for more than two minutes, and the locking module is in memory: a storefront's own completion of a cart does not exclude the worker of another process, so one cart can be completed twice at once. Configure Medusa's locking module with its Redis or Postgres provider, or let only one process run.`
}

function lockingLine(facts: HealthFacts): Line {
  const problem = lockingProblem(facts)
  if (problem === null) return fitLine("locking module", "Locking", facts.locking, facts)
  return failed(problem, { module: facts.locking ?? "", workers: facts.workers })
}

function fitLine(name: string, what: string, module: string | null, processes: Processes): Line {
  if (module === null) return skipped(`Which ${name} the store has is not known here.`)
  const { workers } = processes
  const facts = { module, workers }
  if (module !== "in-memory") return ok(`${what} are shared between processes (${module}).`, facts)
  if (areSeveral(processes)) {
    return warning(
      `${workers} processes have run side by side for more than two minutes, and the ${name} is in memory: they do not know of each other. Configure Medusa's Redis module for it.`,
      facts,
    )
  }
  return ok(
    `The ${name} is in memory, which is right while one process runs. Configure Medusa's Redis module before a second one runs.`,
    facts,
  )
}

function jobLine({ lastPassMsAgo, workers }: HealthFacts): Line {
  const advice =
    "Payments are not asked about and not brought into Medusa. Start a process whose worker mode is shared or worker, and see its log."
  if (lastPassMsAgo === null) return failed(`The job has never run. ${advice}`)
  const seconds = Math.round(lastPassMsAgo / 1_000)
  const facts = { seconds, workers }
  if (lastPassMsAgo > LIMITS.workerGoneAfterMs) {
    return failed(`The job last ran ${seconds} seconds ago. ${advice}`, facts)
  }
  return ok(`The job runs, in ${workers} process${workers === 1 ? "" : "es"}.`, facts)
}

function oldestDueLine({ oldestDueMs }: HealthFacts): Line {
  if (oldestDueMs === null) return ok("Nothing waits to be looked at.")
  const seconds = Math.round(oldestDueMs / 1_000)
  if (oldestDueMs <= LIMITS.healthOldestDueMs) {
    return ok(`The oldest due payment has waited ${seconds} seconds.`, { seconds })
  }
  return warning(
    `A payment has been due for ${seconds} seconds and was not looked at: shoppers wait. The gateway may have asked for a pause, or there are too few workers.`,
    { seconds },
  )
}

function medusaLine({ unanswered }: HealthFacts): Line {
  if (unanswered.length === 0) return ok("Medusa answers in time.")
  const shown = unanswered.slice(0, LIMITS.unansweredMax).join(", ")
  return failed(
    `Medusa has not answered for more than a minute: ${shown}. These payments are held until it does; the others go on. A workflow hook or a service without a time limit may never answer: find it, and restart the store.`,
    { count: unanswered.length, operations: shown },
  )
}

function errorsLine({ calls, errors }: HealthFacts): Line {
  const facts = { calls, errors, minutes: LIMITS.healthCallsWithinMs / 60_000 }
  const share = calls === 0 ? 0 : errors / calls
  const said = `${errors} of ${calls} calls of the last quarter of an hour got no usable answer.`
  if (calls < LIMITS.healthCallsMin || share <= LIMITS.healthErrorsFraction) return ok(said, facts)
  const advice = " Payments are safe and slow. Test the connection; ask the gateway's status page."
  return share > LIMITS.healthErrorsFailedFraction
    ? failed(said + advice, facts)
    : warning(said + advice, facts)
}

function tooManyLine({ calls, tooMany }: HealthFacts): Line {
  const facts = { calls, too_many: tooMany, minutes: LIMITS.healthCallsWithinMs / 60_000 }
  const said = `${tooMany} of ${calls} calls of the last quarter of an hour were too many for the gateway (429).`
  if (calls < LIMITS.healthCallsMin || tooMany / calls <= LIMITS.healthErrorsFraction) {
    return ok(said, facts)
  }
  return warning(
    `${said} The workers ask more slowly by themselves; does something else use the same credentials?`,
    facts,
  )
}

function lastCallLine({ calls, lastAnswerMsAgo }: HealthFacts): Line {
  if (lastAnswerMsAgo === null) {
    return calls > 0
      ? failed("The gateway was called, and has not given a usable answer for a day.")
      : skipped("The gateway was not called in the last day.")
  }
  const seconds = Math.round(lastAnswerMsAgo / 1_000)
  if (calls >= LIMITS.healthCallsMin && lastAnswerMsAgo > LIMITS.healthCallsWithinMs) {
    return failed(`The gateway's last usable answer is ${seconds} seconds old.`, { seconds })
  }
  return ok(`The gateway last answered ${seconds} seconds ago.`, { seconds })
}

function reviewLine({ inReview }: HealthFacts): Line {
  if (inReview === 0) return ok("No payment waits for a person.")
  return warning(
    `${inReview} payment${inReview === 1 ? " waits" : "s wait"} for a person to decide: money and records disagree. See what needs attention.`,
    { count: inReview },
  )
}
