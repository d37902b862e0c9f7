/**
 * One scenario's world: a simulator and a book of its own, a cart, and three processes over one ledger.
 * The first does everything until it dies at the chosen moment; the two others go on together from what
 * it left. Time passes for ledger and gateway alike, as far as the next look, and nothing sleeps.
 */
import { startSimulator, type Simulator } from "../../simulator"
import type { FaultEntry } from "../../simulator/faults"
import { LIMITS } from "../../src/core/limits"
import type { Resolution } from "../../src/flows/desk/resolve"
import { hostInMemory, newCart, newSession, type Cart } from "../support/host-in-memory"
import type { LedgerDatabase } from "../support/ledger-database"
import { HOSTED, PUSH } from "../support/flows-world"
import { DUE, dueOf, UNFINISHED } from "./due"
import type { Death } from "./failpoints"
import type { Act } from "./messages"
import type { Script } from "./scripts"
import { CLIENT_ID, CLIENT_SECRET, PASSCODE, PHONE } from "./secrets"
import type { Told, WorkerProcess } from "./worker-process"

/** What the shopper does whose `start` died: presses again at once, a little later, or never. */
export type Shopper = "at once" | "later" | "never"

export type Cast = {
  readonly ledger: LedgerDatabase
  readonly victim: WorkerProcess
  readonly survivors: readonly WorkerProcess[]
}

export type Plot = {
  readonly seed: string
  readonly script: Script
  readonly faults: Readonly<Record<string, readonly FaultEntry[]>>
  readonly isDocumentFirst: boolean
  readonly isOrderFirst: boolean
  readonly death: Death
  readonly shopper: Shopper
  /** How often Medusa refuses to complete the cart. */
  readonly hostRefuses: number
  readonly isOrphanRefunded: boolean
}

const TOTAL = "19.99"
const A_PART = "10"
const COLLECTION = "pay_col_1"
const APPROVED_AFTER_MS = 20_000
const LATER_MS = 40_000
/** A payment that nobody answers is looked at some sixty times in its three days. */
const LOOKS_MAX = 200
/** No moment of the schedule is nearer. */
const SMALLEST_STEP_MS = 5
const BUDGET_STEP_MS = 1_000
/** How often a shopper presses who hears that the payment service does not answer. */
const TRIES = 4

/** One statement that moves every moment of every table of ours back by `$1` ms. */
const MOVE = `
  select 'with ' || string_agg(format('%1$s_moved as (update %1$I set %2$s)', table_name, moves), ', ')
         || ' select 1' as statement
    from (select table_name,
                 string_agg(format('%1$I = %1$I - $1 * interval ''1 ms''', column_name), ', ') as moves
            from information_schema.columns
           where table_schema = 'public' and table_name like 'mp\\_%'
             and data_type like 'timestamp%'
           group by table_name) of_table`
/** The catalogue is slow to read, and the same for all scenarios of a database. */
const moves = new WeakMap<LedgerDatabase, string>()

const FORGET = `truncate mp_operation, mp_operation_session, mp_operation_event, mp_receipt, mp_party`
/** What one scenario has asked, or was asked to pause, is no matter of the next. */
const REFILL = `
  update mp_account
     set fee_bearer = $1, policies = jsonb_build_object('refund_orphans', $2::boolean),
         order_placement = $3, checks_per_second = checks_per_second_max,
         checks_left = checks_per_second_max, checks_paused_until = null, checks_slowed_at = null`

export class Stage {
  private deaths = 0
  /** What no flow may do: an error that is no refusal, a schedule that does not end. */
  readonly surprises: string[] = []
  private isVictimThere = true

  private constructor(
    private readonly cast: Cast,
    private readonly plot: Plot,
    readonly simulator: Simulator,
    readonly cart: Cart,
    private readonly host: StandIn,
    private readonly clockAhead: { ms: number },
  ) {}

