/**
 * Asks a gateway what the contract leaves open. Each movement of money is counted and its reference
 * written before its call; no movement is sent twice, unless the repeat is what was asked for.
 */
import { randomUUID } from "node:crypto"
import {
  endingOf,
  HARMLESS_QUESTIONS,
  intentField,
  majorText,
  numberForm,
  paymentIntentIn,
  wordSaid,
  type CallOptions,
  type CheckoutSource,
  type Gateway,
  type Lesson,
  type Money,
  type Outcome,
} from "merchant-payments-gateway"
import { budgetOf, OverLimit, type Budget } from "./budget"
import type { Made, Report } from "./report"
import type { Settings } from "./settings"

export type Ports = {
  readonly gateway: Gateway
  /** Ends the run: nothing more is sent, and the report says what is open. */
  readonly signal: AbortSignal
  /** Asks the operator; only `true` goes on. */
  readonly confirm: (question: string) => Promise<boolean>
  readonly say: (text: string) => void
  /** Keeps the report. Called before each call that may move money. */
  readonly save: (report: Report) => void
  readonly clock: { nowMs(): number; sleep(ms: number): Promise<void> }
}

/** Why the run ends here, as the report says it. */
class Ended extends Error {}

type Run = Ports & {
  readonly settings: Settings
  readonly report: Report
  readonly budget: Budget
  readonly how: CallOptions
}

const POLL_MS = 3_000
/** A prompt may wait for several minutes (contract, 2b). */
const POLLS_MAX = 200
/** More than a busy shop asks in ten seconds; so many at once as the plugin's own checks. */
const RATE_READS_MAX = 200
const RATE_READS_AT_ONCE = 10
/** Less than a gateway asks to wait, so the client shows a 429 instead of waiting it out. */
const RATE_READ_MS = 1_000

export async function runSuite(settings: Settings, ports: Ports): Promise<Report> {
  const budget = budgetOf(settings.limits)
  const report: Report = {
    startedAt: new Date(ports.clock.nowMs()).toISOString(),
    ...{ endedAt: null, ended: null, lessons: [], made: [], spent: budget.spent() },
  }
  const run: Run = { ...ports, settings, report, budget, how: { signal: ports.signal } }
  try {
    for (const amount of settings.amounts) {
      await askHarmless(run, amount)
      await collect(run, amount)
      if (settings.flags.has("--hosted")) await payHosted(run, amount)
    }
    // Last: after a 429 the gateway may refuse everything for a while.
    if (settings.flags.has("--rate")) await askRate(run)
  } catch (error) {
    if (!(error instanceof Ended || error instanceof OverLimit)) throw error
    report.ended = error.message
  } finally {
    report.endedAt = new Date(ports.clock.nowMs()).toISOString()
    report.spent = budget.spent()
    ports.save(report)
  }
  return report
}

async function askHarmless({ gateway, settings, report, how, signal }: Run, baseAmount: Money) {
  const wallet = await gateway.predictions.mmoProviderInfo({ phone: settings.phone }, how)
  if (wallet.kind !== "done") {
    learn(report, "operator", "predictions.mmoProviderInfo", null, wallet, null)
    throw new Ended("the gateway names no operator for the telephone")
  }
  const { paymentMethod, provider } = wallet.value
  const prediction = {
    ...{ baseAmount, targetCurrency: baseAmount.currency, paymentMethod, provider },
    ...({ operationType: "COLLECTION", feeBearer: "PAYEE" } as const),
  }
  const about = { prediction, unusedReference: randomUUID() }
  for (const ask of Object.values(HARMLESS_QUESTIONS)) {
    if (signal.aborted) throw new Ended("ended by the operator")
    report.lessons.push(await ask(gateway, about, how))
  }
}

function learn(
  report: Report,
  question: string,
  call: Lesson["call"],
  field: string | null,
  outcome: Outcome<unknown>,
  learned: string | null,
): void {
  const why = learned === null ? endingOf(outcome) : null
  report.lessons.push({ question, call, field, learned, why })
}

