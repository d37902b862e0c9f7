/** Plays the scenes one after the other on one cluster and says what was broken. */
import fs from "node:fs"
import { parseArgs } from "node:util"
import { StartFailure } from "../../demo/run/failure.cjs"
import { checkOut, isKnown, LAST_RELEASE } from "../../scripts/old-version.cjs"
import { withCluster, type Cluster, type Services } from "./cluster"
import { failOver } from "./failover"
import { judge } from "./judge"
import { ringOnePhone } from "./phones"
import { play as playScene, SCENES, UPGRADE, type Scene } from "./scenes"
import { startPair } from "./standby"
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
      options: { only: { type: "string" }, json: { type: "string" }, old: { type: "string" } },
    })
    const results = await playScenes(values, (line) => console.log(line))
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

type Around = Services & { readonly old: string }

/** A scene with a cluster of its own, since that one ends as another one than it began. */
type OwnPlay = Pick<Play, "name" | "about"> & {
  playAlone(around: Around): Promise<Result | undefined>
}

const PLAYS: readonly Play[] = [
  ...SCENES.map((scene) => ({
    ...scene,
    play: (cluster: Cluster) => resultOf(cluster, scene),
  })),
  { name: "streams", about: "a page on one server hears what a worker recorded", play: streamed },
  { name: "phones", about: "one number in many carts, over both servers", play: rung },
]

const OWN_PLAYS: readonly OwnPlay[] = [
  {
    name: "failover",
    about: "a standby takes over that lacks the last transactions",
    playAlone: tookOver,
  },
  { ...UPGRADE, playAlone: upgraded },
]

function chooser(only: string | undefined): (one: { readonly name: string }) => boolean {
  const asked = only?.split(",").map((name) => name.trim())
  const names = [...PLAYS, ...OWN_PLAYS].map(({ name }) => name)
  const unknown = asked?.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(`There is no scene "${unknown}". There are: ${names.join(", ")}.`)
  }
  return ({ name }) => asked?.includes(name) ?? true
}

/** Both services are named, so the scenes can be played. */
export const hasServices = (): boolean =>
  Boolean(process.env["DATABASE_URL"] && process.env["REDIS_URL"])

type Asked = {
  /** Names of scenes with commas; undefined: all. */
  readonly only?: string | undefined
  /** What the rolling upgrade begins with: a release, branch or commit; the last release, if left out. */
  readonly old?: string | undefined
}

/**
 * @throws StartFailure where a scene does not exist, or a service is not named or does not answer
 */
export async function playScenes(
  { only, old = LAST_RELEASE }: Asked,
  say: (line: string) => void,
): Promise<Record<string, Result>> {
  const isChosen = chooser(only)
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env
  if (!databaseUrl || !redisUrl) throw new StartFailure(MISSING)
  const results: Record<string, Result> = {}
  const stopping = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stopping.abort(new StartFailure("Stopped.")))
  }
  const services = { databaseUrl, redisUrl, signal: stopping.signal, say }
  const tell = async (
    { name, about }: { readonly name: string; readonly about: string },
    played: () => Promise<Result | undefined>,
  ) => {
    say(`${name}: ${about} …`)
    const result = await played()
    if (!result) return
    results[name] = result
    for (const one of result.violations) say(`BROKEN ${one}`)
  }
  const plays = PLAYS.filter(isChosen)
  if (plays.length > 0) {
    await withCluster(services, async (cluster) => {
      for (const play of plays) await tell(play, () => play.play(cluster))
    })
  }
  for (const own of OWN_PLAYS.filter(isChosen)) {
    await tell(own, () => own.playAlone({ ...services, old }))
  }
  return results
}

/** Its servers are of the package, since a named one has no standby of ours. */
async function tookOver(services: Services): Promise<Result> {
  const pair = await startPair()
  try {
    return await withCluster({ ...services, databaseUrl: pair.url }, async (cluster) => {
      const fromMs = performance.now()
      const { purchases, forgotten, violations } = await failOver(cluster, pair)
      services.say(`${forgotten} charges are forgotten here, and named by the comparison`)
      return {
        payments: purchases.length,
        kills: 0,
        seconds: Math.round((performance.now() - fromMs) / 1_000),
        slowest_ms: Math.round(Math.max(...purchases.map(({ tookMs }) => tookMs))),
        violations,
      }
    })
  } finally {
    await pair.stop()
  }
}

/** @returns undefined where no older version is known, which is said */
async function upgraded({ old, ...services }: Around): Promise<Result | undefined> {
  if (!isKnown(old)) {
    services.say(`It is left out: git knows no ${old} here; name an older version with --old`)
    return undefined
  }
  const version = checkOut(old)
  try {
    return await withCluster({ ...services, root: version.folder }, (cluster) =>
      resultOf(cluster, UPGRADE),
    )
  } finally {
    version.remove()
  }
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
