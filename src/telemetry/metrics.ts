/**
 * All metrics of the plugin, and the one way to write them. The shop's own OpenTelemetry SDK
 * collects them; without one, each call ends in an empty function of the API.
 */
import {
  metrics,
  type BatchObservableResult,
  type Counter,
  type Histogram,
  type Meter,
  type ObservableGauge,
} from "@medusajs/framework/opentelemetry/api"
import { safeAttributes, type Attributes } from "./attributes"

type Metric = {
  readonly kind: "counter" | "histogram" | "gauge"
  readonly unit: string
  readonly description: string
  /** The shop's turnover can be read off it, so it is written only where the shop wants it. */
  readonly isMoney?: true
}

/**
 * A unit of time is the last word of its name: exporters to Prometheus that add the unit and those
 * that do not then spell the same name.
 */
export const METRICS = {
  "merchant_payments.operations": {
    kind: "counter",
    unit: "{operation}",
    description: "Operations that came into a state",
  },
  "merchant_payments.confirm.seconds": {
    kind: "histogram",
    unit: "s",
    description: "From sending a payment to the gateway's confirmation",
  },
  "merchant_payments.money": {
    kind: "counter",
    unit: "{major}",
    description: "Confirmed money in major units of its currency: in, given back, sent out",
    isMoney: true,
  },
  "merchant_payments.starts": {
    kind: "counter",
    unit: "{start}",
    description: "Starts by shoppers, with the code of a refusal",
  },
  "merchant_payments.checks": {
    kind: "counter",
    unit: "{check}",
    description: "Checks of due operations by this process",
  },
  "merchant_payments.check.seconds": {
    kind: "histogram",
    unit: "s",
    description: "From the beginning of a check to its end",
  },
  "merchant_payments.gateway.call.seconds": {
    kind: "histogram",
    unit: "s",
    description: "Calls to the gateway by outcome, token and repeats included",
  },
  "merchant_payments.gateway.rate_limited": {
    kind: "counter",
    unit: "{call}",
    description: "Calls that the gateway answered with 429",
  },
  "merchant_payments.pauses": {
    kind: "counter",
    unit: "{pause}",
    description: "Pauses of an account's checks that the gateway asked for",
  },
  "merchant_payments.leases": {
    kind: "gauge",
    unit: "{lease}",
    description: "Operations that this process holds",
  },
  "merchant_payments.streams": {
    kind: "gauge",
    unit: "{stream}",
    description: "Open live streams of this process",
  },
  "merchant_payments.database": {
    kind: "gauge",
    unit: "{answer}",
    description: "1 if the tables answered; at 0 the gauges of all processes are of earlier",
  },
  "merchant_payments.due.oldest.seconds": {
    kind: "gauge",
    unit: "s",
    description: "How long the oldest due check has waited",
  },
  "merchant_payments.unrecorded": {
    kind: "gauge",
    unit: "{operation}",
    description: "Completed payments that are not recorded in Medusa yet",
  },
  "merchant_payments.workers": {
    kind: "gauge",
    unit: "{worker}",
    description: "Workers that gave a sign of life lately",
  },
  "merchant_payments.workers.expected": {
    kind: "gauge",
    unit: "{worker}",
    description: "Workers of the last minutes that did not end in order",
  },
  "merchant_payments.accounts.paused": {
    kind: "gauge",
    unit: "{account}",
    description: "Accounts whose checks are paused now",
  },
  "merchant_payments.review": {
    kind: "gauge",
    unit: "{operation}",
    description: "Operations that wait for an admin's decision",
  },
  "merchant_payments.review.money": {
    kind: "gauge",
    unit: "{major}",
    description: "Money in review in major units of its currency",
    isMoney: true,
  },
  "merchant_payments.methods.disrupted": {
    kind: "gauge",
    unit: "{method}",
    description: "1 for each payment method that fails most of its payments",
  },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS
type NameOf<Kind extends Metric["kind"]> = {
  [Name in MetricName]: (typeof METRICS)[Name]["kind"] extends Kind ? Name : never
}[MetricName]
type GaugeName = NameOf<"gauge">

export const SCOPE = "medusa-plugin-merchant-payments"

type Made = {
  readonly meter: Meter
  readonly counters: Map<string, Counter>
  readonly histograms: Map<string, Histogram>
}

/** By the SDK that is registered: one that comes later, or is replaced, gets its own. */
const made = new WeakMap<object, Made>()

function instruments(): Made {
  const provider = metrics.getMeterProvider()
  const known = made.get(provider)
  if (known) return known
  const meter = provider.getMeter(SCOPE)
  const fresh = { meter, counters: new Map<string, Counter>(), histograms: new Map() }
  made.set(provider, fresh)
  return fresh
}

let isMoneyShown = false

/** Whether sums of money are metrics; they are not until a store says so. */
export function showMoney(isShown: boolean): void {
  isMoneyShown = isShown
}

function isHidden(name: MetricName): boolean {
  const metric: Metric = METRICS[name]
  return metric.isMoney === true && !isMoneyShown
}

export function add(name: NameOf<"counter">, value: number, attributes: Attributes = {}): void {
  if (isHidden(name)) return
  const { meter, counters } = instruments()
  const { unit, description } = METRICS[name]
  const counter = counters.get(name) ?? meter.createCounter(name, { unit, description })
  counters.set(name, counter)
  counter.add(value, safeAttributes(attributes))
}

/** Seconds; the boundaries reach from a quick answer to the window of a prompt. */
const BOUNDARIES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800]

export function record(name: NameOf<"histogram">, ms: number, attributes: Attributes = {}): void {
  const { meter, histograms } = instruments()
  const { unit, description } = METRICS[name]
  const advice = { explicitBucketBoundaries: BOUNDARIES }
  const histogram =
    histograms.get(name) ?? meter.createHistogram(name, { unit, description, advice })
  histograms.set(name, histogram)
  histogram.record(ms / 1_000, safeAttributes(attributes))
}

export type Observe = (name: GaugeName, value: number, attributes?: Attributes) => void

/**
 * Has all gauges read together each time that the SDK collects, and never without an SDK.
 *
 * @returns a function that ends that
 */
export function observeGauges(read: (observe: Observe) => Promise<void>): () => void {
  const { meter } = instruments()
  const gauges = new Map<string, ObservableGauge>(
    Object.entries(METRICS).flatMap(([name, { kind, unit, description }]) =>
      kind === "gauge"
        ? [[name, meter.createObservableGauge(name, { unit, description })] as const]
        : [],
    ),
  )
  const callback = (result: BatchObservableResult) =>
    read((name, value, attributes = {}) => {
      const gauge = gauges.get(name)
      if (gauge && !isHidden(name)) result.observe(gauge, value, safeAttributes(attributes))
    })
  const all = [...gauges.values()]
  meter.addBatchObservableCallback(callback, all)
  return () => meter.removeBatchObservableCallback(callback, all)
}