/** The value of a call without which the next can't be made. */
function valueOf<T>(run: Run, question: string, call: Lesson["call"], outcome: Outcome<T>): T {
  if (outcome.kind === "done") return outcome.value
  learn(run.report, question, call, null, outcome, null)
  throw new Ended(run.signal.aborted ? "ended by the operator" : `${call}: ${endingOf(outcome)}`)
}

async function makeSource(run: Run, amount: Money): Promise<[CheckoutSource, Made]> {
  const { gateway, settings, report, how } = run
  const made = noteMade(run, "source", amount)
  const outcome = await gateway.checkouts.create(
    {
      ...({ mode: "HOSTED", sourceType: "ORDER" } as const),
      ...{ partyPhone: settings.phone, currency: amount.currency, referenceId: made.reference },
      items: [{ name: "Order", amount }],
    },
    how,
  )
  const source = valueOf(run, "source_state", "checkouts.create", outcome)
  const { source_status: state, total_amount: total } = source.wire
  learn(report, "source_state", "checkouts.create", "source_status", outcome, wordSaid(state))
  learn(report, "source_amount", "checkouts.create", "total_amount", outcome, numberForm(total))
  if (source.status === "IDLE") {
    const published = await gateway.orders.publish(source.sourceId, how)
    valueOf(run, "source_published", "orders.publish", published)
  }
  return [source, made]
}

function noteMade({ report, save }: Run, kind: Made["kind"], amount: Money): Made {
  const text = `${majorText(amount)} ${amount.currency}`
  const made: Made = { kind, reference: randomUUID(), amount: text, state: "open" }
  report.made.push(made)
  save(report)
  return made
}

/** Counts what the payer would pay at most, and asks the operator before the first movement. */
async function mayMove(run: Run, what: string, amount: Money): Promise<void> {
  const isFirst = Object.values(run.budget.spent()).every((sum) => Number(sum) === 0)
  if (run.signal.aborted) throw new Ended("ended by the operator")
  if (isFirst && !run.settings.flags.has("--yes")) {
    const question = `${what}: ${majorText(amount)} ${amount.currency} of real money. Go on?`
    if (!(await run.confirm(question))) throw new Ended("the operator did not agree")
  }
  if (run.signal.aborted) throw new Ended("ended by the operator")
  run.budget.take(amount)
  run.report.spent = run.budget.spent()
}

/** All of a collection on the telephone but the execution. */
async function prepare(run: Run, amount: Money) {
  const { gateway, settings, how } = run
  const [source, made] = await makeSource(run, amount)
  const asked = { sourceType: "ORDER", sourceId: source.sourceId } as const
  const info = await gateway.predictions.mmoProviderInfo({ phone: settings.phone }, how)
  const wallet = valueOf(run, "operator", "predictions.mmoProviderInfo", info)
  const { paymentMethod, provider } = wallet
  const request = { ...asked, targetCurrency: amount.currency, paymentMethod, provider }
  const priced = await gateway.predictions.sourceAmountAndFees(request, how)
  const price = valueOf(run, "price", "predictions.sourceAmountAndFees", priced)
  const account = await gateway.paymentAccounts.create(
    {
      ...{ accountName: "Mobile money", provider, method: paymentMethod },
      ...{ partyId: source.partyId, phone: settings.phone },
    },
    how,
  )
  const existing = account.kind === "done" ? undefined : account.error.existing?.paymentAccountId
  const paymentAccountId = existing ?? valueOf(run, "account", "paymentAccounts.create", account).id
  const opened = await gateway.sessions.checkout(asked, how)
  const session = valueOf(run, "session", "sessions.checkout", opened)
  return { source: asked, made, payer: price.payerAmount, paymentAccountId, session }
}

