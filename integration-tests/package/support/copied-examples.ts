/**
 * The examples as an engineer would use them: copied into a folder of their own beside the packed
 * client and the dependencies that it declares, compiled there, run as processes of their own.
 */
import { execFileSync, spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../../..")
const EXAMPLES = path.join(ROOT, "examples")
const PACKAGE = "merchant-payments-gateway"
const CLIENT = path.join(ROOT, "packages/gateway")
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc")

/** `quick-start` is the first example of docs/gateway-client.md. */
export type Program = "collect" | "refund" | "payout" | "quick-start"

export type Ended = {
  /** Null when it was killed. */
  readonly code: number | null
  /** All that it printed. */
  readonly output: string
  /** The lines of JSON that it printed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
}

export type Running = {
  readonly ended: Promise<Ended>
  /** The end that no program sees coming. */
  readonly kill: () => void
}

export type Copy = {
  readonly folder: string
  readonly start: (
    program: Program,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Running
  readonly remove: () => void
}

/** Copies and compiles. Throws with the compiler's words when that fails. */
export function copyExamples(type: "commonjs" | "module"): Copy {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-examples-"))
  for (const name of fs.readdirSync(EXAMPLES).filter((file) => /\.(ts|json)$/.test(file))) {
    fs.copyFileSync(path.join(EXAMPLES, name), path.join(folder, name))
  }
  fs.writeFileSync(path.join(folder, "quick-start.ts"), quickStart())
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type }))
  install(path.join(folder, "node_modules"))
  compile(folder)

  return {
    folder,
    start(program, args, env) {
      const child = spawn(process.execPath, [path.join("dist", `${program}.js`), ...args], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      })
      let output = ""
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
      child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
      const ended = new Promise<Ended>((resolve, reject) => {
        child.on("error", reject)
        child.on("close", (code) => resolve({ code, output, lines: linesIn(output) }))
      })
      return { ended, kill: () => void child.kill("SIGKILL") }
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

function quickStart(): string {
  const page = fs.readFileSync(path.join(ROOT, "docs/gateway-client.md"), "utf8")
  const [, code] = /<!-- example: client -->\n+```ts\n([^]*?)```/.exec(page) ?? []
  if (code === undefined) throw new Error("The page has no example of the client.")
  return code
}

/** What is packed of the client, what it declares to need, and the types of Node: no Medusa. */
function install(modules: string): void {
  for (const name of ["package.json", "dist"]) {
    fs.cpSync(path.join(CLIENT, name), path.join(modules, PACKAGE, name), { recursive: true })
  }
  const manifest: unknown = JSON.parse(fs.readFileSync(path.join(CLIENT, "package.json"), "utf8"))
  const { dependencies } = manifest as { dependencies: Record<string, string> }
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true })
    fs.symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name))
  }
}

function compile(folder: string): void {
  try {
    execFileSync(process.execPath, [TSC, "-p", "."], { cwd: folder, stdio: "pipe" })
  } catch (error) {
    const { stdout } = error as { stdout?: Buffer }
    throw new Error(`The examples do not compile:\n${stdout?.toString() ?? String(error)}`)
  }
}

/** What is no JSON is in `output` alone, as the trace of a crash. */
function linesIn(output: string) {
  return output.split("\n").flatMap((line): Record<string, unknown>[] => {
    try {
      return [JSON.parse(line) as Record<string, unknown>]
    } catch {
      return []
    }
  })
}
