/** Whoever reads pages in the middle of a history, and what they were told before. */
import type { Simulator } from "../../packages/simulator/src"
import { idFrom, type OperationId } from "../../src/core/ids"
import type { Decision } from "../../src/core/possibilities"
import type { Random } from "../../src/core/ports"
import type { FlowDeps } from "../../src/engine/deps"
import type { Cart } from "../support/medusa-in-memory"
import { atOneMoment } from "./at-one-moment"
import { judgeShown, nothingTold, type Judged } from "./judges"
import { some, type Row } from "./judges/look"
import { PHONE } from "./secrets"
import { shownBy } from "./shown"
import { Streams } from "./streams"
import type { Sent } from "./judges/messages"
import { movementsOf } from "./truth"

/** Not after each command, or a history would be nothing but looks. */
const LOOKS_EVERY = 3

const NONE: ReadonlySet<string> = new Set()

const ENDS = ["COMPLETED", "FAILED"]

export type Offer = {
  readonly operationId: OperationId
  readonly action: Decision
  readonly sourceId: number | null
  /** Under which a refund goes; null: an admin may have to copy it from the gateway's portal. */
  readonly intent: number | null
}

export class Onlooker {
  told = nothingTold()
  /** By each property of the judges, how often. */
  readonly judged: Judged = {}
  private hasLost = false
  /** Every payment session that a shopper's page was ever opened with. */
  private readonly sessionIds = new Set<string>()
  private readonly beganAt: Date
  private streams: Streams | undefined

  /**
   * @param deps nobody is at work while it is asked, so all is of one moment
   * @param beside what Medusa has, and what people were told by now
   */
  constructor(
    private readonly simulator: Simulator,
    private readonly random: Random,
    private readonly deps: () => FlowDeps,
    private readonly beside: {
      readonly carts: ReadonlyMap<string, Cart>
      readonly news?: { readonly sent: readonly Sent[] }
      readonly portalRefunds?: ReadonlySet<string>
      /** Sessions of pages, where carts do not have all that they had. */
      readonly sessionIds?: ReadonlySet<string>
      /** Another gateway that has taken money, too. */
      readonly movedTo?: () => Simulator | undefined
      readonly phoneOf?: (row: Row) => string
      /** False: no page can ask the gateway for a comparison. */
      readonly compares?: boolean
      /** True: a page of each session listens to its events. */
      readonly listens?: boolean
      /** How many rows and pages it looks at one by one; left out: at all of them. */
      readonly most?: number
    },
  ) {
    this.beganAt = deps().clock.now()
  }

  private readonly dice = (sides: number): number => Math.floor(this.random.fraction() * sides)

  /**
   * The database has lost what came since a backup: what was said before binds nobody, and what the
   * gateway took meanwhile stands in the comparison alone.
   */
  forget(): void {
    this.told = nothingTold()
    this.hasLost = true
    this.close()
  }

  /** No page listens any more. */
  close(): void {
    this.streams?.close()
    this.streams = undefined
  }

  looksNow(): boolean {
    return this.dice(LOOKS_EVERY) === 0
  }

  /**
   * Looks at some of it, and when all is quiet at everything.
   *
   * @returns what is not true of it, or not the same in two places
   */
  async look(isQuiet = false, isOver = false): Promise<string[]> {
    for (const id of this.beside.sessionIds ?? []) this.sessionIds.add(id)
    for (const { sessions } of this.beside.carts.values()) {
      for (const { id } of sessions) this.sessionIds.add(id)
    }
    const {
      carts,
      news,
      portalRefunds = NONE,
      movedTo,
      phoneOf = () => PHONE,
      most = Infinity,
    } = this.beside
    const opened = [...this.sessionIds]
    const pages = isQuiet ? opened : some(opened, this.dice, most)
    const shown = shownBy(atOneMoment(this.deps()), pages)
    if (this.beside.listens === true) {
      this.streams ??= new Streams(this.deps())
      await this.streams.listen(await shown.statuses(), isQuiet)
    }
    const { told, dice, hasLost, beganAt } = this
    const beside = { carts, messages: news?.sent ?? [], phoneOf, most }
    const span = { from: beganAt, to: this.deps().clock.now() }
    const gateways = [this.simulator, movedTo?.() ?? []].flat()
    const look = {
      ...{ shown, told, span, ...beside, dice, isQuiet, isOver, hasLost },
      compares: this.beside.compares !== false,
      books: gateways.map(({ book }) => book),
      heard: this.streams?.heard,
      get truth() {
        // What went back in the portal is not to be seen: its document goes on reading PAID (B22).
        return gateways
          .flatMap(({ book }) => movementsOf(book, portalRefunds))
          .filter(({ by }) => by === "shop")
      },
    }
    return judgeShown(look, this.judged)
  }

  /** For each payment that waits for an admin, one of the answers that its page offers. */
  async decisions(): Promise<Offer[]> {
    const details = await shownBy(atOneMoment(this.deps()), []).details()
    return details.flatMap(({ id, source_id: sourceId, payment_intent_id: intent, decision }) => {
      const offered = decision?.choices.filter(({ disabled }) => disabled === null) ?? []
      const action = offered[this.dice(offered.length)]?.action
      return action === undefined
        ? []
        : [{ operationId: idFrom<OperationId>(id), action, sourceId, intent }]
    })
  }

  /**
   * Whether an offered answer may be refused: the page doesn't ask the gateway, and who presses
   * does. So it is refused where the gateway has no money, names no intent of it, or has not ended
   * the payment. Nor does it know what somebody gave back in the merchant's portal.
   */
  isRefusedRightly({ sourceId, intent }: Offer, code: string): boolean {
    const { book } = this.simulator
    switch (code) {
      case "payment_intent_unknown":
        return intent === null
      case "not_paid":
        return book.document(sourceId ?? 0)?.status !== "PAID"
      case "payment_in_progress":
        return book.executionsOf(sourceId ?? 0).some(({ status }) => !ENDS.includes(status))
      // It gives back no more than is left.
      case "gateway_refused":
        return this.hasGoneInPortal(sourceId)
      default:
        return false
    }
  }

  private hasGoneInPortal(sourceId: number | null): boolean {
    const own = this.simulator.book.executionsOf(sourceId ?? 0).map(({ reference }) => reference)
    return this.simulator.book
      .refunds()
      .filter(({ reference }) => this.beside.portalRefunds?.has(reference))
      .some(({ originalReference }) => own.includes(originalReference ?? ""))
  }
}
