/**
 * A person with a cart, a phone and a browser: presses, waits, reads STATUS, presses again when the
 * shop does not answer, pays on the page, or walks away.
 */
import type { Simulator } from "../../packages/simulator/src"
import { HostedRefusal } from "../../packages/simulator/src/rules/hosted"
import { NoPrompt } from "../../packages/simulator/src/rules/handset"
import type { Outcome } from "../../packages/simulator/src/rules/timeline"
import type { MedusaPort } from "../../src/engine/medusa-port"
import {
  METHODS,
  payPage,
  PROVIDERS,
  type Commands,
  type Means,
  type Method,
} from "../histories/commands"
import type { Act } from "../histories/messages"
import { clickRefund, type Shop } from "../histories/shop"
import { isWorthAnotherTry, type Answer } from "../histories/worker-process"
import type { Query } from "../support/evidence"
import { SECOND } from "../support/an-operation"
import { locked } from "../support/cart-lock"
import type { Dice } from "./dice"
import type { Fleet } from "./fleet"

export type SoakHarness = {
  readonly fleet: Fleet
  readonly shop: Shop
  readonly medusa: MedusaPort
  readonly simulator: Simulator
  readonly query: Query
  /** Lets so much of the harness's time pass. */
  pause(ms: number): Promise<void>
  /** Only so many press at once as a machine serves in time; the others stand in line. */
  inTurn<T>(act: () => Promise<T>): Promise<T>
}

/** How often a shopper presses whom the shop does not answer. */
const TRIES = 5
/** A shopper who hears nothing for so long presses again. */
const PATIENCE_MS = 40 * SECOND
const READS_EVERY_MS = 12 * SECOND

const OF_COLLECTION = `
  select id, state, flow, source_id, reference, is_duplicate, recorded_at is not null as is_recorded,
         hosted_url is not null and submitted_at is not null as has_page
    from mp_operation where payment_collection_id = $1 and type = 'COLLECTION' order by created_at desc`

/** Of each number of the soak. */
const OPERATOR = "OPERATOR1_MOMO_LBR"

/** Ranges are in seconds; of a list one is drawn. */
export class Shopper implements Commands {
  private operator: string | undefined

  constructor(
    private readonly harness: SoakHarness,
    private readonly dice: Dice,
    private readonly collectionId: string,
    /** Digits. */
    private readonly phone: string,
  ) {
    harness.shop.open(collectionId, "19.99")
    this.reload()
  }

  /** The guard of Medusa's routes lets nobody replace the session of money that Medusa holds. */
  reload(): void {
    if (this.cart.payments.length > 0) return
    this.harness.shop.load(this.collectionId, PROVIDERS)
  }

  /** Once no completion of the cart runs. A cart that is an order is not edited. */
  edit(total: string, isShown = true): Promise<void> {
    return locked(this.cart, () => {
      if (this.cart.order) return Promise.resolve()
      this.cart.total = total
      if (isShown) this.reload()
      return Promise.resolve()
    })
  }

  /** The order before its money, where the account places it so; else Medusa undoes it again. */
  async place(): Promise<void> {
    // Between the order that is linked and the one that is undone a worker may read it.
    const beforeUndo = () => this.pause(0, 2)
    Object.assign(this.cart, { beforeUndo })
    // What Medusa answers is for the shop to show.
    await this.harness.medusa.completeCart(`cart_${this.collectionId}`).catch(() => undefined)
  }

  /** By an admin; an order that holds money is not cancelled without a refund. */
  async cancelOrder(): Promise<void> {
    const { order, payments } = this.cart
    if (!order || order.isCanceled || payments.length > 0) return
    await this.harness.medusa.cancelOrder(order.id)
  }

  /** What this phone does with each prompt from now on. */
  wallet(outcome: Outcome | readonly Outcome[], least = 3, most = 25): void {
    this.plan(outcome, this.between(least, most))
  }

  /** A shopper who hears that no operator is known for the number chooses one, as the shop offers. */
  async start(method: Method): Promise<void> {
    for (let tries = 1; tries <= TRIES; tries++) {
      const answer = await this.pressed(method)
      if (answer.kind === "refused" && answer.code === "operator_unknown" && !this.operator) {
        this.operator = OPERATOR
      } else if (isAnswered(answer)) return
      else await this.pause(2, 15)
    }
  }

