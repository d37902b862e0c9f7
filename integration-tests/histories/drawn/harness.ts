/**
 * One cart and everybody around it: shoppers in two tabs, two workers, the wallet, the payment
 * page, the merchant's portal and admin. The flows, the ledger and the gateway's book are real; the
 * Medusa is the one in memory, over the ledger's real answers.
 */
import type { Scheduler } from "fast-check"
import type { Simulator, Temper } from "../../../packages/simulator/src"
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { afterChange, guardCart } from "../../../src/checkout/guard-cart"
import { readStatus } from "../../../src/checkout/read-status"
import { idFrom, type AdminId } from "../../../src/core/ids"
import { resolveOperation } from "../../../src/review/resolve"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { startPayment } from "../../../src/checkout/start-payment"
import { createGateway, type Gateway } from "../../../src/gateway"
import { listAccounts } from "../../../src/ledger/accounts/find-accounts"
import { adoptCredential } from "../../../src/ledger/accounts/credentials"
import type { Means } from "../commands"
import { openSimulator } from "../gateway"
import type { History } from "../judge"
import { CLIENT_ID, CLIENT_SECRET, PHONE, PHONE_FORMS } from "../secrets"
import { clickRefund } from "../shop"
import { Onlooker } from "../onlooker"
import { HOSTED, PUSH } from "../../support/flows-harness"
import { medusaInMemory, type Cart } from "../../support/medusa-in-memory"
import type { DrivenClock } from "./clock"
import type { Command, Setting, Worker } from "./commands"
import { CART, COLLECTION, Medusa } from "./medusa"
import { depsOf, seededIds, seededRandom, type Fixture } from "./process-deps"
import type { DrivenLedger } from "./ledger"
import { payOnHandedOut } from "./pay-on-handed-out"
import { Processes } from "./processes"
import { Process, TurnTaking, type Told } from "./turn-taking"

const APPROVED_AFTER_MS = 20_000
const REFUNDED_AFTER_MS = 8_000
const CHECKS_AT_MOST = 50
const CHECKS_MAX = 200
/**
 * After so many checks in time the workers come late, as after an outage: it is another way to be
 * right.
 */
const CHECKS_IN_TIME = 8
const LATE_MS = 10 * 60_000
const ADMIN = idFrom<AdminId>("user_ada")

type ShopperTab = { sessionId: string | undefined }

type Given = {
  readonly ledger: DrivenLedger
  readonly clock: DrivenClock
  readonly wire: Temper
}

export class Harness {
  /** What no flow may do: an error that is no refusal, a schedule that does not end. */
  private readonly surprises: string[] = []
  private readonly logged: string[] = []
  private readonly medusa: Medusa
  private readonly tabs: readonly ShopperTab[] = [
    { sessionId: undefined },
    { sessionId: undefined },
  ]
  private readonly processes: Processes
  private isContradicted = false
  /** Whoever looks at pages, and waits for nobody's turn. */
  readonly onlooker: Onlooker
  private readonly turnTaking: TurnTaking
  private readonly fixture: Fixture

  private constructor(
    readonly ledger: DrivenLedger,
    readonly simulator: Simulator,
    private readonly gateway: Gateway,
    private readonly clock: DrivenClock,
    private readonly setting: Setting,
    merchant: Pick<Fixture, "accounts" | "credential">,
    scheduler: Scheduler,
  ) {
    this.turnTaking = new TurnTaking(scheduler)
    this.processes = new Processes(this.turnTaking, this.surprises, (process) =>
      depsOf(this.fixture, process),
    )
    this.medusa = new Medusa(clock)
    this.fixture = {
      clock,
      database: ledger.database,
      gateway,
      ...merchant,
      ids: seededIds(setting.seed),
      random: seededRandom(setting.seed),
      log: (line) => void this.logged.push(line),
      medusaOf: (process, database) => this.medusa.medusaOf(process, database),
    }
    const { database } = ledger
    const forNobody = () => depsOf(this.fixture, new Process("onlooker", this.turnTaking))
    const medusa = medusaInMemory(new Map([[COLLECTION, this.cart]]), database)
    this.onlooker = new Onlooker(
      simulator,
      seededRandom(setting.seed + 1),
      () => ({ ...forNobody(), database, medusa }),
      () => this.cart.sessions,
    )
    this.cart.nowMs = clock.nowMs
    if (setting.firstDies !== null) this.processes.doom("shop", setting.firstDies)
    this.medusa.postSession(setting.way === "phone" ? PUSH : HOSTED)
  }