async function collect(run: Run, amount: Money): Promise<void> {
  const { gateway, report, how, settings, clock } = run
  const { source, made: sourceMade, payer, paymentAccountId, session } = await prepare(run, amount)
  const most = payer.currency === amount.currency && payer.minor > amount.minor ? payer : amount
  await mayMove(run, "A payment on your telephone", most)
  const made = noteMade(run, "collection", most)
  const request = {
    ...{ sessionId: session.id, paymentAccountId, currency: amount.currency },
    referenceId: made.reference,
  }
  const startMs = clock.nowMs()
  const sent = await gateway.executions.collection(request, how)
  run.say(`Payment ${made.reference}: approve it on the telephone.`)
  learn(report, "execution_answer", "executions.collection", null, sent, endingOf(sent))
  if (sent.kind === "refused" || sent.kind === "not_sent") {
    made.state = "not sent"
    return
  }
  if (sent.kind === "done") {
    const { wire } = sent.value
    const field = intentField(wire)
    const found = field ? "there" : "in no known field"
    learn(report, "collection_intent_field", "executions.collection", field, sent, found)
    learn(
      report,
      "execution_word",
      "executions.collection",
      "status",
      sent,
      wordSaid(wire["status"]),
    )
  }
  await askRealtime(run, request)
  await followCollection(run, made, startMs)
  if (made.state === "completed") await followSource(run, source, sourceMade)
  if (settings.flags.has("--repeat")) await repeat(run, request, most)
  const intent = sent.kind === "done" ? paymentIntentIn(sent.value.wire) : undefined
  if (settings.flags.has("--refund") && made.state === "completed") {
    await refund(run, amount, intent)
  }
}

async function askRealtime(
  { gateway, report, how }: Run,
  request: Record<"sessionId", number> & {
    readonly referenceId: string
  },
) {
  const { sessionId, referenceId } = request
  const key = await gateway.realtimeKeys.collection(
    { sessionId, referenceId, sourceType: "ORDER" },
    how,
  )
  const life = key.kind === "done" ? `a key for ${key.value.expiresInSeconds} seconds` : null
  learn(report, "realtime_key", "realtimeKeys.collection", "expires_in", key, life)
}

async function followCollection(run: Run, made: Made, startMs: number): Promise<void> {
  const { gateway, report, how, clock } = run
  const words = new Set<string>()
  let isSeen = false
  for (let polls = 0; polls < POLLS_MAX && made.state === "open"; polls += 1) {
    if (run.signal.aborted) throw new Ended("ended by the operator")
    const seen = await gateway.status.collection(made.reference, how)
    if (seen.kind === "done") {
      if (!isSeen) {
        const lag = `${clock.nowMs() - startMs} ms`
        learn(report, "status_lag", "status.collection", null, seen, lag)
      }
      isSeen = true
      words.add(wordSaid(seen.value.wire["status"]))
      if (seen.value.status === "COMPLETED") made.state = "completed"
      if (seen.value.status === "FAILED") made.state = "failed"
    }
    if (made.state === "open") await clock.sleep(POLL_MS)
    else
      learn(report, "collection_words", "status.collection", "status", seen, [...words].join(", "))
  }
  if (made.state === "open") throw new Ended("the payment did not end: follow its reference")
}

type Source = { readonly sourceType: "ORDER"; readonly sourceId: number }

/** Waits until the source is paid, and looks for the payment intent in its answer. */
async function followSource(run: Run, source: Source, made: Made, name = "source"): Promise<void> {
  const { gateway, report, how, clock } = run
  const startMs = clock.nowMs()
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    if (run.signal.aborted) throw new Ended("ended by the operator")
    const seen = await gateway.status.source(source, how)
    if (seen.kind === "done" && seen.value.status === "PAID") {
      made.state = "completed"
      const { wire } = seen.value
      const lag = `${clock.nowMs() - startMs} ms`
      learn(report, `${name}_paid_lag`, "status.source", null, seen, lag)
      learn(report, `${name}_paid_word`, "status.source", "status", seen, wordSaid(wire["status"]))
      const field = intentField(wire)
      const found = field ? "there" : "in no known field"
      learn(report, `${name}_intent_field`, "status.source", field, seen, found)
      return
    }
    await clock.sleep(POLL_MS)
  }
  throw new Ended("the source was not paid in time: look at it in the merchant portal")
}

