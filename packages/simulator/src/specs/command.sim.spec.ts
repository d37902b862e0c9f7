/** The command as it ships: compiled, as a process of its own. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

const home = join(__dirname, "..", "..")
const root = join(home, "..", "..")
const build = join(root, "node_modules", ".cache", `simulator-${process.pid}`)
const COMPILE_MS = 60_000
// Starting a process takes seconds on a busy machine.
beforeAll(() => {
  const tsc = require.resolve("typescript/bin/tsc")
  const project = join(home, "tsconfig.json")
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", build])
}, COMPILE_MS)
afterAll(() => rmSync(build, { recursive: true, force: true }))

const run = (flags: string[], environment: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [join(build, "bin.js"), ...flags], {
    env: { ...process.env, ...environment },
  })
  const output = { text: "" }
  child.stdout.on("data", (chunk) => (output.text += String(chunk)))
  child.stderr.on("data", (chunk) => (output.text += String(chunk)))
  return { child, output }
}

const ended = async (child: ChildProcess): Promise<unknown> => {
  const [code] = (await once(child, "close")) as unknown[]
  return code
}

test("it says where it is in one line, saves its book on SIGTERM and ends with 0", async () => {
  const bookFile = join(build, "book.json")
  const { child, output } = run(["--port", "0", "--seed", "1", "--book", bookFile])
  await once(child.stdout, "data")
  const url = /^Gateway simulator ready at (http:\/\/localhost:\d+)\n$/.exec(output.text)?.[1]
  const answer = await fetch(`${url}/v1/jwt/client/obtain/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "simulator-client", client_secret: "simulator-secret" }),
  })
  expect(answer.status).toBe(200)
  child.kill("SIGTERM")
  expect(await ended(child)).toBe(0)
  expect(JSON.parse(readFileSync(bookFile, "utf8"))).toMatchObject({ counters: { token: 1 } })
})

test("it does not start in production", async () => {
  const { child, output } = run(["--port", "0"], { NODE_ENV: "production" })
  expect(await ended(child)).toBe(1)
  expect(output.text).toContain("does not run with NODE_ENV=production")
})

test("a flag that makes no sense ends it with a sentence", async () => {
  const { child, output } = run(["--speed", "fast"])
  expect(await ended(child)).toBe(1)
  expect(output.text).toBe('--speed wants a number, not "fast".\n')
})

test("a fault of the command line strikes the first call", async () => {
  const { child, output } = run(["--port", "0", "--fault", "listFeeTiers=503:7"])
  await once(child.stdout, "data")
  const url = /(http:\/\/localhost:\d+)\n$/.exec(output.text)?.[1]
  const { status, headers } = await fetch(`${url}/v1/fees/tiers`)
  expect([status, headers.get("retry-after")]).toEqual([503, "7"])
  child.kill("SIGTERM")
  expect(await ended(child)).toBe(0)
})

test("--help tells every flag", async () => {
  const { child, output } = run(["--help"])
  expect(await ended(child)).toBe(0)
  const flags = ["port", "host", "public-url", "seed", "speed", "latency", "book"]
  const troubles = ["fault", "faults-random", "faults-seed", "requests-per-second"]
  for (const flag of [...flags, ...troubles]) expect(output.text).toContain(`--${flag} `)
})
