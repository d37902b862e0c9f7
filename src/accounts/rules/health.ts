/**
 * The setup check: turns what was read into a code and facts for each line; the sentences are in
 * `messages`. Pure, so that each line is a row of a table test. No code decides anything by it.
 */
import { LIMITS } from "../../core/limits"
import { currencyDigits, MARKET_CURRENCIES } from "../../core/markets"
import { sentence, type HealthCode } from "../../core/messages"
import { askedBy } from "../../core/flows"
import type { AccountState } from "../schemas/accounts"
import type { CheckLine, HealthResponse } from "../schemas/health"
import { databaseLine, type DatabaseFacts } from "./database-line"
import { settingLines, type SettingProblem } from "./setting-problems"

export type HealthFacts = DatabaseFacts & {
  readonly accounts: readonly {
    readonly label: string
    readonly source: "environment" | "admin"
    readonly state: AccountState
    /** Codes of the currencies that the account takes, upper case. */
    readonly currencies: readonly string[]
    /** The gateway refuses its client id and secret. */
    readonly isRefused?: boolean
  }[]
  readonly hasKey: boolean
  /** Why secrets can't be encrypted: there is no key, or no usable one. Null if they can. */
  readonly keyProblem: HealthCode | null
  /** Our providers that Medusa has registered and enabled. */
  readonly providerIds: readonly string[]
  readonly regions: readonly {
    readonly name: string
    readonly currency: string
    /** Our providers that the region has enabled. */
    readonly providerIds: readonly string[]
  }[]
  /** The decimal digits of each currency that Medusa knows, by its code in upper case. */
  readonly knownCurrencies: Readonly<Record<string, number>>
  /** `in-memory`, or the name of Medusa's locking module; null: not known. */
  readonly locking: string | null
  readonly workflowEngine: string | null
  readonly workers: number
  /** The longest time, in milliseconds, that two workers have run side by side; null: no two. */
  readonly togetherMs: number | null
  /** Ids of operations for which Medusa has not answered a worker in time. */
  readonly unanswered: readonly string[]
  /** Milliseconds since a worker last looked for due payments; null: none ever did. */
  readonly lastPassMsAgo: number | null
  readonly oldestDueMs: number | null
  readonly calls: number
  readonly errors: number
  readonly tooMany: number
  readonly lastAnswerMsAgo: number | null
  /** Unknown forms of gateway answers, most pressing first, each with its account's label. */
  readonly forms?: readonly {
    readonly label: string
    readonly operation: string
    readonly field: string
    readonly kind: string
  }[]
  /** Number of operations that need attention, as the admin's list counts them. */
  readonly needAttention: number
  /** Number of payments that shoppers began lately; `ofOne`: those from the busiest network. */
  readonly starts?: number
  readonly ofOne?: number
  /**
   * Cards declined and paid lately, of the account with the most declines. `sinceMs`: how long ago
   * that wave of declines began.
   */
  readonly cards?: { readonly declined: number; readonly paid: number; readonly sinceMs: number }
  /** Accounts of which shoppers read neutral names. Absent: none. */
  readonly neutralNames?: readonly {
    readonly account: string
    readonly labels: readonly string[]
    readonly learned: readonly string[]
  }[]
  /** Labels of the operators that fail most of their payments now. Absent: none. */
  readonly disrupted?: readonly string[]
  /** What is wrong with the environment's variables and the plugin's options. */
  readonly settings?: readonly SettingProblem[]
  /** Notifications of the last day that a provider did not send. Absent: none. */
  readonly untold?: { readonly triedAgain: number; readonly givenUp: number }
  /** Whether the shop checks a captcha. */
  readonly hasCaptcha?: boolean
}

/** What a check found; its name and its English come from {@link checkLine}. */
export type Line = Pick<CheckLine, "status" | "code" | "facts">
export type Facts = CheckLine["facts"]

const line =
  (status: CheckLine["status"]) =>
  (code: HealthCode, facts: Facts = {}): Line => ({ status, code, facts })
export const ok = line("ok")
export const note = line("note")
export const warning = line("warning")
export const failed = line("failed")
export const skipped = line("skipped")

/** The line of a check, with its English. */
export function checkLine(name: string, { status, code, facts }: Line): CheckLine {
  return { name, status, code, message: sentence("health", code, facts), facts }
}

/** Checks without which no payment can be taken, or none can be settled. */
const VITAL: ReadonlySet<string> = new Set(["database", "tables", "accounts", "providers", "job"])