  static async open(
    { ledger, clock, wire }: Given,
    setting: Setting,
    scheduler: Scheduler,
  ): Promise<Harness> {
    const { isDocumentFirst, seed } = setting
    clock.reset()
    await ledger.clear(isDocumentFirst ? "PAYER" : null)
    const simulator = await openSimulator(seed, clock.nowMs, {
      wire,
      newSourceStatus: isDocumentFirst ? "IDLE" : "ACTIVE",
    })
    simulator.plan({ outcome: "handset" })
    if (setting.firstExecution)
      simulator.faults.script("executeCollection", [setting.firstExecution])
    const gateway = createGateway({
      baseUrl: simulator.url,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      clock: clock.ofClient,
      random: seededRandom(seed),
    })
    const accounts = await listAccounts(ledger.database)
    const credential = await adoptCredential(ledger.database, {
      accountId: accounts[0]?.id ?? "",
      // Each simulator is the same gateway, whatever its port.
      baseUrl: "https://gateway.example",
      clientId: CLIENT_ID,
    })
    const merchant = { accounts, credential }
    return new Harness(ledger, simulator, gateway, clock, setting, merchant, scheduler)
  }

  /** Processes that died. */
  get kills(): number {
    return this.processes.kills
  }

  /** As the judge sees it. */
  get history(): History {
    return {
      query: (sql) => this.ledger.sql(sql),
      simulator: this.simulator,
      carts: new Map([[COLLECTION, this.cart]]),
      output: { texts: this.logged, secrets: [CLIENT_SECRET], phones: PHONE_FORMS },
      surprises: this.surprises,
    }
  }

  private get cart(): Cart {
    return this.medusa.cart
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await this.simulator.close()
  }

  /** Does what the command says, and lets everybody go on for its turns. */
  async carryOut(command: Command): Promise<void> {
    await this.begin(command)
    await this.turnTaking.play(command.turns)
  }

  /** Whoever is at work comes to an end; nobody begins. */
  finish(): Promise<void> {
    return this.turnTaking.finish()
  }

  /** Both workers look, at once, until nothing is left to be found, the last watch included. */
  async quiet(): Promise<void> {
    this.processes.spare()
    for (let checks = 0; checks < CHECKS_MAX; checks++) {
      const dueAtMs = await this.ledger.dueAtMs()
      if (dueAtMs === undefined) return
      this.clock.pass(dueAtMs - this.clock.nowMs())
      if (checks >= CHECKS_IN_TIME) this.clock.pass(LATE_MS)
      this.check("A")
      this.check("B")
      await this.turnTaking.finish()
    }
    this.surprises.push(`I7: not quiet after ${CHECKS_MAX} looks`)
  }

  /**
   * An admin answers each question that the payments' pages ask, by one of the answers that they
   * offer. What is offered is accepted, unless the gateway's line broke meanwhile.
   */
  async decide(): Promise<void> {
    if (!this.setting.decides) return
    for (const offer of await this.onlooker.decisions()) {
      const { operationId, action } = offer
      const isStruck = this.struckSince()
      this.processes.launch(
        this.processes.begin("shop"),
        (deps) => resolveOperation(deps, { operationId, action, note: "seen", adminId: ADMIN }),
        (told) => {
          if (told.kind !== "refused" || isStruck()) return
          if (this.onlooker.isRefusedRightly(offer, told.code)) return
          this.surprises.push(`shown: ${action} was offered, and refused: ${told.code}`)
        },
      )
      await this.turnTaking.finish()
      await this.quiet()
    }
  }

  /** Whether a fault has met a call since. */
  private struckSince(): () => boolean {
    const met = () => this.simulator.faults.history().length
    const before = met()
    return () => met() > before
  }

  /** What was paid goes back, while the workers look; then all is quiet again. */
  async giveBack(): Promise<void> {
    const { givesBack } = this.setting
    if (!givesBack || this.cart.payments.length === 0) return
    const { part, admins, outcome, firstDies } = givesBack
    await this.begin({ do: "refund ends", outcome, turns: 0 })
    if (firstDies !== null) this.processes.doom("shop", firstDies)
    await this.begin({ do: "refund", part, admins, turns: 0 })
    this.check("A")
    this.check("B")
    await this.turnTaking.finish()
    await this.quiet()
  }

  pass(ms: number): void {
    this.clock.pass(ms)
  }

  /** The last that the shopper does. */
  async shopperEnds(): Promise<void> {
    this.processes.spare()
    const { atTheEnd } = this.setting
    if (atTheEnd === "left") return
    if (atTheEnd === "paid") {
      // Whoever wants to pay presses once more; what is paid must not be asked for again.
      await this.begin({ do: "load", tab: 0, turns: 0 })
      await this.carryOut({ do: "start", tab: 0, turns: Number.POSITIVE_INFINITY })
    }
    const { pending, approve, decline } = this.simulator.handset
    for (const { reference } of pending()) {
      void (atTheEnd === "paid" ? approve : decline)({ reference })
    }
    if (atTheEnd === "paid") await this.payOnPage(0, "card")
  }