type Collection = Parameters<Gateway["executions"]["collection"]>[0]

/** The same request under the same reference. It counts as a second payment, in case it is one. */
async function repeat(run: Run, request: Collection, amount: Money): Promise<void> {
  await mayMove(run, "The same payment once more", amount)
  run.save(run.report)
  const again = await run.gateway.executions.collection(request, run.how)
  learn(run.report, "repeated_reference", "executions.collection", null, again, endingOf(again))
}

async function refund(run: Run, amount: Money, intent: number | undefined): Promise<void> {
  const { gateway, report, how, clock } = run
  if (intent === undefined) {
    const why = "no answer had the payment intent"
    const field = { call: "sessions.refund", field: null, learned: null } as const
    report.lessons.push({ question: "refund", ...field, why })
    return
  }
  const expiresAt = new Date(clock.nowMs() + 3_600_000)
  const asked = { originalPaymentIntentId: intent, amount, expiresAt }
  const session = valueOf(
    run,
    "refund",
    "sessions.refund",
    await gateway.sessions.refund(asked, how),
  )
  await mayMove(run, "A refund", amount)
  const made = noteMade(run, "refund", amount)
  const sent = await gateway.executions.refund(
    { sessionId: session.id, referenceId: made.reference },
    how,
  )
  learn(report, "refund", "executions.refund", null, sent, endingOf(sent))
  if (sent.kind === "refused" || sent.kind === "not_sent") made.state = "not sent"
  for (let polls = 0; polls < POLLS_MAX && made.state === "open"; polls += 1) {
    if (run.signal.aborted) throw new Ended("ended by the operator")
    const seen = await gateway.status.refund(made.reference, how)
    if (seen.kind === "done" && seen.value.status === "COMPLETED") made.state = "completed"
    if (seen.kind === "done" && seen.value.status === "FAILED") made.state = "failed"
    if (made.state === "open") await clock.sleep(POLL_MS)
  }
}

/** The operator pays on the page, where the fees are not known before: the whole rest is counted. */
async function payHosted(run: Run, amount: Money): Promise<void> {
  const [source, made] = await makeSource(run, amount)
  const asked = { sourceType: "ORDER", sourceId: source.sourceId } as const
  const rest = { ...amount, minor: run.budget.left(amount.currency) }
  await mayMove(run, "A payment on the page", rest)
  run.save(run.report)
  run.say(`Pay at ${source.url ?? "no page was given"}, and no more than the limit.`)
  await followSource(run, asked, made, "hosted")
}

/** Reads a reference that nothing has, until the gateway answers 429. */
async function askRate({ gateway, report, how, clock, signal }: Run): Promise<void> {
  const reference = randomUUID()
  const sinceMs = clock.nowMs()
  let answered = 0
  const passed = () => `within ${((clock.nowMs() - sinceMs) / 1_000).toFixed(1)} s`
  for (let reads = 0; reads < RATE_READS_MAX; reads += RATE_READS_AT_ONCE) {
    if (signal.aborted) throw new Ended("ended by the operator")
    const asked = Array.from({ length: RATE_READS_AT_ONCE }, () =>
      gateway.status.collection(reference, { ...how, deadlineMs: RATE_READ_MS }),
    )
    const seen = await Promise.all(asked)
    const limited = seen.filter((one) => one.kind !== "done" && one.error.status === 429)
    // A read without an answer proves no limit, and none that is absent.
    const silent = seen.filter((one) => one.kind !== "done" && one.error.status === undefined)
    answered += seen.length - limited.length - silent.length
    const [first] = limited
    const [unanswered] = silent
    if (unanswered && silent.length === seen.length) {
      return learn(report, "rate_limit", "status.collection", null, unanswered, null)
    }
    if (!first) continue
    const said = `${answered} reads ${passed()}, then ${endingOf(first)}`
    return learn(report, "rate_limit", "status.collection", null, first, said)
  }
  const none = `none in ${answered} reads ${passed()}`
  report.lessons.push({
    ...{ question: "rate_limit", call: "status.collection", field: null, learned: none, why: null },
  })
}
