/**
 * A worker process: the product's flows over their own connection to PostgreSQL and their own
 * client of the gateway. The referee asks it for one act at a time. Medusa is in the referee's
 * process, because Medusa's tables outlive any process.
 */
import { keyedDigest } from "../../src/medusa/secrets/keyed-digest"
import fs from "node:fs"
import { Pool } from "pg"
import { Refusal } from "../../src/core/refusal"
import { systemClock, storeIds, systemRandom, type Clock, type Logger } from "../../src/core/ports"
import { bounded } from "../../src/worker/bounded"
import { announce, type EventBus } from "../../src/worker/announce"
import { cancelPayment } from "../../src/checkout/cancel-payment"
import { checkDueOperations } from "../../src/worker/check-due-operations"
import { checkPaymentsOfOrder, closePaymentsOfOrder } from "../../src/orders/changed-order"
import type { FlowDeps } from "../../src/engine/deps"
import { resolveOperation } from "../../src/review/resolve"
import { refuseOrderCancel } from "../../src/orders/guard-order"
import { MedusaRefusal, type MedusaPort, type MedusaRefunds } from "../../src/engine/medusa-port"
import { makePaymentLink } from "../../src/payment-links/make-link"
import { listPaymentMethods } from "../../src/checkout/offer/payment-methods"
import { readStatus } from "../../src/checkout/read-status"
import { fetchReceipts } from "../../src/worker/receipts"
import { approvePayout } from "../../src/payouts/approve-payout"
import { requestPayout } from "../../src/payouts/request-payout"
import { requestTransfer } from "../../src/payouts/request-transfer"
import { sweepRefunds } from "../../src/reconciliation/sweep"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import { retryRefund } from "../../src/review/retry-refund"
import { startPayment } from "../../src/checkout/start-payment"
import { underWay } from "../../src/worker/under-way"
import { createGateway, type Gateway } from "../../src/gateway"
import { listAccounts } from "../../src/ledger/accounts/find-accounts"
import { adoptCredential } from "../../src/ledger/accounts/credentials"
import { databaseOver, type Database } from "../../src/ledger/database"
import { worldNowMs, type Pace } from "./pace"
import { watching, type Watched } from "../support/moments"
import { callsAround, databaseAround } from "../support/ports-around"
import { workInProgress } from "../../src/worker/work-in-progress"
import { flowBasics } from "../support/flow-basics"
import { openLine, type DatabaseLine } from "./database-line"
import { deadly, type Means } from "./death"
import { refundingHere, type RefundWriting } from "./medusa-refund"
import type { Act, FromWorker, Opening, Question, ToWorker } from "./messages"
import { CLIENT_ID, CLIENT_SECRET, PHONE, ROTATED_ID, ROTATED_SECRET } from "./secrets"

/** Pauses between tries are no part of what is proven here. */
const PAUSES_DIVIDED_BY = 20
/** A slow machine must not be mistaken for a Medusa that hangs. */
const HANGS_DIVIDED_BY = 12
const CHECKS_AT_MOST = 50
const STANDARD_INPUT = 0

const say = (message: FromWorker) => void process.send?.(message)

let line: DatabaseLine
let ledger: Database

async function connect(databaseUrl: string): Promise<void> {
  line = await openLine(databaseUrl)
  const pool = new Pool({ connectionString: line.url, max: 5 })
  pool.on("error", () => {})
  // One in use may break, too: its statement hears of it, and nobody else has to.
  pool.on("connect", (client) => void client.on("error", () => {}))
  ledger = databaseOver({
    client: {
      acquireConnection: () => pool.connect(),
      releaseConnection: (connection) => {
        if ("release" in connection && typeof connection.release === "function") {
          connection.release()
        }
        return Promise.resolve()
      },
    },
  })
}

const log = (message: string) => console.log(message)
const logger: Logger = { debug: log, info: log, warn: log, error: log }

type Waiting = { resolve(value: unknown): void; reject(error: Error): void }
const asked = new Map<number, Waiting>()
let questions = 0

/** Each question goes to the referee, whose fake of Medusa answers it. */
const asking = new Proxy(Object.create(null) as MedusaPort & MedusaRefunds & RefundWriting, {
  get:
    (_target, question: Question) =>
    (...given: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = (questions += 1)
        asked.set(id, { resolve, reject })
        say({ say: "ask_host", id, question, given })
      }),
})

/** As the application has it. */
let medusa = asking

const trueSetTimeout = globalThis.setTimeout

function hasten(speed: number): void {
  const hasty = (act: () => void, ms = 0, ...given: []) =>
    trueSetTimeout(act, speed === 1 ? ms : ms / speed, ...given)
  Object.assign(globalThis, { setTimeout: speed === 1 ? trueSetTimeout : hasty })
}

