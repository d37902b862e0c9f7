/**
 * Sends one operation, judges the answer, and repeats the request after a pause where that is safe.
 * Ends with an outcome or at the caller's deadline. Every call and the token call use it.
 */
import type { Clock, Random } from "./terms/ports"
import { classify, type Happened } from "./classify"
import { existingRecordIn } from "./existing-record"
import { failureOf, unknownOf } from "./failure"
import { OPERATIONS, type OperationName, type OperationSpec } from "./operations"
import type { Failure, Outcome } from "./outcome"
import { hasDetail, textsIn } from "./wire/refusal-words"
import { retryAfterMs, waitBeforeNextTry, type Patience } from "./retry"
import type { Parsed } from "./wire/reading"

export type Ports = { readonly clock: Clock; readonly random: Random }

export type Attempts<Response> = {
  readonly operation: OperationName
  readonly reference?: string | undefined
  readonly deadlineMs: number
  readonly patience: Patience
  readonly signal?: AbortSignal | undefined
  /** Sends the request once. A failure means that no token could be had, and ends the loop. */
  readonly send: (remainingMs: number) => Promise<Happened | Failure>
  readonly read: (body: unknown) => Parsed<Response>
  /** Whether the caller has a part of the answer. A repeat would give it the same part again. */
  readonly isBegun?: (() => boolean) | undefined
  /** Secrets that the request holds; no error may repeat them. */
  readonly secrets?: (() => readonly string[]) | undefined
}

export async function attempt<Response>(
  { clock, random }: Ports,
  call: Attempts<Response>,
): Promise<Outcome<Response>> {
  const spec: OperationSpec = OPERATIONS[call.operation]
  const endsAtMs = clock.monotonicMs() + call.deadlineMs
  for (let tries = 1; ; tries++) {
    const sent = await call.send(endsAtMs - clock.monotonicMs())
    if ("kind" in sent) return sent
    const verdict = classify(spec.effect, sent)
    if (verdict.kind === "done") return readAnswer(call, sent)
    const waitAsked =
      sent.what === "answered" ? retryAfterMs(sent.retryAfter, clock.now(), sent.date) : undefined
    const wait = waitBeforeNextTry({
      again: call.isBegun?.() ? "no" : verdict.again,
      tries,
      triesMax: spec.tries,
      retryAfterMs: waitAsked,
      patience: call.patience,
      remainingMs: endsAtMs - clock.monotonicMs(),
      fraction: random.fraction(),
    })
    if (wait === undefined || !(await isSlept(clock, wait, call.signal))) {
      return failureOf(verdict, {
        operation: call.operation,
        reference: call.reference,
        retryAfterMs: waitAsked,
        ...factsOf(call, sent),
      })
    }
  }
}

function readAnswer<Response>(call: Attempts<Response>, sent: Happened): Outcome<Response> {
  const parsed = call.read(sent.what === "answered" ? sent.body : undefined)
  if (parsed.ok) return { kind: "done", value: parsed.value }
  const { operation, reference } = call
  return unknownOf({ operation, reference, reason: "wrong_shape", fields: parsed.problems })
}

/** The facts of an exchange that its error may hold. */
function factsOf(
  { operation, secrets }: Pick<Attempts<unknown>, "operation" | "secrets">,
  sent: Happened,
) {
  if (sent.what !== "answered") {
    return {
      reason: sent.reason,
      status: sent.what === "lost" ? sent.status : undefined,
      cause: sent.cause,
    }
  }
  const { status, body } = sent
  const reason = status >= 300 && status < 400 ? ("redirect" as const) : ("status" as const)
  // The token request holds the client secret, so no text of its answer goes into an error.
  if (operation === "token.obtain") return { reason, status, isOtherForm: !hasDetail(body) }
  const existing = existingRecordIn(operation, body)
  return { reason, status, existing, ...textsIn(body, secrets?.()) }
}

/** @returns false if `signal` ended the sleep early */
export async function isSlept(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
    return true
  } catch {
    // Only the caller's signal ends a sleep early. The last failure is then the outcome.
    return false
  }
}
