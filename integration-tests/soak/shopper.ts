/**
 * A person with a cart, a phone and a browser: presses, waits, reads STATUS, presses again when the
 * shop does not answer, pays on the page, or walks away.
 */
import type { Simulator } from "../../packages/simulator/src"
import { HostedRefusal } from "../../packages/simulator/src/rules/hosted"
import { NoPrompt } from "../../packages/simulator/src/rules/handset"
import type { Outcome } from "../../packages/simulator/src/rules/timeline"
import type { Act } from "../crash/messages"
import { METHODS, type Method } from "../crash/payers"
import type { Told } from "../crash/worker-process"
import type { Query } from "../support/evidence"
import { CARD, HOSTED, PUSH } from "../support/flows-harness"
import { MINUTE, SECOND } from "../support/an-operation"
import { locked } from "../support/medusa-in-memory"
import {
  closeMedusaRefund,
  openMedusaRefund,
  writeMedusaRefund,
} from "../support/medusa-refunds-in-memory"
import type { Dice } from "./dice"
import type { Fleet } from "./fleet"
import type { Shop } from "./shop"

export type SoakHarness = {
  readonly fleet: Fleet
  readonly shop: Shop
  readonly simulator: Simulator
  readonly query: Query
  /** Lets so much of the harness's time pass. */
  pause(ms: number): Promise<void>
  /** Only so many press at once as a machine serves in time; the others stand in line. */
  inTurn<T>(act: () => Promise<T>): Promise<T>
}

/** How often somebody presses whom the shop does not answer. */
const TRIES = 5
/** Who hears nothing for so long presses again. */
const PATIENCE_MS = 40 * SECOND
const READS_EVERY_MS = 12 * SECOND
const PROVIDERS = [PUSH, HOSTED, CARD]

const OF_COLLECTION = `
  select id, state, flow, source_id, reference, is_duplicate, recorded_at is not null as is_recorded,
         hosted_url is not null and submitted_at is not null as has_page
    from mp_operation where payment_collection_id = $1 and type = 'COLLECTION' order by created_at desc`

/** Of each number of the soak. */
const OPERATOR = "OPERATOR1_MOMO_LBR"

export class Shopper {
  private operator: string | undefined

  constructor(
    private readonly harness: SoakHarness,
    readonly dice: Dice,
    readonly collectionId: string,
    /** Digits. */
    private readonly phone: string,
  ) {
    harness.shop.open(collectionId, "19.99")
    this.load()
  }

  /** The guard of Medusa's routes lets nobody replace the session of money that Medusa holds. */
  load(): void {
    if (this.cart.payments.length > 0) return
    this.harness.shop.load(this.collectionId, PROVIDERS)
  }

  /**
   * The cart's total changes, once no completion of it runs; with `isShown` its sessions are made
   * anew, as Medusa does. A cart that is an order is not edited.
   */
  edit(total: string, isShown = true): Promise<void> {
    return locked(this.cart, () => {
      if (this.cart.order) return Promise.resolve()
      this.cart.total = total
      if (isShown) this.load()
      return Promise.resolve()
    })
  }

  /** The order before its money, where the account places it so; else Medusa undoes it again. */
  async place(): Promise<void> {
    // Between the order that is linked and the one that is undone a worker may read it.
    const beforeUndo = () => this.pause(this.dice.between(0, 2))
    Object.assign(this.cart, { beforeUndo })
    // What Medusa answers is for the shop to show.
    const { medusa } = this.harness.shop
    await medusa.completeCart(`cart_${this.collectionId}`).catch(() => undefined)
  }

  /** By an admin; an order that holds money is not cancelled without a refund. */
  async cancelOrder(): Promise<void> {
    const { order, payments } = this.cart
    if (!order || order.isCanceled || payments.length > 0) return
    await this.harness.shop.medusa.cancelOrder(order.id)
  }

  /** What this phone does with each prompt from now on. */
  wallet(outcome: Outcome, afterMs = this.dice.between(3, 25) * SECOND): void {
    this.harness.simulator.plan({ phone: this.phone, outcome, afterMs })
  }

  /**
   * Who is told that no operator is known for the number chooses one, as the shop offers.
   *
   * @returns whether the shop took it, or its last refusal
   */
  async start(way: Method): Promise<string> {
    for (let tries = 1; ; tries++) {
      const told = await this.pressed(way)
      if (told.kind === "refused" && told.code === "operator_unknown" && !this.operator) {
        this.operator = OPERATOR
        continue
      }
      const isWorthAnotherTry =
        told.kind !== "done" && !(told.kind === "refused" && told.code !== "gateway_unavailable")
      if (!isWorthAnotherTry || tries === TRIES) {
        return told.kind === "refused" ? told.code : told.kind
      }
      await this.pause(this.dice.between(2, 15))
    }
  }

  /** Both tabs in the same moment. */
  async startTwice(ways: readonly Method[]): Promise<void> {
    await Promise.all(ways.map((way) => this.pressed(way)))
  }

  async cancel(): Promise<void> {
    const sessionId = this.sessionOf("page")
    if (sessionId) await this.ask({ act: "cancel", sessionId })
  }

