/**
 * What one pass of the job has under way. Each check begins as soon as it is claimed, with a place
 * of its group, so nothing waits under a lease. A group's places are shared with the work that
 * earlier passes have left behind.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { unasked } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { act, groupOf, isMedusaWork, type Check } from "./act"
import type { ClaimedWork } from "./claim-work"
import type { HeldBackWrites } from "./held-back-writes"
import { isAsked, type PassBudget } from "./pass-budget"
import { closingOf, MEDUSA_WORK } from "./under-way"

type Parts = Omit<FlowDeps, "budget"> & {
  readonly writes: HeldBackWrites
  readonly budget: PassBudget
  readonly signal: AbortSignal | undefined
  /** Work that is under way `LIMITS.passLeavesAfterMs` after the last claim is left behind. */
  readonly isLeft: boolean
}

export class PassWork {
  /** The first error of a claim or of a check. Nothing begins after it. */
  failure: { readonly error: unknown } | undefined
  readonly #parts: Parts
  readonly #underWay = new Set<Promise<void>>()
  /** Groups of which more may be due. */
  #full = new Set<string>()
  #isOver = false
  #wake = () => {}

  constructor(parts: Parts) {
    this.#parts = parts
  }

  begin({ operations, full }: ClaimedWork): void {
    this.#full = new Set(full)
    for (const operation of operations) this.#begin({ operation })
  }

  fail(error: unknown): void {
    this.failure ??= { error }
    this.claimNoMore()
  }

  claimNoMore(): void {
    this.#full.clear()
  }

  /**
   * @returns true as soon as a group of which more may be due has room; false when this pass's work
   *   has ended, or is left behind
   */
  async hasRoomForMore(): Promise<boolean> {
    const { underWay } = this.#parts
    const unlisten = underWay.onFree(() => this.#wake())
    const timer = this.#leaveLater()
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => (this.#wake = resolve))
        if (this.#isOver) return false
        if ([...this.#full].some((group) => underWay.isRoomy(group))) return true
        if (this.#underWay.size === 0) return false
        await woken
      }
    } finally {
      unlisten()
      timer.abort()
    }
  }

  /** Resolves when nothing of this pass is under way any more. Never rejects. */
  async rest(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #begin(what: Check): void {
    const { underWay, budget, signal } = this.#parts
    const group = groupOf(what)
    const isPaused = isAsked(what.operation) && budget.isPaused(what.operation.accountId)
    const isRefused = isPaused || signal?.aborted || this.failure !== undefined
    if (isRefused || underWay.room(group) <= 0) return this.#leaveOut(what, group)
    const freePlace = underWay.take(group)
    const works = this.#check(what)
      .catch((error: unknown) => this.fail(error))
      .then(() => {
        this.#underWay.delete(works)
        freePlace()
      })
    this.#underWay.add(works)
  }

  async #check(what: Check): Promise<void> {
    const { budget, signal, ...parts } = this.#parts
    const { operation } = what
    const own = budget.ofCheck(operation, isAsked(operation) && !isMedusaWork(what))
    const thenInMedusa = (more: Check) => this.#begin(more)
    try {
      await act({ ...parts, budget: own, thenInMedusa }, what, signal)
    } finally {
      own.end()
    }
  }

  /** The operation of work in Medusa is due once it has no lease, and a later claim takes it. */
  #leaveOut(what: Check, group: string): void {
    if (group === MEDUSA_WORK && !this.failure) this.#full.add(MEDUSA_WORK)
    const { budget, writes, underWay } = this.#parts
    if (isMedusaWork(what)) {
      if (what.isHeld) writes.releaseUnbegun(what.operation)
      return
    }
    const operation: Operation = what.operation
    budget.ofCheck(operation).end()
    // No claim heeds the places of closing orders. Due at once, an operation without such a place
    // would be claimed again and again, before what has one.
    if (group === closingOf(operation.accountId) && underWay.room(group) <= 0) {
      writes.postpone(operation, unasked(LIMITS.checkFailedRetryMs))
    } else writes.releaseUnbegun(operation)
  }

  /** @returns what keeps the pass from leaving its work behind, once aborted */
  #leaveLater(): AbortController {
    const { clock, isLeft } = this.#parts
    const timer = new AbortController()
    const leave = () => {
      if (timer.signal.aborted) return
      this.#isOver = true
      this.#wake()
    }
    if (isLeft) clock.sleep(LIMITS.passLeavesAfterMs, timer.signal).then(leave, () => undefined)
    return timer
  }
}