const CHECKS: Readonly<Record<string, (facts: HealthFacts) => Line>> = {
  database: databaseLine,
  tables: () => ok("tables_fit"),
  accounts: accountsLine,
  encryption_key: keyLine,
  providers: providersLine,
  currencies: currenciesLine,
  operator_names: namesLine,
  locking: (facts) => moduleLine("locking", facts.locking, facts),
  workflow_engine: (facts) => moduleLine("workflows", facts.workflowEngine, facts),
  job: jobLine,
  oldest_due: oldestDueLine,
  medusa_answers: medusaLine,
  gateway_errors: errorsLine,
  too_many_requests: tooManyLine,
  gateway_forms: formsLine,
  one_network: networkLine,
  declined_cards: cardsLine,
  last_call: lastCallLine,
  payment_methods: ({ disrupted = [] }) =>
    disrupted.length === 0
      ? ok("methods_well")
      : warning("methods_disrupted", { operators: disrupted.join(", ") }),
  notifications: untoldLine,
  review: ({ needAttention: count }) =>
    count === 0 ? ok("review_none") : warning("review_open", { count }),
}

export function healthOf(facts: HealthFacts): HealthResponse {
  const checks = [
    ...Object.entries(CHECKS).map(([name, lineOf]) => checkLine(name, lineOf(facts))),
    ...settingLines(facts.settings ?? []),
  ]
  return { status: statusOf(checks), checks }
}

/** The lines that say whether payments go through the gateway, the most telling first. */
const OF_GATEWAY = [
  "database",
  "tables",
  "accounts",
  "job",
  "last_call",
  "gateway_errors",
  "too_many_requests",
]
const URGENCY: readonly CheckLine["status"][] = ["failed", "warning"]

/** The gateway's health in one line: what is wrong first, else when it last answered. */
export function gatewayLine({ checks }: HealthResponse): CheckLine {
  const own = OF_GATEWAY.flatMap((name) => checks.find((one) => one.name === name) ?? [])
  const urgent = URGENCY.flatMap((status) => own.filter((one) => one.status === status))
  const lastCall = own.find(({ name }) => name === "last_call")
  return urgent[0] ?? lastCall ?? checkLine("last_call", skipped("not_called"))
}

/** Only the tables can be told of: the other lines are read from them. */
export function healthWithoutTables(line: Line): HealthResponse {
  const checks = [checkLine("database", ok("database_answers")), checkLine("tables", line)]
  return { status: "down", checks }
}

/** Nothing could be read, so no payment is checked. */
export function healthWithoutDatabase(): HealthResponse {
  return { status: "down", checks: [checkLine("database", failed("database_down"))] }
}

/** Statuses of a healthy store. A note is only to be read, so it must not raise an alarm. */
const WELL: ReadonlySet<CheckLine["status"]> = new Set(["ok", "note", "skipped"])

/** Of all lines together. */
export function statusOf(
  checks: readonly Pick<CheckLine, "name" | "status" | "facts">[],
): HealthResponse["status"] {
  if (checks.some(isDown)) return "down"
  const isWell = checks.every(({ status }) => WELL.has(status))
  return isWell ? "ok" : "degraded"
}

/** A vital line that failed stops all payments, but for the accounts' while one of them works. */
const isDown = (line: Pick<CheckLine, "name" | "status" | "facts">): boolean =>
  line.status === "failed" && VITAL.has(line.name) && !isAnyAccountReady(line)

/** The accounts' line counts those that work; a fact of the same name elsewhere means nothing here. */
const isAnyAccountReady = ({ name, facts }: Pick<CheckLine, "name" | "facts">): boolean =>
  name === "accounts" && Number(facts["ready"] ?? 0) > 0

function accountsLine({ accounts: all }: HealthFacts): Line {
  const refused = all.filter(({ state, isRefused }) => state === "ready" && isRefused)
  const accounts = all.filter((one) => !refused.includes(one))
  const usable = accounts.filter(({ state }) => state === "ready")
  const ready = usable.filter(({ currencies }) => currencies.length > 0)
  const others = accounts.filter(({ state }) => state !== "ready")
  const changed = others.filter(({ state }) => state === "address_changed")
  const named = changed.length > 0 ? changed : others
  const facts = {
    ready: ready.length,
    not_ready: others.length,
    accounts: named.map(({ label }) => label).join(", "),
  }
  if (refused.length > 0) {
    const names = refused.map(({ label }) => label).join(", ")
    return failed("accounts_refused", { ready: ready.length, accounts: names })
  }
  if (changed.length > 0) {
    return (ready.length === 0 ? failed : warning)("accounts_changed", facts)
  }
  if (ready.length === 0 && usable.length > 0) return failed("currencies_none")
  if (ready.length === 0) {
    return failed(accounts.length === 0 ? "accounts_none" : "accounts_unusable", facts)
  }
  return others.length > 0 ? warning("accounts_not_ready", facts) : ok("accounts_ready", facts)
}

