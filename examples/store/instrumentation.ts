/**
 * Copy it to the root of the store, beside medusa-config.ts: Medusa calls `register` before anything
 * else. What is collected, and where it goes, say the variables of OpenTelemetry:
 *
 *   OTEL_METRICS_EXPORTER=prometheus OTEL_TRACES_EXPORTER=none npx medusa start
 *
 * serves the metrics on port 9464 for Prometheus. Without a call of `start`, nothing is measured.
 */
import { NodeSDK } from "@medusajs/framework/opentelemetry/sdk-node"

export function register(): NodeSDK {
  const sdk = new NodeSDK({ serviceName: "store", instrumentations: [] })
  sdk.start()
  return sdk
}
