/** Commands of a person at the keyboard, run to their end, and what they print. */
import { spawn } from "node:child_process"
import { once } from "node:events"

export type Command = {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Ends the command and all that it has started. */
  readonly signal: AbortSignal
}

/** A bound, not an expectation: an installation on a slow line. */
const WITHIN_MS = 30 * 60_000
const LAST_WORDS = 3_000

/** @returns both streams, together. @throws with the last words of a command that fails */
export async function run({ argv, cwd, env, signal }: Command): Promise<string> {
  signal.throwIfAborted()
  const [program, ...args] = argv
  const child = spawn(program, args, {
    cwd,
    env: plain(env),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL")
    } catch {
      // It has ended.
    }
  }
  const timer = setTimeout(end, WITHIN_MS)
  signal.addEventListener("abort", end)
  process.once("exit", end)
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  try {
    const [code] = (await once(child, "close")) as [number | null]
    if (code === 0) return output
    throw new Error(`${argv.join(" ")} ended with ${code}:\n${output.slice(-LAST_WORDS)}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", end)
    process.removeListener("exit", end)
  }
}

/** Lines for a shell, as a page prints them. */
export const shell = (lines: string, rest: Omit<Command, "argv">): Promise<string> =>
  run({ ...rest, argv: ["sh", "-e", "-c", lines] })

/** The person's environment, without what npm and this test set for their own children. */
function plain(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|NODE_ENV$)/.test(name),
  )
  return { ...Object.fromEntries(ours), MEDUSA_DISABLE_TELEMETRY: "true", ...more }
}
