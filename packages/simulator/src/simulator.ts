/**
 * Puts the parts together: one HTTP server with the API, its control routes and its pages over one
 * book, and the same controls for callers in the same process.
 */
import Fastify from "fastify"

import { openApi, type ApiParts } from "./api/serve"
import { operationsOf } from "./api/operations"
import { openRealtimeChannel } from "./api/realtime-channel"
import { createRateLimit } from "./api/rate-limit"
import { createTokens } from "./api/tokens"
import { openBook } from "./book/book-file"
import type { BookData } from "./book/records"
import { viewOf, type BookView, type ExecutionView } from "./book/view"
import { timeOf } from "./clock"
import { ownContract, type ContractViolation } from "./contract/contract"
import { openFaultControls } from "./control/fault-routes"
import { openPriceControls } from "./control/price-routes"
import { backOfficeOf, type BackOffice } from "./control/back-office"
import { openBackOffice } from "./control/back-office-routes"
import { openControls } from "./control/routes"
import { createSockets, type Connections } from "./sockets"
import { createFaults, type Faults } from "./faults"
import { addBodyFormats, addErrorAnswers } from "./http"
import { resolved, type SimulatorOptions } from "./options"
import { openBookPage } from "./pages/book-routes"
import { openProcessor } from "./pages/processor-routes"
import { openPages } from "./pages/routes"
import { createPlans, type Plan } from "./plans"
import { randomFrom } from "./random"
import { answerChallenge, challenged, type ChallengeKey } from "./rules/cards"
import { createExchange } from "./rules/exchange"
import { returnAddress } from "./rules/checkouts"
import { pricesOf, type Prices } from "./rules/prices"
import { timingOf, type TimingControl } from "./rules/timing"
import { answerPrompt, waitingPrompts, type PromptKey } from "./rules/handset"
import { HostedRefusal, payHosted, type HostedPayment } from "./rules/hosted"
import { openWallets } from "./rules/wallets"
import { createDraws } from "./wire/draws"
import { createWire } from "./wire/wire"
import type { World } from "./world"

export type Simulator = {
  /** Origin without a trailing slash; the API's base address. */
  url: string
  port: number
  /** The book, read at the moment of each call. */
  book: BookView
  /** Every record as a book file keeps it, with the counters of ids. */
  snapshot(): BookData
  /** Calls per operation since the start or `resetCalls()`; an operation never called is absent. */
  calls: Readonly<Record<string, number>>
  resetCalls(): void
  /** Answers of the simulator that the contract does not allow. */
  contractViolations: readonly ContractViolation[]
  /** Replaces the scenario's outcome for later executions. */
  plan(plan: Plan): void
  clearPlans(): void
  faults: Faults
  prices: Prices
  /** How long sessions live, and how far statuses lag. */
  timing: TimingControl
  /** Refuses connections for a while: clients meet the operating system's "connection refused". */
  connections: Connections
  /** Merchants, wallets, payment accounts and outgoing money. */
  backOffice: BackOffice
  /** Voids every bearer token issued so far. */
  revokeTokens(): void
  handset: {
    /** Prompts that wait for a person, oldest first. */
    pending(phone?: string): ExecutionView[]
    /** Answers a prompt: by reference, by phone (a text of digits alone), or by either as a key. */
    approve(key: PromptKey | string): ExecutionView
    decline(key: PromptKey | string): ExecutionView
  }
  /** 3-D Secure of a card on the shop's own page. */
  card: {
    /** Payments that wait for their shopper, oldest first. */
    pending(): ExecutionView[]
    pass(key: ChallengeKey): ExecutionView
    refuse(key: ChallengeKey): ExecutionView
  }
  hosted: {
    /** Pays on the hosted page, as a person does. Throws if the page would refuse it. */
    pay(sourceId: number, payment: HostedPayment): ExecutionView
    /** Leaves the page: the address that the payer is sent to. The source does not change. */
    cancel(sourceId: number): { cancelUrl: string | null }
  }
  /** Saves the book and ends every connection. */
  close(): Promise<void>
}

/** Any other value may mean production, whatever its case or spelling. */
const PLAY = ["", "development", "dev", "test", "demo", "staging", "local", "ci"]