function keyLine({ hasKey, keyProblem, accounts, regions }: HealthFacts): Line {
  if (hasKey && keyProblem === null) return ok("key_ready")
  const isCardOffered = regions.some((one) => one.providerIds.some(isOfCard))
  if (keyProblem === "key_missing" && isCardOffered) return failed("key_missing_card")
  const isNeeded = accounts.some(({ source }) => source === "admin")
  if (keyProblem !== null && (isNeeded || hasKey)) return failed(keyProblem)
  return skipped("key_not_needed")
}

const isOfCard = (providerId: string) => askedBy(providerId) === "card"

function providersLine({ providerIds, regions }: HealthFacts): Line {
  if (providerIds.length === 0) return failed("providers_missing")
  const names = regions.flatMap(({ name, providerIds: own }) => (own.length > 0 ? [name] : []))
  const facts = {
    providers: providerIds.length,
    regions: names.length,
    names: names.join(", "),
  }
  return names.length === 0 ? failed("regions_none", facts) : ok("regions_offered", facts)
}

function currenciesLine({ accounts, regions, knownCurrencies }: HealthFacts): Line {
  const served = accounts.flatMap(({ state, currencies }) => (state === "ready" ? currencies : []))
  if (served.length === 0) return skipped("not_asked")
  const unknown = served.filter((code) => !Object.hasOwn(knownCurrencies, code)).join(", ")
  if (unknown !== "") return failed("currencies_unknown", { unknown })
  const markets: readonly string[] = MARKET_CURRENCIES
  const miscounted = served
    .filter((code) => markets.includes(code) && knownCurrencies[code] !== currencyDigits(code))
    .map((code) => `${code} (${currencyDigits(code)})`)
  if (miscounted.length > 0) {
    return failed("currencies_miscounted", { currencies: miscounted.join(", ") })
  }
  const unserved = regions.filter(
    ({ currency, providerIds }) => providerIds.length > 0 && !served.includes(currency),
  )
  if (unserved.length > 0) {
    const names = unserved.map(({ name, currency }) => `${name} (${currency})`).join(", ")
    return warning("currencies_unserved", { regions: names })
  }
  return ok("currencies_taken", { currencies: [...new Set(served)].join(", ") })
}

function namesLine({ neutralNames = [] }: HealthFacts): Line {
  if (neutralNames.length === 0) return ok("names_right")
  const listed = (of: readonly (readonly string[])[]) => [...new Set(of.flat())].join(", ")
  const facts = {
    accounts: neutralNames.map(({ account }) => account).join(", "),
    labels: listed(neutralNames.map(({ labels }) => labels)),
    learned: listed(neutralNames.map(({ learned }) => learned)),
  }
  return warning(facts.learned === "" ? "names_neutral" : "names_learned", facts)
}

type Passes = Pick<HealthFacts, "workers" | "lastPassMsAgo">
type Processes = Pick<HealthFacts, "workers" | "togetherMs">

/** Two processes for a short time are a restart or a rolling deploy, so they do not count. */
function areSeveral({ togetherMs }: Processes): boolean {
  return togetherMs !== null && togetherMs >= LIMITS.workersTogetherMs
}

/** The sentence for the log, if several processes run without shared locks. */
export function lockingProblem(facts: Processes & Pick<HealthFacts, "locking">): string | null {
  if (facts.locking !== "in-memory" || !areSeveral(facts)) return null
  return sentence("health", "locking_not_shared", { workers: facts.workers })
}

/** Without shared locks one cart can be completed twice; unshared workflows are less harmful. */
function moduleLine(
  kind: "locking" | "workflows",
  module: string | null,
  processes: Processes,
): Line {
  if (module === null) return skipped(`${kind}_unknown`)
  const facts = { module, workers: processes.workers }
  if (module !== "in-memory") return ok(`${kind}_shared`, facts)
  if (!areSeveral(processes)) return ok(`${kind}_in_memory`, facts)
  return (kind === "locking" ? failed : warning)(`${kind}_not_shared`, facts)
}

/** Where workers give signs of life, starting one more is no help. */
function jobLine({ lastPassMsAgo, workers }: Passes): Line {
  if (lastPassMsAgo === null) return failed("job_never_ran")
  const facts = { seconds: Math.round(lastPassMsAgo / 1_000), workers }
  if (lastPassMsAgo <= LIMITS.workerGoneAfterMs) return ok("job_runs", facts)
  return failed(workers > 0 ? "job_stuck" : "job_stopped", facts)
}

