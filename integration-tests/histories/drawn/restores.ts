/**
 * Backups of the shop's database, in which the ledger and Medusa stand together, and what is done
 * once one was played back. The gateway goes on knowing what has moved since.
 */
import { LIMITS } from "../../../src/core/limits"
import { findBehind, noticeBehind } from "../../../src/ledger/database-mark"
import { compareLostTime, type LostTime } from "../../../src/reconciliation/compare-lost-time"
import { reconcile } from "../../../src/reconciliation/reconcile"
import { lastPeriod } from "../../../src/reconciliation/sql/reconciliations"
import { backUp } from "../../support/play-back"
import { unlock } from "../../support/cart-lock"
import type { Cart } from "../../support/medusa-in-memory"
import type { Deeds } from "./commands"
import type { World } from "./world"

/** What a payment leaves beside itself. */
const BESIDE = [
  "mp_receipt",
  "mp_receipt_link",
  "mp_notification",
  "mp_party",
  "mp_task",
  "mp_reconciliation",
] as const

/** The first finds what was lost, the next ones see that nothing more is. */
const COMPARED_AT_LEAST = 3
const COMPARED_AT_MOST = 20

export class Restores {
  /** What the gateway has done may be unknown here, or known from its lists alone. */
  hasLost = false
  private playBack: (() => Promise<void>) | undefined

  /** @param finish lets who is at work come to an end */
  constructor(
    private readonly world: World,
    private readonly finish: () => Promise<void>,
  ) {}

  readonly deeds: Deeds<"back up" | "restore"> = {
    "back up": async () => {
      const { ledger, medusa } = this.world
      const back = await backUp({ ledger }, ...BESIDE)
      const kept = rowsOf(medusa.carts)
      this.playBack = async () => {
        await back()
        putBack(medusa.carts, structuredClone(kept))
      }
    },
    restore: async ({ noticedBy }) => {
      if (!this.playBack) return
      const { processes, ledger, medusa, onlooker } = this.world
      processes.endAll("the database is gone")
      unlock(medusa.cart)
      await this.playBack()
      await noticeBehind(ledger.database, noticedBy)
      onlooker.forget()
      this.hasLost = true
    },
  }

  /** Nobody has compared yet what was lost. */
  async isBehind(): Promise<boolean> {
    return this.hasLost && (await findBehind(this.world.ledger.database)) !== undefined
  }

  /**
   * An admin compares the lost time as often as it takes; what is missing for good then stands in
   * the comparison, and the rules may go on.
   */
  async overcome(): Promise<void> {
    const { processes, ledger, clock, surprises } = this.world
    if (!this.hasLost) return
    for (let compared = 1; compared <= COMPARED_AT_MOST; compared++) {
      const behind = await findBehind(ledger.database)
      if (!behind) return
      const lost: LostTime[] = []
      processes.launch(processes.begin("shop"), async (deps) => {
        lost.push(await compareLostTime(deps, behind))
      })
      await this.finish()
      const isSeen = compared >= COMPARED_AT_LEAST && lost.every(isWhole)
      // No worker here beats, so the mark would soon be silent: it goes as a whole.
      if (isSeen || lost.some(({ isOver }) => isOver)) {
        await ledger.sql("delete from mp_database_mark")
        return
      }
      clock.pass(LIMITS.reconcileEveryMs)
    }
    surprises.push(`I7: not compared after ${COMPARED_AT_MOST} tries`)
  }

  /** What was lost, and paid only after it was compared, stands in the comparison of a night. */
  async compareAtNight(): Promise<void> {
    const { processes } = this.world
    processes.launch(processes.begin("shop"), async (deps) =>
      reconcile(deps, await lastPeriod(deps.database, LIMITS.reconcileDaysMs)),
    )
    await this.finish()
  }
}

const isWhole = ({ accounts }: LostTime) =>
  accounts.every(({ incomplete_because: why }) => why.length === 0)

type Rows = ReadonlyMap<string, Partial<Cart>>

/** What Medusa's tables have of its carts; a clock and the shop's own code are no rows. */
function rowsOf(carts: ReadonlyMap<string, Cart>): Rows {
  const rows = [...carts].map(([id, cart]): [string, Partial<Cart>] => [
    id,
    Object.fromEntries(rowsIn(cart)),
  ])
  // At once: carts of one order share it.
  return structuredClone(new Map(rows))
}

const rowsIn = (cart: Cart) =>
  Object.entries(cart).filter(([, value]) => typeof value !== "function")

function putBack(carts: Map<string, Cart>, kept: Rows): void {
  for (const [id, cart] of carts) {
    const rows = kept.get(id)
    for (const [name] of rowsIn(cart))
      if (!rows || !(name in rows)) Reflect.deleteProperty(cart, name)
    if (rows) Object.assign(cart, rows)
    else carts.delete(id)
  }
}