let pace: Pace | null = null

function hastyClock(speed: number): Clock {
  return {
    now: () => (pace ? new Date(worldNowMs(pace)) : systemClock.now()),
    monotonicMs: () => systemClock.monotonicMs() * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / PAUSES_DIVIDED_BY / (pace ? 1 : speed), signal),
  }
}

/** Of the bound of a call into Medusa: a minute, and five seconds where one is to hang. */
function boundClock(speed: number): Pick<Clock, "sleep"> {
  const divisor = speed === 1 ? 1 : HANGS_DIVIDED_BY
  return { sleep: (ms, signal) => systemClock.sleep(ms / divisor, signal) }
}

const means: Means = {
  beforeStop: () => say({ say: "stopping" }),
  // A read that blocks the whole process until the referee writes; `process.stdin` would not block.
  stall: () => void fs.readSync(STANDARD_INPUT, Buffer.alloc(1)),
  cut(when) {
    say({ say: "cut" })
    line.cutNext(when)
  },
}

/** Only a worker that is to die, or is rehearsed, is watched at its exits. */
function watched({ death, isRehearsed }: Opening): Watched {
  if (!death && !isRehearsed) return { around: (_exit, act) => act(), begin: () => {} }
  return watching({
    ...(death ? { at: deadly(death, means) } : {}),
    ...(isRehearsed ? { passed: (passed) => say({ say: "passed", passed }) } : {}),
  })
}

let gatewayAheadMs = 0

/**
 * Time passes for the gateway by its clock, and for the ledger by moving what it has written. So an
 * end that the ledger sets is sent to the gateway in the gateway's time.
 */
function inGatewayTime({ sessions, checkouts, ...others }: Gateway): Gateway {
  const told = { ...sessions }
  const sources = { ...checkouts }
  const shift = (date: Date) => new Date(date.getTime() + gatewayAheadMs)
  sources.create = ({ expiresAt, ...request }, options) =>
    checkouts.create({ ...request, expiresAt: expiresAt && shift(expiresAt) }, options)
  told.refund = (request, options) =>
    sessions.refund({ ...request, expiresAt: shift(request.expiresAt) }, options)
  told.transfer = (request, options) =>
    sessions.transfer({ ...request, expiresAt: shift(request.expiresAt) }, options)
  return { ...others, sessions: told, checkouts: sources }
}

let isRotated = false
let moved: { readonly gatewayUrl: string; readonly gateway: Gateway } | undefined

/** No worker dies at its calls. */
function clientAt(gatewayUrl: string): Gateway {
  const given = { baseUrl: gatewayUrl, clock: hastyClock(1), logger }
  return inGatewayTime(
    createGateway({ ...given, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }),
  )
}

function depsOf(opening: Opening): FlowDeps {
  const { gatewayUrl, speed } = opening
  const clock = hastyClock(speed)
  watch = watched(opening)
  const { around } = watch
  const database = databaseAround(ledger, around)
  medusa = bounded(callsAround(asking, "medusa.", around), boundClock(speed))
  bus = callsAround(shop, "bus.", around)
  const client = createGateway({
    baseUrl: gatewayUrl,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    clock,
    logger,
  })
  const gateway = callsAround(inGatewayTime(client), "", around)
  const second = { clientId: ROTATED_ID, clientSecret: ROTATED_SECRET }
  const given = { baseUrl: gatewayUrl, clock, logger }
  const rotated = callsAround(inGatewayTime(createGateway({ ...given, ...second })), "", around)
  const revoked = createGateway({ ...given, clientId: CLIENT_ID, clientSecret: "revoked" })
  isRotated = false
  moved = undefined
  return {
    ...flowBasics(),
    database,
    logger,
    medusa,
    clock,
    random: systemRandom,
    ids: storeIds(keyedDigest({})),
    underWay: underWay(clock),
    worker: `crash-${process.pid}`,
    accounts: () => listAccounts(database),
    credentialOf: ({ id }) =>
      adoptCredential(database, {
        accountId: id,
        baseUrl: moved?.gatewayUrl ?? gatewayUrl,
        clientId: isRotated ? ROTATED_ID : CLIENT_ID,
      }),
    gatewayOf: () => moved?.gateway ?? (isRotated ? rotated : gateway),
    keptGateway: () => Promise.resolve(isRotated ? revoked : gateway),
  }
}

/**
 * As the application has it: told to end, its jobs begin nothing more and are waited for a while.
 */
let watch: Watched

const work = workInProgress(hastyClock(1))

