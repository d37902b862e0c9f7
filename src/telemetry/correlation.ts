/**
 * One id from a shopper's request to the gateway's calls and to the worker's later checks: the id
 * of the trace, as W3C writes it. Without an OpenTelemetry SDK it is a random one, so that log lines
 * of one payment are found together all the same.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { randomBytes } from "node:crypto"
import {
  isSpanContextValid,
  trace,
  type Link,
  type SpanContext,
} from "@medusajs/framework/opentelemetry/api"
import type { LogFields } from "../core/ports"

type Here = {
  readonly fields: LogFields & { readonly correlation: string }
  /** The class of an error that the work itself dealt with. */
  failure?: string
}

const storage = new AsyncLocalStorage<Here>()

/** What each log line of the work under way carries. */
export const fieldsHere = (): LogFields => storage.getStore()?.fields ?? {}

/**
 * Does `work` under a correlation id: of the operation that it goes on with, or else of the work
 * around it, or else of the trace.
 */
export function correlated<T>(
  fields: LogFields,
  work: () => Promise<T>,
  traceParent?: string | null,
): Promise<T> {
  const around = storage.getStore()?.fields
  const correlation =
    contextOf(traceParent)?.traceId ??
    around?.correlation ??
    activeContext()?.traceId ??
    randomBytes(16).toString("hex")
  return storage.run({ fields: { ...around, ...fields, correlation } }, work)
}

/** Notes that the work under way failed, where no error leaves it. */
export function noteFailure(error: unknown): void {
  const here = storage.getStore()
  if (here) here.failure = errorType(error)
}

export const failureHere = (): string | undefined => storage.getStore()?.failure

/** The error's code, or else its class: never its message, which may name ids. */
export function errorType(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown"
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (typeof code === "string") return code
  return typeof name === "string" ? name : "unknown"
}

/** W3C `traceparent` of the work under way, to be kept with what continues it later. */
export function traceParentHere(): string {
  const active = activeContext()
  if (active) {
    const flags = active.traceFlags.toString(16).padStart(2, "0")
    return `00-${active.traceId}-${active.spanId}-${flags}`
  }
  const traceId = storage.getStore()?.fields.correlation ?? randomBytes(16).toString("hex")
  return `00-${traceId}-${randomBytes(8).toString("hex")}-00`
}

/** A link to the work that has begun this; none where no trace was kept. */
export function linksTo(traceParent: string | null | undefined): Link[] {
  const context = contextOf(traceParent)
  return context ? [{ context }] : []
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function contextOf(traceParent: string | null | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACE_PARENT.exec(traceParent ?? "") ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

function activeContext(): SpanContext | undefined {
  const context = trace.getActiveSpan()?.spanContext()
  return context && isSpanContextValid(context) ? context : undefined
}