  /** With whichever method comes to mind. */
  startEither(methods: readonly Method[]): Promise<void> {
    return this.start(this.dice.oneOf(methods))
  }

  async startTwice(methods: readonly Method[]): Promise<void> {
    await Promise.all(methods.map((method) => this.pressed(method)))
  }

  async cancel(): Promise<void> {
    const sessionId = this.sessionOf("page")
    if (sessionId) await this.ask({ act: "cancel", sessionId })
  }

  /**
   * Reads STATUS until the payment has an end, or patience has: in a storefront that completes the
   * cart while it waits, or makes its sessions anew when it is loaded.
   */
  async watch(seconds = 180): Promise<void> {
    for (let waitedMs = 0; waitedMs < seconds * SECOND; waitedMs += READS_EVERY_MS) {
      if (await this.isOver()) return
      const sessionId = this.sessionOf("phone")
      if (sessionId) await this.ask({ act: "status", sessionId })
      const chance = this.dice.fraction()
      if (chance < 0.25) await this.place()
      else if (chance < 0.35 && !this.cart.order) this.reload()
      await this.harness.pause(READS_EVERY_MS)
    }
  }

  /** On the open page of this cart's payment, if there is one. */
  async payOnPage(means: Means = "card"): Promise<void> {
    for (const { has_page, source_id } of await this.operations()) {
      if (has_page !== true) continue
      this.unlessClosed(() => payPage(this.harness.simulator, Number(source_id), means, this.phone))
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
  refundsAs(outcomes: readonly Outcome[]): void {
    this.plan(outcomes, this.between(1, 20), { operationType: "REFUND" })
  }

  /** An admin who hears nothing clicks again. */
  async refund(amount: string, admins = 1): Promise<void> {
    const paid = (await this.operations()).find(({ is_recorded }) => is_recorded === true)
    if (!paid || this.cart.payments.length === 0) return
    await Promise.all(Array.from({ length: admins }, () => this.clicked(amount)))
  }

  pause(least: number, most: number): Promise<void> {
    return this.harness.pause(this.between(least, most) * SECOND)
  }

  private between(least: number, most: number): number {
    return least + this.dice.fraction() * (most - least)
  }

  private plan(
    outcome: Outcome | readonly Outcome[],
    seconds: number,
    of: { readonly operationType?: "REFUND" } = {},
  ): void {
    this.harness.simulator.plan({
      ...of,
      phone: this.phone,
      outcome: typeof outcome === "string" ? outcome : this.dice.oneOf(outcome),
      afterMs: Math.round(seconds * SECOND),
    })
  }

  private async clicked(amount: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await clickRefund(this.cart, amount, (rowId) =>
        this.ask({ act: "refund", rowId }),
      )
      if (isAnswered(answer)) return
      await this.pause(2, 15)
    }
  }

  private get cart() {
    return this.harness.shop.cart(this.collectionId)
  }

  private sessionOf(method: Method): string | undefined {
    const { providerId } = METHODS[method]
    return this.cart.sessions.find((session) => session.providerId === providerId)?.id
  }

  private pressed(method: Method): Promise<Answer> {
    const sessionId = this.sessionOf(method)
    // A cart that is an order has no session left to start with.
    if (!sessionId) return Promise.resolve({ kind: "refused", code: "session_not_found" })
    const request = {
      sessionId,
      phone: `+${this.phone}`,
      ...METHODS[method].with,
      ...(method === "phone" && this.operator && { paymentMethod: this.operator }),
    }
    return this.ask({ act: "start", request })
  }

  /** Asks whichever worker is met; one that is frozen is not waited for. */
  private ask(act: Act): Promise<Answer> {
    const place = this.dice.between(0, this.harness.fleet.size - 1)
    return this.harness.inTurn(() => {
      const givenUp = this.harness.pause(PATIENCE_MS).then((): Answer => ({ kind: "died" }))
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

/** With yes or no; who hears neither presses again. */
function isAnswered(answer: Answer): boolean {
  return answer.kind !== "died" && !isWorthAnotherTry(answer)
}
