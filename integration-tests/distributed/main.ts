/** Plays the scenes one after the other on one cluster and says what was broken. */
import fs from "node:fs"
import { parseArgs } from "node:util"
import { StartFailure } from "../../demo/run/failure.cjs"
import { withCluster, type Cluster } from "./cluster"
import { judge } from "./judge"
import { ringOnePhone } from "./phones"
import { play as playScene, SCENES, type Scene } from "./scenes"
import { heardAcross, type Heard } from "./streams"

/** From another process's record until a stream of this server says it. */
const HEARD_WITHIN_MS = 1_500

type Result = {
  readonly payments: number
  /** Processes that were killed, or frozen past their lease. */
  readonly kills: number
  readonly seconds: number
  readonly slowest_ms: number
  readonly violations: readonly string[]
}

/** @param argv the arguments after the script */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { only: { type: "string" }, json: { type: "string" } },
    })
    const results = await playScenes(values.only, (line) => console.log(line))
    const text = JSON.stringify(results, null, 2)
    if (values.json !== undefined) fs.writeFileSync(values.json, `${text}\n`)
    console.log(text)
    const broken = Object.values(results).filter(({ violations }) => violations.length > 0)
    const passed = Object.keys(results).length - broken.length
    console.log(`${passed} passed, ${broken.length} failed`)
    if (broken.length > 0) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof StartFailure ? error.message : error)
    process.exitCode = 1
  }
}

type Play = {
  readonly name: string
  readonly about: string
  play(cluster: Cluster): Promise<Result>
}

const PLAYS: readonly Play[] = [
  ...SCENES.map((scene) => ({
    ...scene,
    play: (cluster: Cluster) => resultOf(cluster, scene),
  })),
  { name: "streams", about: "a page on one server hears what a worker recorded", play: streamed },
  { name: "phones", about: "one number in many carts, over both servers", play: rung },
]

function chosen(only: string | undefined): readonly Play[] {
  const asked = only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !PLAYS.some((one) => one.name === name))
  if (unknown !== undefined) {
    const names = PLAYS.map(({ name }) => name).join(", ")
    throw new StartFailure(`There is no scene "${unknown}". There are: ${names}.`)
  }
  return PLAYS.filter(({ name }) => asked?.includes(name) ?? true)
}

/** Both services are named, so the scenes can be played. */
export const hasServices = (): boolean =>
  Boolean(process.env["DATABASE_URL"] && process.env["REDIS_URL"])

/**
 * @param only names of scenes with commas; undefined: all
 * @throws StartFailure where a scene does not exist, or a service is not named or does not answer
 */
export async function playScenes(
  only: string | undefined,
  say: (line: string) => void,
): Promise<Record<string, Result>> {
  const plays = chosen(only)
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env
  if (!databaseUrl || !redisUrl) throw new StartFailure(MISSING)
  const results: Record<string, Result> = {}
  const stopping = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stopping.abort(new StartFailure("Stopped.")))
  }
  const { signal } = stopping
  await withCluster({ databaseUrl, redisUrl, signal, say }, async (cluster) => {
    for (const { name, about, play } of plays) {
      say(`${name}: ${about} …`)
      const result = await play(cluster)
      results[name] = result
      for (const one of result.violations) say(`BROKEN ${one}`)
    }
  })
  return results
}

async function resultOf(cluster: Cluster, scene: Scene): Promise<Result> {
  const fromMs = performance.now()
  const { purchases, kills } = await playScene(cluster, scene)
  const violations = await judge(cluster, { purchases, fromMs })
  return {
    payments: purchases.length,
    kills,
    seconds: Math.round((performance.now() - fromMs) / 1_000),
    slowest_ms: Math.round(Math.max(...purchases.map(({ tookMs }) => tookMs))),
    violations,
  }
}

async function streamed(cluster: Cluster): Promise<Result> {
  const fromMs = performance.now()
  const heard: readonly Heard[] = await heardAcross(cluster)
  const late = heard.filter(({ afterMs }) => afterMs > HEARD_WITHIN_MS)
  return {
    payments: heard.length,
    kills: 0,
    seconds: Math.round((performance.now() - fromMs) / 1_000),
    slowest_ms: Math.round(Math.max(...heard.map(({ afterMs }) => afterMs))),
    violations: late.map(({ sessionId, afterMs }) => `${sessionId} heard after ${afterMs} ms`),
  }
}

async function rung(cluster: Cluster): Promise<Result> {
  const { carts, tookMs, violations } = await ringOnePhone(cluster)
  return {
    payments: carts,
    kills: 0,
    seconds: Math.round(tookMs / 1_000),
    slowest_ms: Math.round(tookMs),
    violations,
  }
}

const MISSING = [
  "This needs a PostgreSQL and a Redis: set DATABASE_URL and REDIS_URL. From packages:",
  "  Debian, Ubuntu   sudo apt install postgresql redis-server",
  "  macOS            brew install postgresql@16 redis && brew services start postgresql@16 redis",
  "Then: DATABASE_URL=postgres://localhost/postgres REDIS_URL=redis://localhost/9 \\",
  "  npm run test:distributed",
  "The user has to be able to make a database. Redis: a numbered database that nobody else uses.",
].join("\n")
