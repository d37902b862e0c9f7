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
import { until } from "../support/until"
import { DUE, NOT_FAILED_YET, REFUND_NOT_RIGHT, REFUND_UNDER_WAY, UNFINISHED } from "./due"
import type { Act } from "../histories/messages"
import { loseSubmit, moveFrom, rotateAt } from "./changes"
import { METHODS, PROVIDERS, type Commands, type Means, type Method } from "../histories/commands"
import { clickRefund, Shop } from "../histories/shop"
import { answerBanks, payOnPages } from "./payers"
import { APPROVED_AFTER_MS, CHECKS_MAX, openGateway, TRIES, type Cast, type Setup } from "./setup"
import { IN_MEDUSA } from "./medusa-faults"
import { medusaFor, type Fake } from "./refusing-medusa"
import { PHONE } from "../histories/secrets"
import { DOUBT_REFUNDS, FORGET, HELD, LEFT_OF_PAID, moveOf, REFILL } from "./harness-sql"
import { isWorthAnotherTry, type Answer, type WorkerProcess } from "../histories/worker-process"

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
    readonly cast: Cast,
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

  readonly startTwice = (methods: readonly Method[]) =>
    this.startAtOnce(methods.flatMap((method) => this.requestOf(method) ?? []))

  /** In the same moment, each in another process. */
  async startAtOnce(requests: readonly Omit<StartRequest, "phone">[]): Promise<void> {
    const asked = requests.map(async (request, index) => {
      const worker = this.cast.survivors[index]
      if (worker)
        this.note(await worker.ask({ act: "start", request: { phone: PHONE, ...request } }))
    })
    await Promise.all(asked)
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

  private async untilAnswered(
    press: () => Promise<Answer>,
    pressesAfterDeath = false,
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await press()
      const isPressedAgain = answer.kind === "died" ? pressesAfterDeath : isWorthAnotherTry(answer)
      if (!isPressedAgain) return
    }
  }

  /** An admin sends money out, and presses again, under the same key, where no answer comes. */
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
    const { left = 0 } = (await this.paid()) ?? {}
    if (left > 0) await this.refund(left.toFixed(5))
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
    await this.untilAnswered(() => this.anybody({ act: "resolve", resolution }), true)
  }

  /** As if nobody had answered for the days that a refund is asked about. */
  readonly doubtRefund = () =>
    this.cast.ledger.sql(DOUBT_REFUNDS).then(() => this.pass(APPROVED_AFTER_MS))
  private async paid(): Promise<{ left: number } | undefined> {
    const [row] = await this.cast.ledger.sql(LEFT_OF_PAID)
    return this.cart.payments.length === 0 ? undefined : row && { left: Number(row["left"]) }
  }

  /** The victim while it is there, else another; while it is frozen, the other acts, too. */
  private async anybody(
    act: Act,
    meanwhile = async (other: WorkerProcess) => this.note(await other.ask(act)),
  ): Promise<Answer> {
    const [other] = this.cast.survivors
    if (!other) throw new Error("nobody is left")
    if (!this.isVictimThere) return this.note(await other.ask(act))
    const answer = await this.cast.victim.askInTime(act)
    if (answer.kind === "died") {
      this.deaths += 1
      this.isVictimThere = false
      return answer
    }
    if (answer.kind !== "stopped") return this.note(answer)
    await meanwhile(other)
    return this.overtaken(answer.resumed)
  }

  /** While a worker is frozen, another gives a part back, once the lease of the first is over. */
  private clicked(amount: string): Promise<Answer> {
    const meanwhile = (other: WorkerProcess) =>
      this.pass(LIMITS.leaseMs).then(() => this.click(other, A_PART))
    return clickRefund(this.cart, amount, (rowId) =>
      this.anybody({ act: "refund", rowId }, meanwhile),
    )
  }

  private click(worker: WorkerProcess, amount: string): Promise<Answer> {
    return clickRefund(this.cart, amount, async (rowId) =>
      this.note(await worker.ask({ act: "refund", rowId })),
    )
  }

  /** Medusa's own process dies after our yes: its row stands, and nothing else. */
  async refundByHalf(medusaAmount: string): Promise<void> {
    const [, other] = this.cast.survivors
    if (!other || !(await this.paid())) return
    const row = openMedusaRefund(this.cart, medusaAmount, null)
    const answer = this.note(await other.ask({ act: "refund", rowId: row }))
    if (answer.kind !== "done") closeMedusaRefund(this.cart, row, true)
  }

  /** Medusa swallows that its refund was refused: the order reads cancelled and refunded (H24). */
  async cancelOrder(): Promise<void> {
    if (!(await this.paid())) return
    await this.refund(TOTAL)
    if (this.cart.refunds.length === 0) writeCanceling(this.cart, TOTAL)
  }

  /** Medusa made its row, and its process died before it asked the provider. */
  readonly leaveRow = (amount: string) =>
    this.unasked(() => openMedusaRefund(this.cart, amount, null))

  /** Medusa swallows a refusal of which the ledger knows nothing. */
  readonly cancelUnasked = () => this.unasked(() => writeCanceling(this.cart, TOTAL))

  private async unasked(write: () => unknown): Promise<void> {
    if (await this.paid()) write()
    await this.pass(LIMITS.leaseMs)
  }

  /** The sweep comes by; where its worker dies, another's. */
  async mend(): Promise<void> {
    if ((await this.anybody({ act: "mend" })).kind === "died") await this.mend()
  }

  readonly payOnPage = (means: Means = "card") =>
    payOnPages(this.cast.ledger, this.simulator, means)
  readonly answerBank = (how: "pass" | "refuse") => answerBanks(this.simulator, how)
  readonly failOver = () => loseSubmit(this.cast.ledger)
  readonly rotate = () => rotateAt(this.cast)
  readonly move = async () =>
    void (this.movedTo = await moveFrom(this.cast, this.setup, this.clockAhead))

  /** Checks until nothing is left to be found, the last watch included. */
  readonly quiet = () => this.checkUntilNone(DUE)

  /** Checks until the gateway has said FAILED once; the second check is still to come. */
  readonly failedOnce = () => this.checkUntilNone(NOT_FAILED_YET)

  /** Checks until it is known of each refund that it arrived; what Medusa shows may still be missing. */
  readonly landed = () => this.checkUntilNone(REFUND_UNDER_WAY)

  /** Checks until Medusa shows each refund that went through, and nothing of the others. */
  readonly putRight = () => this.checkUntilNone(REFUND_NOT_RIGHT)

  /** Checks until every payment has its end; what ended is still watched. */
  readonly settled = () => this.checkUntilNone(UNFINISHED)

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

  private async checkUntilNone(due: string): Promise<void> {
    let leastMs = SMALLEST_STEP_MS
    for (let checks = 0; checks < CHECKS_MAX; checks++) {
      const [row] = await this.cast.ledger.sql(due)
      const inMs = row?.["in_ms"]
      if (inMs === null || inMs === undefined) return
      await this.pass(Math.max(0, Math.ceil(Number(inMs))) + leastMs)
      // What is due and not taken waits for the budget of its account, which fills with time.
      leastMs = (await this.everybody()) > 0 ? SMALLEST_STEP_MS : BUDGET_STEP_MS
    }
    this.surprises.push(`I7: not quiet after ${CHECKS_MAX} checks`)
  }

  /** The victim while it is there, then the two others at once. */
  async everybody(): Promise<number> {
    const answer = this.isVictimThere ? [await this.victim(CHECK)] : await this.others()
    // What comes of a late answer is written before time leaps past the lease.
    if (this.setup.medusaFault.checkIsOver()) {
      await until(async () => (await this.cast.ledger.sql(HELD)).length === 0, "it was written")
    }
    return answer.reduce((sum, one) => sum + (one.kind === "done" ? one.checked : 0), 0)
  }

  private async others(): Promise<Answer[]> {
    return (await Promise.all(this.cast.survivors.map((one) => one.ask(CHECK)))).map(this.note)
  }

  private async shopper(act: Act): Promise<void> {
    if (this.isVictimThere) {
      let answer = await this.victim(act)
      for (let tries = 1; tries < TRIES && isWorthAnotherTry(answer); tries++) {
        if (answer.kind === "failed" && this.setup.shopper === "never") return
        if (answer.kind === "failed" && this.setup.shopper === "later") await this.pass(LATER_MS)
        answer = await this.victim(act)
      }
      if (answer.kind !== "died" || this.setup.shopper === "never") return
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

  private async victim(act: Act): Promise<Answer> {
    const answer = await this.cast.victim.askInTime(act)
    // What it had under way was let come to its end, or was given up.
    if (this.cast.victim.isEnding()) await this.cast.victim.ended
    if (answer.kind === "died" || this.cast.victim.isEnding()) {
      this.deaths += 1
      this.isVictimThere = false
      return answer.kind === "done" ? answer : { kind: "died" }
    }
    if (answer.kind !== "stopped") return this.note(answer)
    return this.overtaken(answer.resumed)
  }

  /** The others take the frozen one's work over when its lease has ended; then it wakes up. */
  private async overtaken(resumed: Promise<Answer>): Promise<Answer> {
    this.deaths += 1
    this.isVictimThere = false
    await this.pass(LIMITS.leaseMs + APPROVED_AFTER_MS)
    await this.settled()
    this.cast.victim.resume()
    const answer = this.note(await resumed)
    this.isVictimThere = answer.kind !== "died"
    return answer
  }

  private readonly note = (answer: Answer): Answer => {
    // With its line to the database cut, a flow has nothing else to say.
    const isCut = this.setup.death?.by.startsWith("cut") === true
    const isMedusas = answer.kind === "failed" && IN_MEDUSA.test(answer.message)
    if (answer.kind === "failed" && !isCut && !isMedusas)
      this.surprises.push(`an error that is no refusal: ${answer.message}`)
    if (answer.kind === "died") this.surprises.push("a worker died by itself")
    return answer
  }
}
