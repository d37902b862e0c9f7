/**
 * Processes that take turns. Each waits before every statement, call and question to Medusa until
 * the scheduler picks it; then that one thing is really done, by the real database, gateway or
 * Medusa, and nothing else goes on meanwhile. So the scheduler chooses the interleaving, and the same
 * choices give the same run.
 *
 * A process that is killed does nothing more: what stands in its `catch` and `finally` runs into
 * answers that never come, as a dead process' would. Its lease stays.
 */
import type { Refusal } from "../../../src/core/refusal"
import type { Kind } from "./kinds"
import type { Picker } from "./picks"

/** More turns than any sequence takes: a flow that asks for ever is one that does not end. */
const TURNS_MAX = 20_000

const never = () => new Promise<never>(() => {})

export type Told =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "died"; readonly at: string }

export class Process {
  /** Exits that it still passes before it dies; undefined: it lives. */
  private momentsLeft: number | undefined
  private isOver = false
  private diedAt: string | undefined
  private reportDeath: (at: string) => void = () => {}

  constructor(
    readonly name: string,
    readonly kind: Kind,
    private readonly turnTaking: TurnTaking,
  ) {}

  get isDead(): boolean {
    return this.diedAt !== undefined
  }

  get isRunning(): boolean {
    return !this.isDead && !this.isOver
  }

  dieAfter(moments: number): void {
    this.momentsLeft = moments
  }

  /** It is gone, whatever it was waiting for. */
  die(at: string): void {
    if (!this.isRunning) return
    this.diedAt = at
    this.reportDeath(at)
  }

  /** Waits for its turn. */
  async turn(label: string): Promise<void> {
    if (this.isDead) await never()
    await this.turnTaking.wait(`${this.name}: ${label}`)
    if (this.isDead) await never()
  }

  /** Waits for its turn, and does one thing. */
  async inTurn<T>(label: string, act: () => Promise<T>): Promise<T> {
    await this.turn(label)
    return this.turnTaking.underWay(act)
  }

  /** Waits for its turn, and does one thing that leaves the process. It may die right after it. */
  async does<T>(label: string, act: () => Promise<T>): Promise<T> {
    try {
      return await this.inTurn(label, act)
    } finally {
      await this.over(label)
    }
  }

  /** Something that leaves the process is done; it may have been its last. */
  async over(label: string): Promise<void> {
    if (this.momentsLeft === undefined || this.isDead) return
    this.momentsLeft -= 1
    if (this.momentsLeft >= 0) return
    this.die(label)
    await never()
  }

  async run(flow: () => Promise<unknown>): Promise<Told> {
    const death = new Promise<Told>((resolve) => {
      this.reportDeath = (at) => resolve({ kind: "died", at })
    })
    const end = flow().then(
      (): Told => ({ kind: "done" }),
      (error: unknown): Told | Promise<never> => {
        if (this.isDead) return never()
        return error instanceof Error && error.name === "Refusal"
          ? { kind: "refused", code: (error as Refusal).code }
          : { kind: "failed", message: String(error) }
      },
    )
    const told = await Promise.race([death, end])
    this.isOver = true
    return told
  }
}

export class TurnTaking {
  private readonly running = new Set<Promise<void>>()
  private inHand = 0
  private handsFree: () => void = () => {}
  private turns = 0

  /** In the order of their coming. */
  private readonly waiting: symbol[] = []
  /** Which place among those who waited each had that was picked. */
  readonly picks: number[] = []

  constructor(private readonly scheduler: Picker) {}

  /** Until the scheduler picks it. */
  async wait(label: string): Promise<void> {
    const own = Symbol(label)
    this.waiting.push(own)
    await this.scheduler.schedule(Promise.resolve(), label)
    const place = this.waiting.indexOf(own)
    this.waiting.splice(place, 1)
    this.picks.push(place)
  }

  /** Lets a flow begin in a process of its own; it comes as far as its first turn. */
  launch(process: Process, flow: () => Promise<unknown>, onEnd: (told: Told) => void): void {
    const end = process.run(flow).then((told) => {
      this.running.delete(end)
      onEnd(told)
    })
    this.running.add(end)
  }

  async underWay<T>(act: () => Promise<T>): Promise<T> {
    this.inHand += 1
    try {
      return await act()
    } finally {
      this.inHand -= 1
      if (this.inHand === 0) this.handsFree()
    }
  }

  /** Gives so many turns, or fewer when nobody waits for one. */
  async play(turns: number): Promise<void> {
    await this.stillness()
    for (let turn = 0; turn < turns && this.running.size > 0; turn++) {
      if (this.scheduler.count() === 0) throw new Error("a process waits for nothing that is known")
      if ((this.turns += 1) > TURNS_MAX) throw new Error(`not at its end after ${TURNS_MAX} turns`)
      await this.scheduler.waitNext(1)
      await this.stillness()
    }
  }

  finish(): Promise<void> {
    return this.play(Number.POSITIVE_INFINITY)
  }

  /** Every process waits for its turn, or is over. */
  private async stillness(): Promise<void> {
    await new Promise(setImmediate)
    while (this.inHand > 0) {
      await new Promise<void>((resolve) => (this.handsFree = resolve))
      await new Promise(setImmediate)
    }
  }
}
