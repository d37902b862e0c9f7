/**
 * Every route of ours against a real store: asked what nobody should ask, and the same mutation
 * twenty times at once. No error of ours, no leak, no hang; and at the end the money is the same in
 * all three places.
 */
import { breachesOf, type Harness } from "../http/support/harness"
import { until } from "../support/until"
import { diceOf } from "../soak/dice"
import { prepareFixture, type Fixture } from "./fixture"
import { doorsToOpen } from "./doors"
import { faultsOf } from "./judge"
import { drawMutation, drawRequest, MUTATIONS, send, type Drawn } from "./requests"
import { guardedRoutes, nameOf, routesOfOurs } from "./routes"
import { breachesOfTwo } from "./two-admins"
import { watchDoors } from "./watch-doors"

const AT_ONCE = 8
const TWINS = 20
/** Of the mutations that are made twenty times. */
const ONE_IN = 40
const FRESH_EVERY = 50
const EXAMPLES_MAX = 40
const SAY_EVERY = 1_000

export type Fuzzed = {
  readonly requests: number
  /** How often each route was answered with which status. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Doors that no request was let through, each with why. */
  readonly neverOpened: readonly string[]
  readonly violations: readonly string[]
}

export type FuzzOptions = {
  readonly harness: Harness
  /** At least so many. */
  readonly requests: number
  readonly seed: number
  readonly say?: (line: string) => void
}

export async function fuzz({ harness, requests, seed, say }: FuzzOptions): Promise<Fuzzed> {
  const fixture = await prepareFixture(harness)
  const routes = [...routesOfOurs(), ...guardedRoutes()]
  const answers = new Map<string, Map<number, number>>()
  const doors = watchDoors()
  const violations: string[] = []
  const phones = new Set<string>()
  let sent = 0
  let drawn = 0

  const ask = async (request: Drawn): Promise<void> => {
    const answer = await send(harness, request)
    sent += 1
    const statuses = answers.get(request.route) ?? new Map<number, number>()
    answers.set(request.route, statuses)
    const status = answer?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    doors.note(request.door, status, answer?.text ?? "")
    const isTheirs = request.path.includes(fixture.foreignSession) && status < 400
    if (isTheirs) violations.push(`${request.path} showed a stranger another's payment`)
    for (const { partyPhone } of harness.simulator.book.documents().slice(-AT_ONCE)) {
      phones.add(partyPhone)
    }
    violations.push(...faultsOf(request, answer, phones))
    if (sent % SAY_EVERY === 0) say?.(`${sent} of ${requests}`)
  }
  const askOnAndOn = async () => {
    while (sent < requests && violations.length < EXAMPLES_MAX) {
      drawn += 1
      // The others go on meanwhile, and count on.
      const turn = drawn
      const dice = diceOf(seed, `request ${turn}`)
      if (turn % FRESH_EVERY === 0) await fixture.fresh()
      if (turn % ONE_IN === 0) {
        const name = dice.oneOf(MUTATIONS)
        const route = routes.find((one) => nameOf(one) === name)
        if (!route) throw new Error(`there is no ${name}`)
        const mutation = drawMutation(dice, route, fixture)
        await Promise.all(Array.from({ length: TWINS }, () => ask(mutation)))
      } else if (turn % ONE_IN === 1) {
        await askForTheirs(fixture, ask)
      } else {
        // Each in its turn, so that a new one is asked as often as the others.
        const route = routes[turn % routes.length]
        if (route) await ask(drawRequest(dice, route, fixture))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOnAndOn))
  say?.(`all ${sent} are answered; what they left comes to rest`)
  await comeToRest(harness)
  const broken = [...(await breachesOf(harness)), ...(await breachesOfTwo(harness))]
  return {
    requests: sent,
    answers,
    neverOpened: doors.neverOpened(doorsToOpen(routes)),
    violations: [...violations, ...broken],
  }
}

/** A guest who has got hold of the session of somebody who is logged in. */
async function askForTheirs({ foreignSession }: Fixture, ask: (drawn: Drawn) => Promise<void>) {
  const path = `/store/merchant-payments/sessions/${foreignSession}`
  const drawn = { route: "theirs", door: "theirs", headers: {}, isMedusas: false }
  await ask({ ...drawn, method: "GET", path, body: undefined })
  const headers = { "content-type": "application/json" }
  await ask({ ...drawn, headers, method: "POST", path: `${path}/start`, body: "{}" })
}

/**
 * What the gateway has ended is ended here, and what was paid is in Medusa. Then the sweep has
 * passed: Medusa's own half-done refunds stay in an order's sums until it does.
 */
async function comeToRest(harness: Harness): Promise<void> {
  await allHasEnded(harness)
  await harness.sql("update mp_task set due_at = now() where name = 'sweep'")
  const isSwept = "select from mp_task where name = 'sweep' and due_at > now()"
  await until(async () => (await harness.sql(isSwept)).length > 0, "the sweep has passed")
}

async function allHasEnded({ sql, simulator: { book } }: Harness): Promise<void> {
  let owed: readonly string[] = []
  const isAtRest = async () => {
    const money = [...book.executions(), ...book.refunds(), ...book.payouts(), ...book.transfers()]
    const ended = money.filter(({ status }) => status === "COMPLETED" || status === "FAILED")
    const references = ended.map(({ reference }) => reference)
    const rows = await sql<{ told: string }>(
      `select id || ' is ' || state as told from mp_operation
        where (flow = 'push' or type <> 'COLLECTION')
          and ((state in ('submitted', 'in_flight') and reference::text = any($1))
               or (state = 'completed' and recorded_at is null and returned_at is null
                   and type = 'COLLECTION'))`,
      [references],
    )
    owed = rows.map(({ told }) => told)
    return owed.length === 0
  }
  await until(isAtRest, "all that was begun has its end", 600_000).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${owed.slice(0, EXAMPLES_MAX).join(", ")}`)
  })
}
