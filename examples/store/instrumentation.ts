/**
 * Copy it to the root of the store, beside medusa-config.ts: Medusa calls `register` before anything
 * else. What is collected, and where it goes, say the variables of OpenTelemetry:
 *
 *   OTEL_METRICS_EXPORTER=prometheus OTEL_TRACES_EXPORTER=none npx medusa start
 *
 * serves the metrics on port 9464 of this machine for Prometheus. The page asks for no login: where
 * Prometheus runs elsewhere, set OTEL_EXPORTER_PROMETHEUS_HOST to an address of a private network.
 * Without a call of `start`, nothing is measured.
 */
import { NodeSDK, resources } from "@medusajs/framework/opentelemetry/sdk-node"

export function register(): NodeSDK {
  process.env.OTEL_EXPORTER_PROMETHEUS_HOST ??= "127.0.0.1"
  const sdk = new NodeSDK({
    serviceName: "store",
    instrumentations: [],
    // Not the process's detector: it exports the command line, with whatever secret stands in it.
    resourceDetectors: [resources.envDetector, resources.hostDetector],
  })
  sdk.start()
  return sdk
}
