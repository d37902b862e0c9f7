/** A shop's own OpenTelemetry SDK that keeps what it gets, and what a test asks of that. */
import { metrics, NodeSDK, tracing } from "@medusajs/framework/opentelemetry/sdk-node"

type Told = {
  readonly where: string
  readonly name: string
  readonly value: unknown
}

export type Telemetry = {
  spans(): tracing.ReadableSpan[]
  /** Collects now. @returns the metrics by name */
  collect(): Promise<Map<string, metrics.MetricData>>
  /** Every attribute of every span, event, link and data point, and each span's name. */
  told(): Promise<Told[]>
  stop(): Promise<void>
}

/** Collects when it is asked and never by itself. */
class AskedReader extends metrics.MetricReader {
  protected override onForceFlush = (): Promise<void> => Promise.resolve()
  protected override onShutdown = (): Promise<void> => Promise.resolve()
}

export function startTelemetry(): Telemetry {
  const exporter = new tracing.InMemorySpanExporter()
  const reader = new AskedReader()
  const sdk = new NodeSDK({
    spanProcessors: [new tracing.SimpleSpanProcessor(exporter)],
    metricReaders: [reader],
    instrumentations: [],
    autoDetectResources: false,
  })
  sdk.start()
  const spans = () => exporter.getFinishedSpans()
  const collect = async () => {
    const { resourceMetrics, errors } = await reader.collect()
    if (errors.length > 0) throw errors[0]
    const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
    return new Map(all.map((one) => [one.descriptor.name, one]))
  }
  return {
    spans,
    collect,
    async told() {
      const ofSpans = spans().flatMap(({ name, attributes, events, links, status }) => [
        { where: name, name: "name", value: name },
        { where: name, name: "status", value: status.message },
        ...listed(name, attributes),
        ...events.flatMap((event) => listed(`${name} ${event.name}`, event.attributes ?? {})),
        ...links.flatMap((link) => listed(`${name} link`, link.attributes ?? {})),
      ])
      const ofMetrics = [...(await collect()).values()].flatMap(({ descriptor, dataPoints }) =>
        dataPoints.flatMap(({ attributes }) => listed(descriptor.name, attributes)),
      )
      return [...ofSpans, ...ofMetrics]
    },
    stop: () => sdk.shutdown(),
  }
}

function listed(where: string, attributes: object): Told[] {
  return Object.entries(attributes).map(([name, value]: [string, unknown]) => ({
    where,
    name,
    value,
  }))
}
