/**
 * The dashboard and the alert rules ask for metrics that there are, spelled as Prometheus gets them
 * from a store that is set up as docs/observability.md says; and the page tells of each of them.
 */
import fs from "node:fs"
import { createServer } from "node:net"
import path from "node:path"
import { register } from "../../examples/store/instrumentation"
import {
  add,
  METRICS,
  observeGauges,
  record,
  showMoney,
  type MetricName,
} from "../../src/telemetry/metrics"
import type { Attributes } from "../../src/telemetry/attributes"

const ROOT = path.resolve(__dirname, "../..")
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")
const DASHBOARD = read("examples/observability/dashboard.json")
const ALERTS = read("examples/observability/alerts.yml")
const PAGE = read("docs/observability.md")

const ALL: Attributes = {
  "payment.type": "COLLECTION",
  "payment.state": "completed",
  "payment.method": "OPERATOR",
  "payment.flow": "push",
  "payment.currency": "USD",
  "payment.outcome": "done",
  "gateway.call": "status.collection",
  "error.type": "GATEWAY_UNAVAILABLE",
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== "object" || address === null) throw new Error("there is no port")
  return address.port
}

let exposed = ""

/** A store's own set-up, with every metric written once. */
beforeAll(async () => {
  const port = await freePort()
  process.env["OTEL_METRICS_EXPORTER"] = "prometheus"
  process.env["OTEL_TRACES_EXPORTER"] = "none"
  process.env["OTEL_EXPORTER_PROMETHEUS_PORT"] = String(port)
  showMoney(true)
  const sdk = register()
  observeGauges(async (observe) => {
    for (const [name, { kind }] of Object.entries(METRICS)) {
      if (kind === "gauge") observe(name as Parameters<typeof observe>[0], 1, ALL)
    }
  })
  for (const [name, { kind }] of Object.entries(METRICS)) {
    if (kind === "counter") add(name as Parameters<typeof add>[0], 1, ALL)
    if (kind === "histogram") record(name as Parameters<typeof record>[0], 1, ALL)
  }
  exposed = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await sdk.shutdown()
})

it("[D13] the example serves this machine alone, and exports no command line", () => {
  expect(process.env["OTEL_EXPORTER_PROMETHEUS_HOST"]).toBe("127.0.0.1")
  expect(exposed).toMatch(/target_info\{[^}]*service_name="store"/)
  expect(exposed).not.toMatch(/process_|command|argv|executable|jest/)
})

const words = (text: string, pattern: RegExp) => [...new Set(text.match(pattern) ?? [])].sort()
const SERIES = /\bmerchant_payments_\w+/g

/** The series that Prometheus would have, and their labels. */
const series = () =>
  words(exposed.replace(/^#.*$/gm, ""), /^merchant_payments_\w+/gm).map((one) => one.trim())
const labels = () => words(exposed, /\b\w+(?==")/g)

/** Series that stand for a metric, by its name in the code. */
const standsFor = (name: MetricName) => {
  const plain = name.replaceAll(".", "_")
  return [plain, `${plain}_total`, `${plain}_bucket`, `${plain}_sum`, `${plain}_count`]
}

it("every metric is exposed", () => {
  const there = series()
  const silent = (Object.keys(METRICS) as MetricName[]).filter(
    (name) => !standsFor(name).some((one) => there.includes(one)),
  )
  expect(silent).toEqual([])
})

it.each([
  ["dashboard.json", DASHBOARD],
  ["alerts.yml", ALERTS],
])("%s asks for series and labels that there are", (_name, text) => {
  const asked = words(text, SERIES)
  expect(asked.length).toBeGreaterThan(8)
  expect(asked.filter((one) => !series().includes(one))).toEqual([])
  const named = words(
    text,
    /\b(?:payment|error|gateway)_(?:type|state|method|flow|currency|outcome|call)\b/g,
  )
  expect(named.filter((one) => !labels().includes(one))).toEqual([])
})

it("the dashboard shows every metric", () => {
  const asked = words(DASHBOARD, SERIES)
  const unseen = (Object.keys(METRICS) as MetricName[]).filter(
    (name) => !standsFor(name).some((one) => asked.includes(one)),
  )
  expect(unseen).toEqual([])
  const { panels } = JSON.parse(DASHBOARD) as { panels: { id: number; targets: unknown[] }[] }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(panels.every(({ targets }) => targets.length > 0)).toBe(true)
})

it("docs/observability.md names each metric, and says what to do about each alert", () => {
  const named = words(PAGE, /`merchant_payments\.[\w.]+`/g)
  expect(named).toEqual(
    Object.keys(METRICS)
      .map((name) => `\`${name}\``)
      .sort(),
  )
  const alerts = [...ALERTS.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(alerts.length).toBeGreaterThan(8)
  expect(words(PAGE, /`MerchantPayments\w+`/g)).toEqual(alerts.map((name) => `\`${name}\``).sort())
})