/**
 * Starts a simulator. Rejects with a sentence in production, for an invalid option and if the port
 * is taken.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const environment = process.env["NODE_ENV"]?.trim() ?? ""
  if (!PLAY.includes(environment.toLowerCase())) {
    throw new Error(
      `The gateway simulator does not run with NODE_ENV=${environment}: it moves no money. ` +
        `Unset it, or set it to ${PLAY.filter(Boolean).join(", ")}.`,
    )
  }
  const settings = resolved(options)
  const contract = ownContract()
  const { book, close: closeBook } = openBook(settings.bookFile)
  const plans = createPlans()
  const tokens = createTokens(settings.seed)
  const faults = createFaults(contract.routes.map(({ operation }) => operation))
  Object.entries(settings.faults).forEach(([operation, script]) => faults.script(operation, script))
  faults.random(settings.randomFaults)
  const calls: Record<string, number> = {}
  const contractViolations: ContractViolation[] = []
  let url = ""
  const world: World = {
    book,
    time: timeOf(settings.clock, settings.speed),
    random: randomFrom(settings.seed, () => book.next("random")),
    plans,
    settings,
    exchange: createExchange(),
    habits: createDraws(settings.habits, settings.seed),
    predictedCards: new Map(),
    publicUrl: () => settings.publicUrl ?? url,
  }
  openWallets(world)
  const controls = {
    ...controlsOf(world),
    snapshot: () => structuredClone(book.toJSON()),
    calls,
    contractViolations,
    resetCalls: () => Object.keys(calls).forEach((operation) => delete calls[operation]),
    plan: plans.add,
    clearPlans: plans.clear,
    faults,
    prices: pricesOf(world),
    timing: timingOf(world),
    connections: {
      refuse: (forMs?: number) => sockets.refuse(forMs),
      accept: () => sockets.accept(),
    },
    backOffice: backOfficeOf(world),
    revokeTokens: tokens.revoke,
  }
  const app = Fastify()
  const sockets = createSockets(
    (request, response) => app.routing(request, response),
    settings.host,
  )
  const closing = new AbortController()
  addBodyFormats(app)
  addErrorAnswers(app)
  const onViolation = (violation: ContractViolation) => {
    contractViolations.push(violation)
    settings.onContractViolation(violation)
  }
  const parts: ApiParts = {
    world,
    contract,
    tokens,
    faults,
    rateLimit: createRateLimit(settings.requestsPerSecond),
    wire: createWire(settings.habits, settings.seed),
    calls,
    latencyMs: settings.latencyMs,
    refuseFor: (ms) => void sockets.refuse(ms),
    closing: closing.signal,
    onViolation,
  }
  openApi(app, parts, operationsOf(tokens))
  openRealtimeChannel(app, world, tokens)
  openControls(app, controls)
  openPriceControls(app, controls)
  openFaultControls(app, controls)
  openBackOffice(app, controls)
  openPages(app, world)
  openProcessor(app, world)
  openBookPage(app, world, {
    faults,
    calls,
    operations: contract.routes.map(({ operation }) => operation),
  })
  await app.ready()
  const port = await sockets.open(settings.port)
  url = `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`

  return {
    ...controls,
    url,
    port,
    async close() {
      closing.abort()
      await sockets.close()
      await app.close()
      closeBook()
      if (settings.isStrict && contractViolations.length > 0) {
        throw new Error(`Contract violations: ${JSON.stringify(contractViolations)}`)
      }
    },
  }
}

function controlsOf(world: World): Pick<Simulator, "book" | "handset" | "card" | "hosted"> {
  const book = viewOf(world)
  const seen = (reference: string): ExecutionView => {
    const execution = book.execution(reference)
    if (!execution) throw new Error(`There is no execution ${reference}.`)
    return execution
  }
  const keyOf = (key: PromptKey | string): PromptKey =>
    typeof key !== "string" ? key : /^\d+$/.test(key) ? { phone: key } : { reference: key }
  const answered = (key: PromptKey | string, isApproved: boolean) =>
    seen(answerPrompt(world, keyOf(key), isApproved).reference)
  const source = (sourceId: number) => {
    const document = world.book.documents.get(sourceId)
    if (!document) throw new HostedRefusal(`There is no source ${sourceId}.`)
    return document
  }
  return {
    book,
    handset: {
      pending: (phone) => waitingPrompts(world, phone).map(({ reference }) => seen(reference)),
      approve: (key) => answered(key, true),
      decline: (key) => answered(key, false),
    },
    card: {
      pending: () => challenged(world).map(({ reference }) => seen(reference)),
      pass: (key) => seen(answerChallenge(world, key, true).reference),
      refuse: (key) => seen(answerChallenge(world, key, false).reference),
    },
    hosted: {
      pay: (sourceId, payment) => seen(payHosted(world, source(sourceId), payment).reference),
      cancel: (sourceId) => ({ cancelUrl: returnAddress(world, source(sourceId), "cancelUrl") }),
    },
  }
}