async function pass(flows: FlowDeps): Promise<number> {
  let checked = 0
  await work.run(async (signal) => {
    checked = await checkDueOperations(flows, { atMost: CHECKS_AT_MOST, signal })
  })
  watch.begin("announce")
  await work.run(async (signal) => void (await announce({ ...flows, bus }, signal)))
  watch.begin("receipts")
  await work.run(async (signal) => {
    checked += await fetchReceipts(flows, signal)
  })
  return checked
}

/** The referee hears an announcement before the bus has taken it. */
const shop: EventBus = {
  emit: (announcements) =>
    new Promise((resolve, reject) => {
      const told = announcements.map(({ name, data }) => ({ name, eventId: data.event_id }))
      const heard = (error: Error | null) => (error ? reject(error) : resolve())
      process.send?.({ say: "announced", told } satisfies FromWorker, heard)
    }),
}

let bus = shop

function endAsTold(): void {
  say({ say: "ending" })
  void work.end().then(() => process.exit(0))
}

const FAILED = `
  select id from mp_operation
   where type = 'REFUND' and state in ('failed', 'expired') order by created_at limit 1`

async function retryFailed(flows: FlowDeps): Promise<void> {
  const [failed] = await flows.database.query(FAILED, [])
  const asked = (rowId: string) => sendRefundOfMedusa(flows, rowId)
  const itself = { ...flows, medusa: refundingHere(medusa, asked) }
  await retryRefund(itself, String(failed?.["id"]), "user_bea")
}

type ActOf<Name extends Act["act"]> = Extract<Act, { readonly act: Name }>

const ACTS: {
  [Name in Exclude<Act["act"], "open">]: (deps: FlowDeps, act: ActOf<Name>) => unknown
} = {
  start: (flows, { request }) => startPayment(flows, request),
  refund: (flows, { rowId }) => sendRefundOfMedusa(flows, rowId),
  retry: retryFailed,
  resolve: (flows, { resolution }) => resolveOperation(flows, resolution),
  payout: (flows, { request }) => requestPayout(flows, request),
  transfer: (flows, { request }) => requestTransfer(flows, request),
  approve: (flows, { requestId: id, adminId }) =>
    approvePayout(flows, { id, adminId, note: undefined }),
  cancel: cancelPayment,
  methods: (flows, { cartId }) => listPaymentMethods(flows, cartId),
  link: (flows, { orderId }) =>
    makePaymentLink(flows, { orderId, adminId: "user_ada", phone: PHONE }),
  "may cancel": (flows, { orderId }) => refuseOrderCancel(flows, orderId),
  "order canceled": (flows, { orderId }) => closePaymentsOfOrder(flows, orderId),
  "order changed": (flows, { orderId }) => checkPaymentsOfOrder(flows, orderId),
  status: readStatus,
  rotate: () => (isRotated = true),
  move: (_flows, { gatewayUrl }) => (moved = { gatewayUrl, gateway: clientAt(gatewayUrl) }),
  check: pass,
  mend: (flows) => sweepRefunds(flows, () => Promise.resolve()),
  pace: (_flows, act) => (pace = act.pace),
  cut: (_flows, { when }) => means.cut(when),
}

let deps: FlowDeps | undefined
let isConnected = false

/** @returns how many operations a pass has checked, for their payment or for their receipt */
async function carryOut(act: Act): Promise<number> {
  if (act.act === "open") {
    if (!isConnected) await connect(process.argv[2] ?? "")
    isConnected = true
    hasten(act.opening.speed)
    pace = act.opening.pace ?? null
    deps = depsOf(act.opening)
    return 0
  }
  if (!deps) throw new Error("nothing was opened")
  watch.begin(act.act)
  const carriedOut = ACTS[act.act] as (flows: FlowDeps, given: Act) => unknown
  const answer = await carriedOut(deps, act)
  return act.act === "check" ? Number(answer) : 0
}

function told(message: ToWorker): void {
  switch (message.say) {
    case "do": {
      const { id } = message
      gatewayAheadMs = message.aheadMs
      carryOut(message.act).then(
        (checked) => say({ say: "done", id, checked }),
        (error: unknown) =>
          say(
            error instanceof Refusal
              ? { say: "refused", id, code: error.code }
              : { say: "failed", id, message: String(error) },
          ),
      )
      return
    }
    case "host_answered":
      asked.get(message.id)?.resolve(message.value)
      asked.delete(message.id)
      return
    case "host_failed":
      asked
        .get(message.id)
        ?.reject(new (message.isRefusal ? MedusaRefusal : Error)(message.message))
      asked.delete(message.id)
  }
}

// The parent's watch lets the pipe go; here it is what keeps the process alive.
process.channel?.ref()
process.on("message", told)
process.once("SIGTERM", endAsTold)
