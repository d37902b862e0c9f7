/**
 * A program of the bench in a process of its own that answers questions, one after the other, so
 * that its CPU and its memory are its own. It dies with the bench, also when the bench is killed.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { plainEnvironment } from "../../demo/run/child.cjs"

const WATCH_PARENT = path.resolve(__dirname, "../../demo/run/watch-parent.cjs")
const LOAD_TYPESCRIPT = path.join(__dirname, "load-typescript.cjs")

export type AskedProcess<Question, Answer> = {
  /** Rejects when the program failed at it, or has ended. */
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

type Told<Answer> = { readonly answer: Answer } | { readonly failure: string }

/** @param program a TypeScript file that calls {@link answerQuestions} */
export function startAsked<Question extends object, Answer>(
  program: string,
  args: readonly string[] = [],
): AskedProcess<Question, Answer> {
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--require", WATCH_PARENT, "--require", LOAD_TYPESCRIPT, program, ...args],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...plainEnvironment(process.env), NODE_ENV: "test" },
    },
  )
  const exited = once(child, "exit")
  const ended = exited.then(() => {
    throw new Error(`${path.basename(program)} ended.`)
  })
  // Whoever asks hears of it; nobody has to be asking when it is stopped.
  ended.catch(() => undefined)
  return {
    async ask(question) {
      const told = new Promise<Told<Answer>>((resolve) => child.once("message", resolve))
      child.send(question)
      const answer = await Promise.race([told, ended])
      if ("failure" in answer) throw new Error(`${path.basename(program)}: ${answer.failure}`)
      return answer.answer
    },
    async stop() {
      child.kill("SIGTERM")
      await exited
    },
  }
}

/** The other end, in the program: it stays until it is stopped. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  // The parent's watch lets the pipe go; here it is what keeps the program alive.
  process.channel?.ref()
  process.on("message", (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ answer: value }),
      (error: unknown) => process.send?.({ failure: String(error) }),
    )
  })
}