  private async begin(command: Command): Promise<void> {
    switch (command.do) {
      case "load":
        this.tab(command.tab).sessionId = this.cart.sessions[0]?.id
        return
      case "choose": {
        const providerId = command.way === "phone" ? PUSH : HOSTED
        return this.change({ paymentCollectionId: COLLECTION }, () => {
          this.medusa.postSession(providerId)
          this.tab(command.tab).sessionId = this.cart.sessions[0]?.id
        })
      }
      case "start": {
        const tab = this.tab(command.tab)
        tab.sessionId ??= this.cart.sessions[0]?.id
        const { sessionId } = tab
        if (sessionId === undefined) return
        return this.shopper((deps) => startPayment(deps, { sessionId, phone: PHONE }))
      }
      case "cancel":
      case "status": {
        const { sessionId } = this.tab(command.tab)
        if (sessionId === undefined) return
        const flow = command.do === "cancel" ? cancelPayment : readStatus
        return this.shopper((deps) => flow(deps, { sessionId }))
      }
      case "edit": {
        const edit = () => {
          this.cart.total = command.total
          this.medusa.postSession(this.cart.sessions[0]?.providerId ?? PUSH)
        }
        if (command.through === "store") return this.change({ cartId: CART }, edit)
        if (!this.medusa.isPlaced()) edit()
        return
      }
      case "answer": {
        const prompt = this.simulator.handset.pending()[command.prompt]
        if (!prompt) return
        const { approve, decline } = this.simulator.handset
        void (command.approves ? approve : decline)({ reference: prompt.reference })
        return
      }
      case "wallet":
        this.isContradicted ||= command.outcome === "decline_then_approve"
        this.simulator.plan({ outcome: command.outcome, afterMs: APPROVED_AFTER_MS, times: 1 })
        return
      case "pay":
        return this.payOnPage(command.page, command.with)
      case "close": {
        const source = this.simulator.book.documents()[command.source]
        if (source?.status === "ACTIVE") await this.gateway.orders.cancel(source.id)
        return
      }
      case "refund":
        for (let admin = 0; admin < command.admins; admin++) this.refund(command.part)
        return
      case "refund ends":
        this.simulator.plan({
          operationType: "REFUND",
          outcome: command.outcome,
          afterMs: REFUNDED_AFTER_MS,
          times: 1,
        })
        return
      case "check":
        this.check(command.worker)
        return
      case "kill":
        return this.processes.doom(command.who, command.moments)
      case "fault":
        this.simulator.faults.at({ operation: command.operation, call: 1, fault: command.fault })
        return
      case "refuse":
        this.medusa.refusals = command.times
        return
      case "pass":
        this.pass(command.ms)
    }
  }

  private payOnPage(page: number, means: Means): Promise<void> {
    // FAILED there, paid there again, then COMPLETED: the page takes both, and tells nobody of
    // ours.
    if (means === "phone" && this.isContradicted) return Promise.resolve()
    return payOnHandedOut(this.ledger, this.simulator, page, means).then((said) => {
      if (said !== undefined) this.logged.push(`the page: ${said}`)
    })
  }

  private tab(index: number): ShopperTab {
    const tab = this.tabs[index]
    if (!tab) throw new Error(`there is no tab ${index}`)
    return tab
  }

  /** A request of a shopper's, in a process of the shop. */
  private shopper(flow: (deps: FlowDeps) => Promise<unknown>): void {
    this.processes.launch(this.processes.serve("shop"), flow)
  }

  /** A worker takes one pass at a time. One that died is started again. */
  private check(name: Worker): void {
    if (this.processes.isAtWork(name)) return
    const worker = this.processes.serve(name)
    this.processes.launch(worker, (deps) => checkDueOperations(deps, { atMost: CHECKS_AT_MOST }))
  }

  /**
   * Medusa makes its row and asks; what follows from the answer it writes, unless it died with us.
   */
  private refund(part: string): void {
    const [payment] = this.cart.payments
    if (!payment || !this.cart.order) return
    const shop = this.processes.serve("shop")
    const amount = part === "all" ? (payment.amount ?? "0") : part
    const ask = (rowId: string) =>
      new Promise<Told>((answer) =>
        this.processes.launch(
          shop,
          (deps) => sendRefundOfMedusa({ ...deps, medusa: this.medusa.refundsOf(shop) }, rowId),
          (told) => {
            if (told.kind === "done") this.onlooker.told.refunds.add(rowId)
            answer(told)
          },
        ),
      )
    void clickRefund(this.cart, amount, ask)
  }

  /** A store route that changes what is being paid, with the guard before and behind it. */
  private change(what: Parameters<typeof guardCart>[1], make: () => void): void {
    const process = this.processes.begin("shop")
    this.processes.launch(process, async (deps) => {
      const live = await guardCart(deps, what, undefined)
      await process.turn("Medusa changes the cart")
      if (this.medusa.isPlaced()) return
      make()
      if (live) await afterChange(deps, live, this.cart.sessions)
    })
  }
}
