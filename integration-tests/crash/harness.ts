/**
 * One scenario: a simulator and a book of its own, a cart, and three processes over one ledger.
 * The first does everything until it dies at the chosen moment; the two others go on together from
 * what it left. Time passes for ledger and gateway alike, until the next check; nothing sleeps.
 */
import type { Simulator } from "../../packages/simulator/src"
import { LIMITS } from "../../src/core/limits"
import type { StartRequest } from "../../src/checkout/context"
import type { Resolution } from "../../src/review/resolve-collection"
import type { Cart } from "../support/medusa-in-memory"
import {
  closeMedusaRefund,
  openMedusaRefund,
  writeCanceling,
} from "../support/medusa-refunds-in-memory"
import type { LedgerDatabase } from "../support/ledger-database"
import { until } from "../support/until"
import { DUE, NOT_FAILED_YET, REFUND_NOT_RIGHT, REFUND_UNDER_WAY, UNFINISHED } from "./due"
import type { Act } from "../histories/messages"
import { loseSubmit, moveFrom, rotateAt } from "./changes"
import {
  METHODS,
  payPage,
  PROVIDERS,
  type Commands,
  type Means,
  type Method,
} from "../histories/commands"
import { clickRefund, Shop } from "../histories/shop"
import { APPROVED_AFTER_MS, CHECKS_MAX, openGateway, TRIES, type Setup } from "./setup"
import { IN_MEDUSA } from "./medusa-faults"
import { medusaFor, type Fake } from "./refusing-medusa"
import { PHONE } from "../histories/secrets"
import {
  DOUBT_REFUNDS,
  FORGET,
  HELD,
  LEFT_OF_PAID,
  moveOf,
  OPEN_PAGES,
  REFILL,
} from "./harness-sql"
import { isWorthAnotherTry, type Told, type WorkerProcess } from "../histories/worker-process"

export type Cast = {
  readonly ledger: LedgerDatabase
  readonly victim: WorkerProcess
  readonly survivors: readonly WorkerProcess[]
}

const TOTAL = "19.99"
const A_PART = "10"
const COLLECTION = "pay_col_1"
const LATER_MS = 40_000
/** No moment of the schedule is nearer. */
const SMALLEST_STEP_MS = 5
const BUDGET_STEP_MS = 1_000
const CHECK = { act: "check" } as const

export class Harness implements Commands {
  private deaths = 0
  /** What no flow may do: an error that is no refusal, a schedule that does not end. */
  readonly surprises: string[] = []
  private isVictimThere = true
  /** The gateway that the account has moved to. */
  movedTo: Simulator | undefined

  private constructor(
    private readonly cast: Cast,
    private readonly setup: Setup,
    readonly simulator: Simulator,
    readonly shop: Shop,
    private readonly medusa: Fake,
    private readonly clockAhead: { ms: number },
  ) {}

  static async open(cast: Cast, setup: Setup): Promise<Harness> {
    const { ledger, victim, survivors } = cast
    const clockAhead = { ms: 0 }
    const nowMs = () => Date.now() + clockAhead.ms
    const simulator = await openGateway(setup, nowMs)
    await ledger.sql(FORGET)
    await ledger.sql(REFILL, [
      setup.isDocumentFirst ? "PAYER" : null,
      setup.isOrphanRefunded,
      setup.isOrderFirst ? "order_first" : "pay_first",
    ])
    const shop = new Shop(nowMs)
    const cart = shop.open(COLLECTION, TOTAL)
    const medusa = medusaFor(cart, shop.medusa(ledger.database), { setup, workers: survivors })
    const opening = { gatewayUrl: simulator.url, speed: setup.script.speed ?? 1 }
    const asked = setup.medusaFault.around(medusa, cart)
    const ahead = () => clockAhead.ms
    await Promise.all([
      victim.open({ ...opening, death: setup.death, isRehearsed: setup.isRehearsed }, asked, ahead),
      ...survivors.map((survivor) => survivor.open({ ...opening, death: null }, asked, ahead)),
    ])
    const harness = new Harness(cast, setup, simulator, shop, medusa, clockAhead)
    setup.medusaFault.begin({ pass: (ms) => harness.pass(ms).then(() => harness.others()) })
    harness.reload()
    return harness
  }

  get cart(): Cart {
    return this.shop.cart(COLLECTION)
  }

