/**
 * A worker process as the referee sees it: asked for one act at a time, it answers, refuses or
 * dies.
 */
import { fork } from "node:child_process"
import path from "node:path"
import { plainEnvironment } from "../../demo/run/child.cjs"
import { MedusaRefusal, type MedusaPort, type MedusaRefunds } from "../../src/engine/medusa-port"
import type { RefundWriting } from "./medusa-refund"
import type { Passed } from "../support/moments"
import type { Act, Announced, FromWorker, Opening, ToWorker } from "./messages"

const ROOT = path.resolve(__dirname, "../..")
const WATCH_PARENT = path.join(ROOT, "demo/run/watch-parent.cjs")
const LOAD_TYPESCRIPT = path.join(ROOT, "bench/support/load-typescript.cjs")
const PROGRAM = path.join(__dirname, "worker.ts")

/** A bound, not an expectation: a machine that is busy takes its time. */
const STUCK_AFTER_MS = 120_000

export type Answer =
  | { readonly kind: "done"; readonly checked: number }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "died" }
  /** Frozen in the middle of the act; `resumed` tells how the act ends after all. */
  | { readonly kind: "stopped"; readonly resumed: Promise<Answer> }

/** The shop, or the payment service, does not answer: people press again. */
export function isWorthAnotherTry(answer: Answer): boolean {
  return (
    answer.kind === "failed" || (answer.kind === "refused" && answer.code === "gateway_unavailable")
  )
}

/** Its refunds are left out where nobody gives money back. */
export type MedusaOfWorker = MedusaPort & Partial<MedusaRefunds & RefundWriting>

export type WorkerProcess = {
  /** Everything that it has printed. */
  readonly output: readonly string[]
  /** What it announced to the shop's subscribers. */
  readonly announced: readonly Announced[]
  /** The exits that it passed since it was opened to be rehearsed. */
  passed(): readonly Passed[]
  /** How often its line to the database was cut. */
  cuts(): number
  /** It got SIGTERM, and will end by itself. */
  isEnding(): boolean
  /** @param aheadMs how far the gateway's clock is ahead of the machine's; left out: not at all */
  open(opening: Opening, medusa: MedusaOfWorker, aheadMs?: () => number): Promise<void>
  ask(act: Act): Promise<Answer>
  /** As {@link ask}; one that does not come to an end at all is ended, and counts as dead. */
  askInTime(act: Act): Promise<Answer>
  /** Something that it was asked for did not come to an end. */
  isStuck(): boolean
  /** Lets a frozen process go on. */
  resume(): void
  signal(name: NodeJS.Signals): void
  /** Resolves when it is gone, asked or not. */
  readonly ended: Promise<unknown>
  /** Ends it, frozen or not. */
  end(): Promise<void>
}

export function startWorker(databaseUrl: string): WorkerProcess {
  const child = fork(PROGRAM, [databaseUrl], {
    execArgv: ["--require", WATCH_PARENT, "--require", LOAD_TYPESCRIPT],
    stdio: ["pipe", "pipe", "pipe", "ipc"],
    // Dates and what is absent arrive as they are.
    serialization: "advanced",
    env: { ...plainEnvironment(process.env), NODE_ENV: "test" },
  })
  const output: string[] = []
  const announced: Announced[] = []
  let passed: Passed[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => void output.push(chunk.toString("utf8")))
  }
  // One that has died meanwhile reads nothing.
  child.stdin?.on("error", () => {})
  const ended = new Promise<Answer>((resolve) => {
    child.once("exit", () => resolve({ kind: "died" }))
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let onStop: (() => void) | undefined
  let asks = 0
  let cuts = 0
  let isEnding = false
  let isStuck = false
  let medusa: MedusaOfWorker | undefined
  let ahead = () => 0

  const tell = (message: ToWorker) => {
    // One that has died meanwhile hears nothing.
    if (child.connected) child.send(message, () => {})
  }
  const settle = (id: number, answer: Answer) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }
  child.on("message", (message: FromWorker) => {
    switch (message.say) {
      case "done":
        return settle(message.id, { kind: "done", checked: message.checked })
      case "refused":
        return settle(message.id, { kind: "refused", code: message.code })
      case "failed":
        return settle(message.id, { kind: "failed", message: message.message })
      case "cut":
        cuts += 1
        return
      case "passed":
        passed.push(message.passed)
        return
      case "announced":
        announced.push(...message.told)
        return
      case "ending":
        isEnding = true
        return
      case "stopping":
        return onStop?.()
      case "ask_host": {
        const { id } = message
        answerFor(medusa, message.question, message.given).then(
          (value) => tell({ say: "host_answered", id, value }),
          (error: unknown) =>
            tell({
              say: "host_failed",
              id,
              message: String(error),
              isRefusal: error instanceof MedusaRefusal,
            }),
        )
      }
    }
  })

  const ask = (act: Act): Promise<Answer> => {
    const id = (asks += 1)
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    const resumed = Promise.race([answered, ended])
    const stopped = new Promise<Answer>((resolve) => {
      onStop = () => resolve({ kind: "stopped", resumed })
    })
    tell({ say: "do", id, act, aheadMs: ahead() })
    return Promise.race([resumed, stopped])
  }
  return {
    output,
    announced,
    passed: () => passed,
    cuts: () => cuts,
    isEnding: () => isEnding,
    isStuck: () => isStuck,
    ask,
    async askInTime(act) {
      let timer: NodeJS.Timeout | undefined
      const stuck = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), STUCK_AFTER_MS)
      })
      const answer = await Promise.race([ask(act), stuck])
      clearTimeout(timer)
      if (answer) return answer
      isStuck = true
      child.kill("SIGKILL")
      return ended
    },
    async open(opening, itsMedusa, aheadMs = () => 0) {
      medusa = itsMedusa
      ahead = aheadMs
      passed = []
      const answer = await ask({ act: "open", opening })
      if (answer.kind !== "done") throw new Error(`a worker can't start: ${output.join("")}`)
    },
    resume() {
      child.kill("SIGCONT")
      child.stdin?.write("\n")
    },
    signal: (name) => void child.kill(name),
    ended,
    async end() {
      child.kill("SIGKILL")
      await ended
    },
  }
}

async function answerFor(
  medusa: MedusaOfWorker | undefined,
  question: keyof MedusaOfWorker,
  given: readonly unknown[],
): Promise<unknown> {
  const answer: unknown = medusa?.[question]
  if (typeof answer !== "function") throw new Error(`Medusa has no ${question}`)
  return Reflect.apply(answer, medusa, [...given])
}
