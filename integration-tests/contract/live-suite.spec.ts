/**
 * The live suite against simulators that are set to differ: it has to learn what each was set to
 * do, spend no more than its limit, and show no secret that the gateway answers.
 */
import fs from "node:fs"
import http from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import os from "node:os"
import path from "node:path"
import { startSimulator, type Simulator, type SimulatorOptions } from "../../packages/simulator/src"
import { createGateway, type Lesson } from "../../src/gateway"
import { budgetOf, OverLimit } from "../live/budget"
import { writeReport, type Report } from "../live/report"
import { NotBegun, settingsFrom } from "../live/settings"
import { runSuite, type Ports } from "../live/suite"
import { calmOf } from "../support/tempers"

const PHONE = "231770000000"
const SECRET = "simulator-secret"
const ENVIRONMENT = {
  MERCHANT_PAYMENTS_BASE_URL: "http://localhost:1",
  MERCHANT_PAYMENTS_CLIENT_ID: "simulator-client",
  MERCHANT_PAYMENTS_CLIENT_SECRET: SECRET,
  MERCHANT_PAYMENTS_LIVE_PHONE: PHONE,
  MERCHANT_PAYMENTS_LIVE_MAX_AMOUNT: "USD=20",
  MERCHANT_PAYMENTS_LIVE_AMOUNT: "USD=2.00",
}

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

type Scene = {
  readonly simulator?: SimulatorOptions
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  readonly ports?: Partial<Ports>
  /** Puts a server before the simulator. */
  readonly before?: (url: string) => Promise<string>
}

/** A run by a driven clock, which the simulator shares. */
async function played({ simulator: set = {}, env, flags = ["--yes"], ports, before }: Scene = {}) {
  let nowMs = Date.now()
  const clock = { now: () => nowMs }
  const simulator = await startSimulator({ port: 0, seed: "live", clock, ...set })
  open.push(simulator)
  const url = before ? await before(simulator.url) : simulator.url
  const settings = settingsFrom({ ...ENVIRONMENT, ...env, MERCHANT_PAYMENTS_BASE_URL: url }, flags)
  const gateway = createGateway(settings)
  open.push(gateway)
  const saved: Report[] = []
  const report = await runSuite(settings, {
    gateway,
    signal: new AbortController().signal,
    confirm: () => Promise.resolve(false),
    say: () => undefined,
    save: (now) => void saved.push(structuredClone(now)),
    clock: { nowMs: () => nowMs, sleep: async (ms) => void (nowMs += ms) },
    ...ports,
  })
  return { report, saved, simulator }
}

const lessonOf = ({ lessons }: Report, question: string): Lesson | undefined =>
  lessons.find((one) => one.question === question)
const learned = (report: Report, question: string) => lessonOf(report, question)?.learned
const executions = ({ calls }: Simulator) => calls["executeCollection"] ?? 0

describe("the live suite", () => {
  it.each([
    [{ unknownReference: 404 }, "unknown_reference", /^refused, 404/],
    [{ unknownReference: 422 }, "unknown_reference", /^refused, 422/],
    [{ newSourceStatus: "IDLE" }, "source_state", /^IDLE$/],
    [{ newSourceStatus: "ACTIVE" }, "source_state", /^ACTIVE$/],
    [{ repeatedExecution: "ANSWER" }, "repeated_reference", /^done$/],
    [{ repeatedExecution: "REFUSE" }, "repeated_reference", /^refused, 422/],
    [{ showsPaymentIntent: true }, "collection_intent_field", /^there$/],
    [{ showsPaymentIntent: false }, "collection_intent_field", /^in no known field$/],
    [{}, "amount_form", /^text, /],
    [{ habits: ["predictions_as_numbers"] }, "amount_form", /^number, /],
    [{ statusLagMs: 0 }, "status_lag", /^0 ms$/],
    [{ statusLagMs: 10_000 }, "status_lag", /^12000 ms$/],
    [{ realtimeKeyLifeSeconds: 77 }, "realtime_key", /77 seconds/],
    [{ habits: ["words_lower"] }, "execution_word", /^[a-z_]+$/],
    [{}, "execution_word", /^[A-Z_]+$/],
    [{ requestsPerSecond: 40 }, "rate_limit", /^3\d reads within 0.0 s, then .*429, asked to wait 1000 ms$/],
    [{}, "rate_limit", /^none in 200 reads within/],
  ] as const)("learns from a gateway with %j its %s", async (simulator: SimulatorOptions, question, wanted) => {
    const { report } = await played({ simulator, flags: ["--yes", "--repeat", "--rate"] })
    expect(learned(report, question)).toMatch(wanted)
  })

  it("learns the same from the oddest wire as from the tidy one, and gives the money back", async () => {
    const habits = (calmOf("odd").habits ?? []).filter((one) => one !== "unknown_operators")
    const { report } = await played({ simulator: { habits }, flags: ["--yes", "--refund"] })
    expect(report).toMatchObject({ ended: null })
    const states = report.made.map(({ kind, state }) => `${kind} ${state}`)
    expect(states).toEqual(["source completed", "collection completed", "refund completed"])
  })
})