  reload(): void {
    this.shop.load(COLLECTION, PROVIDERS)
  }

  edit(total: string, isShown = true): void {
    this.cart.total = total
    if (isShown) this.reload()
  }

  readonly place = () => this.medusa.completeCart(`cart_${COLLECTION}`)

  async start(method: Method): Promise<void> {
    const request = this.requestOf(method)
    // A cart that is an order has no session left to start with.
    if (request) await this.shopper({ act: "start", request })
  }

  async startTwice(methods: readonly Method[]): Promise<void> {
    await this.startAtOnce(methods.flatMap((method) => this.requestOf(method) ?? []))
  }

  /** In the same moment, each in another process. */
  async startAtOnce(requests: readonly Omit<StartRequest, "phone">[]): Promise<void> {
    const asked = this.cast.survivors.flatMap((worker, index) => {
      const [request] = requests.slice(index, index + 1)
      return request ? worker.ask({ act: "start", request: { phone: PHONE, ...request } }) : []
    })
    for (const one of await Promise.all(asked)) this.note(one)
  }

  private requestOf(method: Method) {
    const { providerId, with: more } = METHODS[method]
    const session = this.cart.sessions.find((one) => one.providerId === providerId)
    return session && { sessionId: session.id, phone: PHONE, ...more }
  }

  async cancel(): Promise<void> {
    const request = this.requestOf("page")
    if (request) await this.shopper({ act: "cancel", sessionId: request.sessionId })
  }

  /** One admin clicks until there is an answer; two do so once, each in a process of its own. */
  async refund(amount: string, admins = 1, otherAmount = amount): Promise<void> {
    if (!(await this.paid())) return
    if (admins === 1) return this.untilAnswered(() => this.clicked(amount))
    const others = this.cast.survivors.slice(1, admins)
    await Promise.all([
      this.clicked(amount),
      ...others.map((worker) => this.click(worker, otherAmount)),
    ])
  }