  /** Reads STATUS until the payment has an end, or patience has. */
  async watch(forMs = 3 * MINUTE): Promise<void> {
    for (let waitedMs = 0; waitedMs < forMs; waitedMs += READS_EVERY_MS) {
      if (await this.isOver()) return
      const sessionId = this.sessionOf("phone")
      if (sessionId) await this.ask({ act: "status", sessionId })
      await this.fidget()
      await this.harness.pause(READS_EVERY_MS)
    }
  }

  /**
   * A storefront that completes the cart while it waits, or makes its sessions anew when it is
   * loaded.
   */
  private async fidget(): Promise<void> {
    const chance = this.dice.fraction()
    if (chance < 0.25) await this.place()
    else if (chance < 0.35 && !this.cart.order) this.load()
  }

  /** On the open page of this cart's payment, if there is one. */
  async payOnPage(by: "card" | "phone" | "a card that is declined"): Promise<void> {
    const rows = await this.operations()
    for (const { has_page, source_id } of rows) {
      if (has_page !== true) continue
      this.unlessClosed(() =>
        this.harness.simulator.hosted.pay(
          Number(source_id),
          by === "phone"
            ? { method: "mobile_money", phone: this.phone }
            : { method: "card", outcome: by === "card" ? "approve" : "decline" },
        ),
      )
    }
  }

  /** In the bank's window, if it asks about this cart's card. */
  async answerBank(how: "pass" | "refuse"): Promise<void> {
    for (const { flow, reference } of await this.operations()) {
      if (flow !== "card" || reference === null) continue
      this.unlessClosed(() => this.harness.simulator.card[how]({ reference: String(reference) }))
    }
  }

  /** Answers the oldest prompt on the phone, if one waits. */
  answer(isApproved: boolean): void {
    const { handset } = this.harness.simulator
    this.unlessClosed(() =>
      isApproved ? handset.approve(this.phone) : handset.decline(this.phone),
    )
  }

  /** Whether the money, when it goes back, arrives at this phone. */
  refundsAs(outcome: Outcome, afterMs = this.dice.between(1, 20) * SECOND): void {
    this.harness.simulator.plan({
      operationType: "REFUND",
      phone: this.phone,
      outcome,
      afterMs,
    })
  }

  /**
   * An admin gives some of it back, or two do so in the same moment; whoever hears nothing clicks
   * again.
   */
  async giveBack(amount: string, admins = 1): Promise<void> {
    const paid = (await this.operations()).find(({ is_recorded }) => is_recorded === true)
    if (!paid || this.cart.payments.length === 0) return
    await Promise.all(Array.from({ length: admins }, () => this.clicked(amount)))
  }

  /** Seconds of the harness. */
  pause(seconds: number): Promise<void> {
    return this.harness.pause(seconds * SECOND)
  }

  /** Each click is another refund to Medusa; where the process dies, its row stays as it is. */
  private async clicked(amount: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const rowId = openMedusaRefund(this.cart, amount, null)
      const told = await this.ask({ act: "refund", rowId })
      if (told.kind === "done") writeMedusaRefund(this.cart, rowId)
      else if (told.kind !== "died") closeMedusaRefund(this.cart, rowId, true)
      if (told.kind === "done") return
      if (told.kind === "refused" && told.code !== "gateway_unavailable") return
      await this.pause(this.dice.between(2, 15))
    }
  }

  private get cart() {
    const cart = this.harness.shop.carts.get(this.collectionId)
    if (!cart) throw new Error(`there is no cart of ${this.collectionId}`)
    return cart
  }

  private sessionOf(way: Method): string | undefined {
    const { providerId } = METHODS[way]
    return this.cart.sessions.find((session) => session.providerId === providerId)?.id
  }

  private pressed(way: Method): Promise<Told> {
    const sessionId = this.sessionOf(way)
    // A cart that is an order has no session left to start with.
    if (!sessionId) return Promise.resolve({ kind: "refused", code: "session_not_found" })
    const request = {
      sessionId,
      phone: `+${this.phone}`,
      ...METHODS[way].with,
      ...(way === "phone" && this.operator && { paymentMethod: this.operator }),
    }
    return this.ask({ act: "start", request })
  }

  /** Asks whichever worker is met; one that is frozen is not waited for. */
  private ask(act: Act): Promise<Told> {
    const place = this.dice.between(0, this.harness.fleet.size - 1)
    return this.harness.inTurn(() => {
      const givenUp = this.harness.pause(PATIENCE_MS).then((): Told => ({ kind: "died" }))
      return Promise.race([this.harness.fleet.ask(place, act), givenUp])
    })
  }

  private async isOver(): Promise<boolean> {
    const rows = await this.operations()
    if (rows.some(({ is_recorded, state }) => is_recorded === true || state === "review"))
      return true
    return rows.every(({ state }) => state === "failed" || state === "expired")
  }

  private operations() {
    return this.harness.query(OF_COLLECTION, [this.collectionId])
  }

  /** The page, or the phone, may have nothing to take any more: nobody is charged then. */
  private unlessClosed(act: () => unknown): void {
    try {
      act()
    } catch (error) {
      if (!(error instanceof HostedRefusal) && !(error instanceof NoPrompt)) throw error
    }
  }
}
