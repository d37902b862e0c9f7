/**
 * The plugin's spans. Without an OpenTelemetry SDK they are empty objects of the API. An error's
 * message goes into no span, because it may name ids.
 */
import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from "@medusajs/framework/opentelemetry/api"
import type { Operation } from "../core/operation"
import type { Clock } from "../core/ports"
import { Refusal } from "../core/refusal"
import { OPERATIONS, type CallReport } from "../gateway"
import { safeAttributes, type Attributes } from "./attributes"
import { correlated, errorType, failureHere, linksTo, traceParentHere } from "./correlation"
import { add, record, SCOPE } from "./metrics"

type Traced = Pick<Operation, "id" | "type" | "state" | "flow" | "paymentMethod"> &
  Pick<Operation, "accountId" | "traceParent">
type Timing = { readonly clock: Pick<Clock, "monotonicMs"> }

/** A shopper's start. Refusals are counted by their code, and are no errors of the span. */
export function startSpan<T>(work: () => Promise<T>): Promise<T> {
  return inSpan("start payment", { kind: SpanKind.INTERNAL }, (span) => {
    const begun = async () => {
      try {
        const started = await work()
        add("merchant_payments.starts", 1, { "payment.outcome": "accepted" })
        return started
      } catch (error) {
        const outcome = error instanceof Refusal ? "refused" : "failed"
        const attributes = { "payment.outcome": outcome, "error.type": errorType(error) }
        add("merchant_payments.starts", 1, attributes)
        span.setAttributes(safeAttributes(attributes))
        throw error
      }
    }
    return correlated({}, begun, traceParentHere())
  })
}

/** One check of a due operation, or work in Medusa that follows from one. */
export function checkSpan(
  { clock }: Timing,
  operation: Traced,
  work: () => Promise<void>,
): Promise<void> {
  const sinceMs = clock.monotonicMs()
  const attributes: Attributes = {
    "messaging.system": "postgresql",
    "messaging.operation.name": "check",
    "messaging.operation.type": "process",
    "messaging.destination.name": "merchant_payments.due",
    ...attributesOf(operation),
  }
  return ofOperation("check merchant_payments.due", SpanKind.CONSUMER, operation, {
    attributes,
    async work(span) {
      let failure: string | undefined
      try {
        await work()
        failure = failureHere()
      } catch (error) {
        failure = errorType(error)
        throw error
      } finally {
        if (failure !== undefined) fail(span, failure)
        const counted: Attributes = {
          "payment.type": operation.type,
          "payment.outcome": failure === undefined ? "done" : "failed",
          "error.type": failure,
        }
        add("merchant_payments.checks", 1, counted)
        record("merchant_payments.check.seconds", clock.monotonicMs() - sinceMs, counted)
      }
    },
  })
}

/** Recording completed money in Medusa. */
export const settleSpan = <T>(operation: Traced, work: () => Promise<T>): Promise<T> =>
  ofOperation("settle payment", SpanKind.INTERNAL, operation, {
    attributes: attributesOf(operation),
    async work(span) {
      const settled = await work()
      const failure = failureHere()
      if (failure !== undefined) fail(span, failure)
      return settled
    },
  })

/** Money that leaves, from the request to the gateway's answers. */
export function moneyOutSpan<T>(
  type: Exclude<Traced["type"], "COLLECTION">,
  work: () => Promise<T>,
): Promise<T> {
  return inSpan(`send ${type.toLowerCase()}`, { kind: SpanKind.INTERNAL }, (span) => {
    const begun = async () => {
      try {
        return await work()
      } catch (error) {
        const refused: Attributes = { "payment.outcome": "refused", "error.type": errorType(error) }
        if (error instanceof Refusal) span.setAttributes(safeAttributes(refused))
        throw error
      }
    }
    return correlated({}, begun, traceParentHere())
  })
}

/** Says of the span under way which payment it is about. */
export function describeSpan(operation: Omit<Traced, "id" | "accountId" | "traceParent">): void {
  trace.getActiveSpan()?.setAttributes(safeAttributes(attributesOf(operation)))
}

/**
 * A call to the gateway that has ended, as a span below the work that made it, and as metrics. The
 * address is the template of the path: a whole one would name ids.
 */
export function gatewayCall(host: string, { operation, ms, kind, code, status }: CallReport): void {
  const { method, path } = OPERATIONS[operation]
  const outcome: Attributes = {
    "gateway.call": operation,
    "payment.outcome": kind,
    "error.type": code,
  }
  record("merchant_payments.gateway.call.seconds", ms, outcome)
  if (code === "GATEWAY_RATE_LIMITED") {
    add("merchant_payments.gateway.rate_limited", 1, { "gateway.call": operation })
  }
  const span = trace.getTracer(SCOPE).startSpan(`${method} ${path}`, {
    kind: SpanKind.CLIENT,
    startTime: Date.now() - ms,
    attributes: safeAttributes({
      "http.request.method": method,
      "http.response.status_code": status,
      "server.address": host,
      "url.template": path,
      ...outcome,
    }),
  })
  if (code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

type SpanWork<T> = {
  readonly attributes: Attributes
  readonly work: (span: Span) => Promise<T>
}

function ofOperation<T>(
  name: string,
  kind: SpanKind,
  { id, accountId, traceParent }: Traced,
  { attributes, work }: SpanWork<T>,
): Promise<T> {
  const options = { kind, attributes: safeAttributes(attributes), links: linksTo(traceParent) }
  const fields = { operation: id, account: accountId }
  return inSpan(name, options, (span) => correlated(fields, () => work(span), traceParent))
}

type SpanOptions = Parameters<ReturnType<typeof trace.getTracer>["startSpan"]>[1]

async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = trace.getTracer(SCOPE).startSpan(name, options)
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span))
  } catch (error) {
    if (!(error instanceof Refusal)) fail(span, errorType(error))
    throw error
  } finally {
    span.end()
  }
}

function fail(span: Span, type: string): void {
  span.setAttributes(safeAttributes({ "error.type": type }))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function attributesOf({
  type,
  state,
  flow,
  paymentMethod,
}: Omit<Traced, "id" | "accountId" | "traceParent">): Attributes {
  return {
    "payment.type": type,
    "payment.state": state,
    "payment.flow": flow,
    "payment.method": paymentMethod,
  }
}