  private async untilAnswered(press: () => Promise<Told>): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await press()
      if (told.kind === "died" || !isWorthAnotherTry(told)) return
    }
  }

  /** An admin sends money out, and presses again, under the same key, where nobody answers. */
  send(act: Act): Promise<void> {
    return this.untilAnswered(() => this.anybody(act))
  }

  /** An admin has what failed made once more. Another presses when the lease of the first is over. */
  async retry(): Promise<void> {
    const act = { act: "retry" } as const
    await this.anybody(act, async (other) => {
      await this.pass(LIMITS.leaseMs)
      return this.note(await other.ask(act))
    })
    await this.pass(LIMITS.leaseMs)
    await this.send(act)
  }

  /** All that is left of it, by what Medusa would still show as not given back. */
  async refundRest(): Promise<void> {
    await this.pass(LIMITS.leaseMs) // A dead process's young row refuses another.
    const paid = await this.paid()
    if (paid && paid.left > 0) await this.refund(paid.left.toFixed(5))
  }

  /** An admin who sees that it did not go through clicks again; that one may fail, too. Then the sweep. */
  async untilAllIsBack(): Promise<void> {
    for (let clicks = 0; clicks < 2; clicks++) {
      await this.refundRest()
      await this.putRight()
    }
    await this.quiet()
    await this.pass(LIMITS.refundRowAbandonedMs)
    await this.mend()
  }

  /** An admin decides about what waits; one whose process died, or was not answered, decides again. */
  async resolve(
    action: Resolution["action"],
    type: "COLLECTION" | "REFUND" | "PAYOUT" = "COLLECTION",
  ): Promise<void> {
    const held = "select id from mp_operation where state = 'review' and type = $1"
    const [row] = await this.cast.ledger.sql(held, [type])
    if (!row) return
    const decided = { action, note: "looked it up in the portal", adminId: "user_ada" }
    const resolution = { operationId: String(row["id"]), ...decided }
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await this.anybody({ act: "resolve", resolution })
      if (told.kind !== "died" && !isWorthAnotherTry(told)) return
    }
  }

  /** As if nobody had answered for the days that a refund is asked about. */
  readonly doubtRefund = () =>
    this.cast.ledger.sql(DOUBT_REFUNDS).then(() => this.pass(APPROVED_AFTER_MS))
  private async paid(): Promise<{ left: number } | undefined> {
    const [row] = await this.cast.ledger.sql(LEFT_OF_PAID)
    return this.cart.payments.length === 0 ? undefined : row && { left: Number(row["left"]) }
  }

  /** The victim while it is there, else another; `beside` one that is frozen the other acts, too. */
  private async anybody(
    act: Act,
    beside = async (other: WorkerProcess) => this.note(await other.ask(act)),
  ): Promise<Told> {
    const [other] = this.cast.survivors
    if (!other) throw new Error("nobody is left")
    if (!this.isVictimThere) return this.note(await other.ask(act))
    const told = await this.cast.victim.askInTime(act)
    if (told.kind === "died") {
      this.deaths += 1
      this.isVictimThere = false
      return told
    }
    if (told.kind !== "stopped") return this.note(told)
    await beside(other)
    return this.overtaken(told.resumed)
  }

  /** While a worker is frozen, another gives a part back, once no lease holds the row of the first. */
  private clicked(amount: string): Promise<Told> {
    const beside = (other: WorkerProcess) =>
      this.pass(LIMITS.leaseMs).then(() => this.click(other, A_PART))
    return clickRefund(this.cart, amount, (rowId) => this.anybody({ act: "refund", rowId }, beside))
  }

  private click(worker: WorkerProcess, amount: string): Promise<Told> {
    return clickRefund(this.cart, amount, async (rowId) =>
      this.note(await worker.ask({ act: "refund", rowId })),
    )
  }

  /** Medusa's own process dies after our yes: its row stands, and nothing beside it. */
  async refundByHalf(medusaAmount: string): Promise<void> {
    const [, other] = this.cast.survivors
    if (!other || !(await this.paid())) return
    const row = openMedusaRefund(this.cart, medusaAmount, null)
    const told = this.note(await other.ask({ act: "refund", rowId: row }))
    if (told.kind !== "done") closeMedusaRefund(this.cart, row, true)
  }

  /** Medusa swallows that its refund was refused: the order reads cancelled and refunded (H24). */
  async cancelOrder(): Promise<void> {
    if (!(await this.paid())) return
    await this.refund(TOTAL)
    if (this.cart.refunds.length === 0) writeCanceling(this.cart, TOTAL)
  }

  /** Medusa made its row, and its process died before it asked anybody. */
  async leaveRow(medusaAmount: string): Promise<void> {
    if (await this.paid()) openMedusaRefund(this.cart, medusaAmount, null)
    await this.pass(LIMITS.leaseMs)
  }

  /** Medusa swallows a refusal of which the ledger knows nothing. */
  async cancelUnasked(): Promise<void> {
    if (await this.paid()) writeCanceling(this.cart, TOTAL)
    await this.pass(LIMITS.leaseMs)
  }

  /** The sweep comes by; where its worker dies, another's. */
  async mend(): Promise<void> {
    if ((await this.anybody({ act: "mend" })).kind === "died") await this.mend()
  }

  async payOnPage(means: Means = "card"): Promise<void> {
    for (const { source_id } of await this.cast.ledger.sql(OPEN_PAGES)) {
      const sourceId = Number(source_id)
      if (this.simulator.book.document(sourceId)?.status !== "ACTIVE") continue
      payPage(this.simulator, sourceId, means, PHONE)
    }
  }

  /** Each bank that asks, in the payer's browser: the shop takes no part in it. */
  answerBank(how: "pass" | "refuse"): void {
    const { card } = this.simulator
    for (const { reference } of card.pending()) card[how]({ reference })
  }

  readonly failOver = () => loseSubmit(this.cast.ledger)
  readonly rotate = () => rotateAt(this.cast)
  readonly move = async () =>
    void (this.movedTo = await moveFrom(this.cast, this.setup, this.clockAhead))

  /** Looks until nothing is left to be found, the last watch included. */
  readonly quiet = () => this.lookUntilNone(DUE)

  /** Looks until the gateway has said FAILED once; the second look is still to come. */
  readonly failedOnce = () => this.lookUntilNone(NOT_FAILED_YET)

  /** Looks until it is known of each refund that it arrived; what Medusa shows may still be missing. */
  readonly landed = () => this.lookUntilNone(REFUND_UNDER_WAY)

  /** Looks until Medusa shows each refund that went through, and nothing of the others. */
  readonly putRight = () => this.lookUntilNone(REFUND_NOT_RIGHT)

  /** Looks until every payment has its end; what ended is still watched. */
  readonly settled = () => this.lookUntilNone(UNFINISHED)

  async pass(ms: number): Promise<void> {
    const { ledger } = this.cast
    await ledger.sql(await moveOf(ledger), [ms])
    this.clockAhead.ms += ms
  }

  /** Processes that were killed or frozen, and lines to the database that were cut. */
  get kills(): number {
    return this.deaths + this.cast.victim.cuts()
  }

  async close(): Promise<void> {
    if (this.setup.death !== null || !this.isVictimThere) await this.cast.victim.end()
    await this.simulator.close()
    await this.movedTo?.close()
  }

  private async lookUntilNone(due: string): Promise<void> {
    let leastMs = SMALLEST_STEP_MS
    for (let checks = 0; checks < CHECKS_MAX; checks++) {
      const [row] = await this.cast.ledger.sql(due)
      const inMs = row?.["in_ms"]
      if (inMs === null || inMs === undefined) return
      await this.pass(Math.max(0, Math.ceil(Number(inMs))) + leastMs)
      // What is due and not taken waits for the budget of its account, which fills with time.
      leastMs = (await this.everybody()) > 0 ? SMALLEST_STEP_MS : BUDGET_STEP_MS
    }
    this.surprises.push(`I7: not quiet after ${CHECKS_MAX} looks`)
  }

  /** The victim while it is there, then the two others at once. */
  private async everybody(): Promise<number> {
    const told = this.isVictimThere ? [await this.victim(CHECK)] : await this.others()
    // What comes of a late answer is written before time leaps past the lease.
    if (this.setup.medusaFault.checkIsOver()) {
      await until(async () => (await this.cast.ledger.sql(HELD)).length === 0, "it was written")
    }
    return told.reduce((sum, one) => sum + (one.kind === "done" ? one.checked : 0), 0)
  }

  private async others(): Promise<Told[]> {
    return (await Promise.all(this.cast.survivors.map((one) => one.ask(CHECK)))).map(this.note)
  }

  private async shopper(act: Act): Promise<void> {
    if (this.isVictimThere) {
      let told = await this.victim(act)
      for (let tries = 1; tries < TRIES && isWorthAnotherTry(told); tries++) {
        if (told.kind === "failed" && this.setup.shopper === "never") return
        if (told.kind === "failed" && this.setup.shopper === "later") await this.pass(LATER_MS)
        told = await this.victim(act)
      }
      if (told.kind !== "died" || this.setup.shopper === "never") return
      if (this.setup.shopper === "later") {
        await this.pass(LATER_MS)
        await this.everybody()
      }
    }
    const [first] = this.cast.survivors
    for (let tries = 0; first && tries < TRIES; tries++) {
      if (!isWorthAnotherTry(this.note(await first.ask(act)))) return
    }
  }

  private async victim(act: Act): Promise<Told> {
    const told = await this.cast.victim.askInTime(act)
    // What it had under way was let come to its end, or was given up.
    if (this.cast.victim.isEnding()) await this.cast.victim.ended
    if (told.kind === "died" || this.cast.victim.isEnding()) {
      this.deaths += 1
      this.isVictimThere = false
      return told.kind === "done" ? told : { kind: "died" }
    }
    if (told.kind !== "stopped") return this.note(told)
    return this.overtaken(told.resumed)
  }

  /** The others take the frozen one's work over when its lease has ended; then it wakes up. */
  private async overtaken(resumed: Promise<Told>): Promise<Told> {
    this.deaths += 1
    this.isVictimThere = false
    await this.pass(LIMITS.leaseMs + APPROVED_AFTER_MS)
    await this.settled()
    this.cast.victim.resume()
    const told = this.note(await resumed)
    this.isVictimThere = told.kind !== "died"
    return told
  }

  private readonly note = (told: Told): Told => {
    // With its line to the database cut, a flow has nothing else to say.
    const isCut = this.setup.death?.by.startsWith("cut") === true
    const isMedusas = told.kind === "failed" && IN_MEDUSA.test(told.message)
    if (told.kind === "failed" && !isCut && !isMedusas)
      this.surprises.push(`an error that is no refusal: ${told.message}`)
    if (told.kind === "died") this.surprises.push("a worker died by itself")
    return told
  }
}
