/**
 * Two worker processes that pass by what is due, each second of the harness, while shoppers ask
 * them too. Whenever one is struck down, another takes its place.
 */
import { LIMITS } from "../../src/core/limits"
import type { Act, Opening } from "../histories/messages"
import {
  startWorker,
  type MedusaOfWorker,
  type Answer,
  type WorkerProcess,
} from "../histories/worker-process"

/** Killed without a word, told to stop, frozen past its lease, or cut off from the database. */
export type Strike = "SIGKILL" | "SIGTERM" | "SIGSTOP" | "cut before" | "cut after"

export type Fleet = {
  ask(place: number, act: Act): Promise<Answer>
  /** Passes until nothing is left that is due. */
  passUntilIdle(): Promise<void>
  /**
   * From now on each passes by itself; ends with the returned call, which waits for the last pass.
   */
  patrol(): () => Promise<void>
  strike(place: number, kind: Strike): Promise<void>
  /** All that was ever printed, by whoever is gone too. */
  output(): readonly string[]
  readonly size: number
  end(): Promise<void>
}

export type FleetOptions = {
  readonly databaseUrl: string
  /** The harness as it is now; asked for each process that starts. */
  opening(): Opening
  readonly medusa: MedusaOfWorker
  /** Answer of what no worker may do. */
  onSurprise(surprise: string): void
}

const SIZE = 2

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const speed = options.opening().pace?.speed ?? 1
  const all: WorkerProcess[] = []
  const posted = async (): Promise<WorkerProcess> => {
    const worker = startWorker(options.databaseUrl)
    all.push(worker)
    await worker.open(options.opening(), options.medusa)
    return worker
  }
  const places = Array.from({ length: SIZE }, posted)
  await Promise.all(places)

  const ask = async (place: number, act: Act): Promise<Answer> => {
    const worker = await places[place]
    if (!worker) throw new Error(`there is no worker at ${place}`)
    const answer = await worker.ask(act)
    // Cut off from the database, a flow has nothing else to say.
    if (answer.kind === "failed" && worker.cuts() === 0) {
      options.onSurprise(`an error that is no refusal: ${answer.message}`)
    }
    return answer
  }
  const replace = (place: number, gone: WorkerProcess) => {
    places[place] = gone.end().then(posted)
    return places[place]
  }
  const pause = (worldMs: number) =>
    new Promise<void>((resolve) => void setTimeout(resolve, worldMs / speed))

  return {
    size: SIZE,
    ask,
    async passUntilIdle() {
      for (;;) {
        const answer = await Promise.all(
          places.map((_worker, place) => ask(place, { act: "check" })),
        )
        if (answer.every((one) => one.kind === "done" && one.checked === 0)) return
      }
    },
    patrol() {
      let isOver = false
      const rounds = places.map(async (_worker, place) => {
        while (!isOver) {
          await ask(place, { act: "check" })
          await pause(LIMITS.checkEveryMs)
        }
      })
      return async () => {
        isOver = true
        await Promise.all(rounds)
      }
    },
    async strike(place, kind) {
      const worker = await places[place]
      if (!worker) return
      switch (kind) {
        case "SIGKILL":
        case "SIGTERM":
          worker.signal(kind)
          await worker.ended
          await replace(place, worker)
          return
        case "SIGSTOP":
          worker.signal("SIGSTOP")
          await pause(LIMITS.leaseMs + LIMITS.checkEveryMs)
          worker.signal("SIGCONT")
          return
        default:
          await worker.ask({ act: "cut", when: kind === "cut before" ? "before" : "after" })
      }
    },
    output: () => all.flatMap((worker) => worker.output),
    async end() {
      for (const worker of await Promise.all(places)) await worker.end()
    },
  }
}