/** The sentence for the log, if no worker has looked for due payments for a while. */
export function jobProblem(passes: Passes): string | null {
  const { status, code, facts } = jobLine(passes)
  return status === "ok" ? null : sentence("health", code, facts)
}

function oldestDueLine({ oldestDueMs }: HealthFacts): Line {
  if (oldestDueMs === null) return ok("due_none")
  const facts = { seconds: Math.round(oldestDueMs / 1_000) }
  return oldestDueMs <= LIMITS.healthOldestDueMs
    ? ok("due_in_time", facts)
    : warning("due_late", facts)
}

function medusaLine({ unanswered }: HealthFacts): Line {
  if (unanswered.length === 0) return ok("medusa_answers")
  const operations = unanswered.slice(0, LIMITS.unansweredMax).join(", ")
  return failed("medusa_silent", { count: unanswered.length, operations })
}

const MINUTES = LIMITS.healthCallsWithinMs / 60_000

function errorsLine({ calls, errors, accounts }: HealthFacts): Line {
  const facts = { calls, errors, minutes: MINUTES }
  const share = calls === 0 ? 0 : errors / calls
  if (calls < LIMITS.healthCallsMin || share <= LIMITS.healthErrorsFraction) {
    return ok("calls_answered", facts)
  }
  const isBad = share > LIMITS.healthErrorsFailedFraction
  // The status page of a gateway that refuses a client has nothing to say about it.
  const isRefusal = accounts.some(({ isRefused }) => isRefused)
  return (isBad ? failed : warning)(isRefusal ? "calls_refused" : "calls_failing", facts)
}

function tooManyLine({ calls, tooMany }: HealthFacts): Line {
  const facts = { calls, too_many: tooMany, minutes: MINUTES }
  const isWell = calls < LIMITS.healthCallsMin || tooMany / calls <= LIMITS.healthErrorsFraction
  return isWell ? ok("calls_welcome", facts) : warning("calls_too_many", facts)
}

/** Only a note: the plugin reads all it can, and a gateway may keep an unknown form for ever. */
function formsLine({ forms = [] }: HealthFacts): Line {
  if (forms.length === 0) return ok("forms_known")
  const isOne = new Set(forms.map(({ label }) => label)).size === 1
  const shown = forms
    .slice(0, LIMITS.gatewayFormsShown)
    .map(({ label, operation, field, kind }) => {
      const form = `${operation}: ${field} (${kind})`
      return isOne ? form : `${label}: ${form}`
    })
  const more = forms.length - shown.length
  const facts = { count: forms.length, forms: shown.join("; "), more }
  return note(more > 0 ? "forms_unknown_more" : "forms_unknown", facts)
}

function networkLine({ starts = 0, ofOne = 0 }: HealthFacts): Line {
  const isOne = starts >= LIMITS.healthStartsMin && ofOne > starts / 2
  return isOne
    ? warning("network_one", { starts, of_one: ofOne, minutes: MINUTES })
    : ok("networks_many", { starts, minutes: MINUTES })
}

/** Honest shoppers have declines, too: a warning needs as many as pause a network. */
function cardsLine({ cards, hasCaptcha = false }: HealthFacts): Line {
  const { declined, paid, sinceMs } = cards ?? { declined: 0, paid: 0, sinceMs: 0 }
  const facts = { declined, paid, minutes: MINUTES }
  if (declined < LIMITS.declinedCardsOfNetworkMax || declined <= paid) {
    return ok("cards_accepted", facts)
  }
  const since = Math.ceil(sinceMs / 60_000)
  return warning(hasCaptcha ? "cards_declined_captcha" : "cards_declined", { ...facts, since })
}

/** No payment depends on it, but people wait for what they are not told. */
function untoldLine({ untold = { triedAgain: 0, givenUp: 0 } }: HealthFacts): Line {
  const { triedAgain, givenUp } = untold
  if (triedAgain + givenUp === 0) return ok("notifications_sent")
  return warning("notifications_failing", { tried_again: triedAgain, given_up: givenUp })
}

function lastCallLine({ calls, lastAnswerMsAgo }: HealthFacts): Line {
  if (lastAnswerMsAgo === null) {
    return calls > 0 ? failed("last_answer_none") : skipped("not_called")
  }
  const facts = { seconds: Math.round(lastAnswerMsAgo / 1_000) }
  const isOld = calls >= LIMITS.healthCallsMin && lastAnswerMsAgo > LIMITS.healthCallsWithinMs
  return isOld ? failed("last_answer_old", facts) : ok("last_answer", facts)
}