  static async open(cast: Cast, plot: Plot): Promise<Stage> {
    const { ledger, victim, survivors } = cast
    const clockAhead = { ms: 0 }
    const simulator = await startSimulator({
      port: 0,
      seed: plot.seed,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      passcode: PASSCODE,
      // The processes' own clocks do not leap.
      tokenLifeMinutes: 10_000_000,
      clock: { now: () => Date.now() + clockAhead.ms },
      newSourceStatus: plot.isDocumentFirst ? "IDLE" : "ACTIVE",
      // Who counts on the gateway to stop the second refund is found out.
      partialRefunds: "UNCAPPED",
    })
    simulator.plan({ outcome: "approve", afterMs: APPROVED_AFTER_MS })
    const { outcome, refundOutcome } = plot.script
    if (refundOutcome) {
      simulator.plan({ operationType: "REFUND", outcome: refundOutcome, afterMs: 500, times: 1 })
    }
    if (outcome) simulator.plan({ outcome, afterMs: APPROVED_AFTER_MS, times: 1 })
    for (const [operation, entries] of Object.entries(plot.faults)) {
      simulator.faults.script(operation, entries)
    }
    await ledger.sql(FORGET)
    await ledger.sql(REFILL, [
      plot.isDocumentFirst ? "PAYER" : null,
      plot.isOrphanRefunded,
      plot.isOrderFirst ? "order_first" : "pay_first",
    ])
    const cart = newCart(TOTAL)
    const host = refusing(hostInMemory(new Map([[COLLECTION, cart]]), ledger.database), plot)
    const opening = { gatewayUrl: simulator.url, speed: plot.script.speed ?? 1 }
    await Promise.all([
      victim.open({ ...opening, death: plot.death }, host),
      ...survivors.map((survivor) => survivor.open({ ...opening, death: null }, host)),
    ])
    const stage = new Stage(cast, plot, simulator, cart, host, clockAhead)
    stage.reload()
    return stage
  }

  /** A page is loaded: Medusa makes new sessions, one for each way to pay. */
  reload(): void {
    const made = [PUSH, HOSTED].map((providerId) =>
      newSession(COLLECTION, providerId, this.cart.total),
    )
    this.cart.sessions = made
  }

  /** The cart is edited; with `isShown` its sessions are made anew, too. */
  edit(total: string, isShown = true): void {
    this.cart.total = total
    if (isShown) this.reload()
  }

  /** The shopper places the order before it is paid. */
  async place(): Promise<void> {
    await this.host.completeCart(`cart_${COLLECTION}`)
  }

  async start(way: "phone" | "page"): Promise<void> {
    const session = this.cart.sessions.find(
      ({ providerId }) => providerId === (way === "phone" ? PUSH : HOSTED),
    )
    // A cart that is an order has no session left to start with.
    if (!session) return
    await this.shopper({ act: "start", request: { sessionId: session.id, phone: PHONE } })
  }

  /** Two tabs, in the same moment: one to pay by phone, one on the page. */
  async startTwice(): Promise<void> {
    const told = await Promise.all(
      this.cast.survivors.map((worker, index) => {
        const sessionId = this.cart.sessions[index]?.id ?? ""
        return worker.ask({ act: "start", request: { sessionId, phone: PHONE } })
      }),
    )
    for (const one of told) this.note(one)
  }

  async cancel(): Promise<void> {
    const session = this.cart.sessions.find(({ providerId }) => providerId === HOSTED)
    if (session) await this.shopper({ act: "cancel", sessionId: session.id })
  }