describe("the live suite, which spends no more than it may,", () => {
  it("charges nothing where the limit leaves no room", async () => {
    const { report, simulator } = await played({
      env: { MERCHANT_PAYMENTS_LIVE_MAX_AMOUNT: "USD=1.99" },
    })
    expect(report.ended).toMatch(/limit/)
    expect(executions(simulator)).toBe(0)
  })

  it("counts a payment without an answer, and repeats nothing over the limit", async () => {
    const { report, simulator } = await played({
      simulator: { faults: { executeCollection: ["reset:after"] } },
      env: { MERCHANT_PAYMENTS_LIVE_MAX_AMOUNT: "USD=3.00" },
      flags: ["--yes", "--repeat"],
    })
    expect(report.spent).toEqual({ USD: "2.00" })
    expect(executions(simulator)).toBe(1)
    expect(report.ended).toMatch(/limit/)
  })

  it("charges nothing if the operator does not agree", async () => {
    const { report, simulator } = await played({ flags: [] })
    expect([executions(simulator), report.spent]).toEqual([0, { USD: "0.00" }])
  })

  it("has written each reference before its call, also when the operator ends the run", async () => {
    const ending = new AbortController()
    const { report, saved } = await played({
      ports: { signal: ending.signal, say: () => ending.abort() },
    })
    const made = report.made.find(({ kind }) => kind === "collection")
    expect(made?.state).toBe("open")
    expect(saved.at(-2)?.made).toContainEqual(made)
    expect([report.ended, saved.at(-1)?.endedAt]).toEqual(["ended by the operator", report.endedAt])
  })

  it("never takes more than the limit in total", () => {
    const { limits } = settingsFrom(ENVIRONMENT, [])
    const [limit] = limits
    if (!limit) throw new Error("no limit")
    const budget = budgetOf(limits)
    budget.take({ ...limit, minor: limit.minor - 1n })
    expect(() => budget.take({ ...limit, minor: 2n })).toThrow(OverLimit)
    budget.take({ ...limit, minor: 1n })
    expect(budget.left(limit.currency)).toBe(0n)
  })
})

it.each([
  ["MERCHANT_PAYMENTS_BASE_URL", "live_credentials_missing"],
  ["MERCHANT_PAYMENTS_CLIENT_ID", "live_credentials_missing"],
  ["MERCHANT_PAYMENTS_CLIENT_SECRET", "live_credentials_missing"],
  ["MERCHANT_PAYMENTS_LIVE_PHONE", "live_phone_missing"],
  ["MERCHANT_PAYMENTS_LIVE_MAX_AMOUNT", "live_limit_missing"],
])("without %s the live suite does not begin: %s", (name, code) => {
  const begin = () => settingsFrom({ ...ENVIRONMENT, [name]: "" }, [])
  expect(begin).toThrow(NotBegun)
  expect(begin).toThrow(expect.objectContaining({ code, message: expect.stringContaining(name) }))
})

/** Secrets that a gateway may answer in unexpected places. */
const PLANTED = ["eyJhbGciOi.eyJzdWIi.c2ln", "Ada Lovelace", PHONE, SECRET]

/** Adds the planted texts to each answer but the token's: as messages, names and state words. */
async function planting(url: string): Promise<string> {
  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method = "GET", headers } = request
      const sent = await fetch(`${url}${request.url ?? ""}`, {
        method,
        headers: {
          authorization: headers.authorization ?? "",
          "content-type": headers["content-type"] ?? "",
        },
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      const body = (await sent.json()) as Record<string, unknown>
      const isToken = request.url?.includes("token") ?? false
      const all = Array.isArray(body) || isToken ? {} : extraOf(request.url ?? "")
      const answer = isToken || Array.isArray(body) ? body : { ...body, ...all }
      response.writeHead(sent.status, { "content-type": "application/json" })
      response.end(JSON.stringify(answer))
    })()
  })
  server.listen(0, "localhost")
  await once(server, "listening")
  open.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

function extraOf(url: string): Record<string, unknown> {
  const texts = { gateway_message: PLANTED.join(" "), party_name: PLANTED[1], detail: PLANTED.join() }
  const intent = { [PLANTED[1] ?? ""]: { payment_intent_id: 42 } }
  return url.includes("/executions/") ? { ...texts, ...intent, status: PLANTED[1] } : texts
}

it("the report of the live suite shows no secret, number, or name, wherever the gateway answers with them", async () => {
  const { report } = await played({ before: planting })
  expect(lessonOf(report, "execution_word")?.learned).toBe("no plain word")
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "live-report-"))
  const said: Lesson = {
    ...({ question: "planted", call: "status.source", field: PLANTED.join(" ") } as const),
    ...{ learned: `${PLANTED[0]} ${PHONE} ${SECRET}`, why: null },
  }
  try {
    const planted = { ...report, lessons: [...report.lessons, { ...said, field: null }] }
    writeReport(folder, planted, [SECRET, "simulator-client", PHONE])
    const names = fs.readdirSync(folder)
    expect(names.map((name) => path.extname(name)).sort()).toEqual([".json", ".md"])
    for (const name of names) {
      const text = fs.readFileSync(path.join(folder, name), "utf8")
      for (const one of PLANTED) expect(text).not.toContain(one)
      for (const { reference } of report.made) expect(text).toContain(reference)
    }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