  /** An admin gives money back. Each click is another refund to Medusa. */
  async refund(hostAmount: string): Promise<void> {
    const paid = await this.paid()
    if (!paid) return
    const click = (amount = hostAmount) => refundOf(paid.id, amount, `ref_${(this.clicks += 1)}`)
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await this.anybody(click)
      if (told.kind === "died" || !isWorthAnotherTry(told)) return
    }
  }

  /** An admin sends money out, and presses again, under the same key, where nobody answers. */
  async send(act: Act): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await this.anybody(() => act)
      if (told.kind === "died" || !isWorthAnotherTry(told)) return
    }
  }

  /** All that is left of it, by what Medusa would still show as not given back. */
  async refundRest(): Promise<void> {
    const paid = await this.paid()
    if (paid && paid.left > 0) await this.refund(paid.left.toFixed(5))
  }

  /** Two admins, each in a process of its own, in the same moment. */
  async refundTwice(hostAmount: string): Promise<void> {
    const paid = await this.paid()
    if (!paid) return
    const told = await Promise.all([
      this.anybody((amount = hostAmount) => refundOf(paid.id, amount, "ref_one")),
      ...this.cast.survivors
        .slice(1)
        .map((worker) => worker.ask(refundOf(paid.id, hostAmount, "ref_other"))),
    ])
    for (const one of told.slice(1)) this.note(one)
  }

  /** An admin decides about what waits; one whose process died, or was not answered, decides again. */
  async resolve(
    action: Resolution["action"],
    type: "COLLECTION" | "REFUND" | "PAYOUT" = "COLLECTION",
  ): Promise<void> {
    const [row] = await this.cast.ledger.sql(
      "select id from mp_operation where state = 'review' and type = $1",
      [type],
    )
    if (!row) return
    const note = "looked it up in the portal"
    const resolution = { operationId: String(row["id"]), action, note, adminId: "user_ada" }
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await this.anybody(() => ({ act: "resolve", resolution }))
      if (told.kind !== "died" && !isWorthAnotherTry(told)) return
    }
  }

  /** As if nobody had answered for the days that a refund is asked about. */
  async doubtRefund(): Promise<void> {
    await this.cast.ledger.sql(
      `with moved as (
         update mp_operation set state = 'review', reason = 'no_answer', version = version + 1,
                next_check_at = null, lease_token = null, lease_until = null
          where type = 'REFUND' and state in ('submitted', 'in_flight') returning *)
       insert into mp_operation_event (operation_id, seq, name, state, why)
       select id, version, 'doubt', state, 'no final answer' from moved`,
    )
    await this.pass(APPROVED_AFTER_MS)
  }

  private clicks = 0

  private async paid(): Promise<{ id: string; left: number } | undefined> {
    const [row] = await this.cast.ledger.sql(
      `select p.id, p.collected_minor / 100.0 - coalesce(sum(r.host_amount), 0) as left
         from mp_operation p
         left join mp_operation r on r.parent_id = p.id and r.state not in ('failed', 'expired')
        where p.type = 'COLLECTION' and p.state = 'completed' and p.returned_at is null
        group by p.id, p.collected_minor`,
    )
    return row && { id: String(row["id"]), left: Number(row["left"]) }
  }

  /** The victim while it is there, else another; beside one that is frozen the other gives a part back. */
  private async anybody(act: (amount?: string) => Act): Promise<Told> {
    const [other] = this.cast.survivors
    if (!other) throw new Error("nobody is left")
    if (!this.isVictimThere) return this.note(await other.ask(act()))
    const told = await this.cast.victim.ask(act())
    if (told.kind === "died") {
      this.deaths += 1
      this.isVictimThere = false
      return told
    }
    if (told.kind !== "stopped") return this.note(told)
    this.note(await other.ask(act(A_PART)))
    return this.overtaken(told.resumed)
  }

  /** A person who was given the address of an open payment page pays there. */
  async payOnPage(): Promise<void> {
    const pages = await this.cast.ledger.sql(
      `select source_id from mp_operation
        where flow = 'hosted' and hosted_url is not null and submitted_at is not null`,
    )
    for (const { source_id } of pages) {
      const sourceId = Number(source_id)
      if (this.simulator.book.document(sourceId)?.status !== "ACTIVE") continue
      this.simulator.hosted.pay(sourceId, { method: "card" })
    }
  }

  /** Looks until nothing is left to be found, the last watch included. */
  quiet(): Promise<void> {
    return this.lookUntilNone(DUE)
  }

  /** Looks until the gateway has said FAILED once; the second look is still to come. */
  failedOnce(): Promise<void> {
    return this.lookUntilNone(dueOf(`${UNFINISHED} and failed_at is null and recorded_at is null`))
  }

  /** Looks until every payment has its end; what ended is still watched. */
  settled(): Promise<void> {
    return this.lookUntilNone(dueOf(UNFINISHED))
  }

  async pass(ms: number): Promise<void> {
    const { ledger } = this.cast
    const move = moves.get(ledger) ?? String((await ledger.sql(MOVE))[0]?.["statement"])
    moves.set(ledger, move)
    await ledger.sql(move, [ms])
    this.clockAhead.ms += ms
  }

  /** Processes that were killed or frozen, and lines to the database that were cut. */
  get kills(): number {
    return this.deaths + this.cast.victim.cuts()
  }

  async close(): Promise<void> {
    await this.cast.victim.end()
    await this.simulator.close()
  }

  private async lookUntilNone(due: string): Promise<void> {
    let leastMs = SMALLEST_STEP_MS
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const [row] = await this.cast.ledger.sql(due)
      const inMs = row?.["in_ms"]
      if (inMs === null || inMs === undefined) return
      await this.pass(Math.max(0, Math.ceil(Number(inMs))) + leastMs)
      // What is due and not taken waits for the budget of its account, which fills with time.
      leastMs = (await this.everybody()) > 0 ? SMALLEST_STEP_MS : BUDGET_STEP_MS
    }
    this.surprises.push(`I7: not quiet after ${LOOKS_MAX} looks`)
  }

  /** The victim while it is there, then the two others at once. */
  private async everybody(): Promise<number> {
    const act = { act: "check" } as const
    const told = this.isVictimThere
      ? [await this.victim(act)]
      : (await Promise.all(this.cast.survivors.map((one) => one.ask(act)))).map(this.note)
    return told.reduce((sum, one) => sum + (one.kind === "done" ? one.looked : 0), 0)
  }

  private async shopper(act: Act): Promise<void> {
    if (this.isVictimThere) {
      let told = await this.victim(act)
      for (let tries = 1; tries < TRIES && isWorthAnotherTry(told); tries++) {
        if (told.kind === "failed" && this.plot.shopper === "never") return
        if (told.kind === "failed" && this.plot.shopper === "later") await this.pass(LATER_MS)
        told = await this.victim(act)
      }
      if (told.kind !== "died" || this.plot.shopper === "never") return
      if (this.plot.shopper === "later") {
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
    const told = await this.cast.victim.ask(act)
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
    const isCut = this.plot.death.by.startsWith("cut")
    if (told.kind === "failed" && !isCut)
      this.surprises.push(`an error that is no refusal: ${told.message}`)
    if (told.kind === "died") this.surprises.push("a worker died by itself")
    return told
  }
}

function refundOf(operationId: string, hostAmount: string, hostRefundId: string): Act {
  return {
    act: "refund",
    request: {
      operationId,
      hostAmount,
      capturedAmount: TOTAL,
      hostRefundId,
      askedBy: "medusa",
      why: "an admin gives it back",
      isWaitedFor: true,
    },
  }
}

/** The shop, or the payment service, does not answer: people press again. */
function isWorthAnotherTry(told: Told): boolean {
  return told.kind === "failed" || (told.kind === "refused" && told.code === "gateway_unavailable")
}

type StandIn = ReturnType<typeof hostInMemory>

/** Medusa refuses to complete the cart some times: stock is short, the database away. */
function refusing(host: StandIn, { hostRefuses }: Plot): StandIn {
  let left = hostRefuses
  return {
    ...host,
    async completeCart(cartId) {
      left -= 1
      if (left >= 0) throw new Error("Some variant does not have the required inventory")
      return host.completeCart(cartId)
    },
  }
}
