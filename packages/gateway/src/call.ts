/**
 * Runs one endpoint: checks the request, gets a token, sends the request, replays it after a 401,
 * and reads the answer. Every method of the client runs through here. A call never rejects, ends
 * within its deadline, and is reported once.
 */
import { LIMITS } from "./terms/limits"
import type { Logger } from "./terms/ports"
import { noteForm } from "./answer-form"
import { attempt, isSlept, type Ports } from "./attempts"
import type { Happened } from "./classify"
import { targetOf, type Endpoint, type Target, type WireRequest } from "./endpoint"
import { invalidRequest, ranOut } from "./failure"
import type { GatewayErrorCode } from "./errors"
import { OPERATIONS, type OperationName } from "./operations"
import { mayBeOfText, type PlainTexts } from "./plain-text"
import type { Failure, Outcome } from "./outcome"
import { youngTokenPauseMs, type Patience } from "./retry"
import type { BodyStream } from "./stream/list-body"
import { notSentBecause, type HeldToken, type TokenSource } from "./token"
import type { Transport } from "./transport"
import type { Parsed } from "./wire/reading"
import type { FormKind } from "./wire/unusual"
import { LONGEST_WAIT_MS, waitWithin } from "./wait-within"

/** Options that every method of the client takes besides its request. */
export type CallOptions = {
  /**
   * Ends the caller's wait. A request that was sent stays sent: the outcome is then `unknown`. With
   * a signal that is already aborted nothing is sent.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * The longest that the method takes, in milliseconds, token and repeats included. With a value
   * that is not above zero nothing is sent. Default: the operation's own deadline.
   */
  readonly deadlineMs?: number | undefined
  /** The longest `Retry-After` that the call waits out: shopper 3 s, job 60 s. Default `job`. */
  readonly patience?: Patience | undefined
}

/** One finished method call, for metrics and tests. */
export type CallReport = {
  readonly operation: OperationName
  readonly ms: number
  readonly kind: Outcome<unknown>["kind"]
  readonly code?: GatewayErrorCode
  /** The HTTP status of the last answer; absent where none came. */
  readonly status?: number
}

/** A form of an answer that the contract does not show: our own names and kinds, never content. */
export type NewForm = {
  readonly operation: OperationName
  /** A field such as `items.amount`; or `content-type` or `404.detail` for the whole answer. */
  readonly field: string
  readonly kind: FormKind
}

export type CallerParts = {
  /** The gateway's origin; relative addresses of its pages are joined to it. */
  readonly origin?: string | undefined
  readonly ports: Ports
  readonly transport: Transport
  readonly token: TokenSource
  readonly logger?: Logger | undefined
  readonly plainTexts?: PlainTexts | undefined
  readonly onCall?: ((call: CallReport) => void) | undefined
  readonly onForm?: ((form: NewForm) => void) | undefined
  /** The account's own words for states. A new object means that the words have changed. */
  readonly stateWords?: (() => object | undefined) | undefined
  /** Whether `word` is one of the account's own words for a state that `operation` answers. */
  readonly isOwnWord?: ((operation: OperationName, word: string) => boolean) | undefined
}

export type Call = <Request, Response>(
  endpoint: Endpoint<Request, Response>,
  request: Request,
  options?: CallOptions,
) => Promise<Outcome<Response>>

/** A method of the client that takes one request. */
export type Method<Request, Response> = (
  request: Request,
  options?: CallOptions,
) => Promise<Outcome<Response>>

export const methodOf =
  <Request, Response>(
    call: Call,
    endpoint: Endpoint<Request, Response>,
  ): Method<Request, Response> =>
  (request, options) =>
    call(endpoint, request, options)

export type Caller = {
  readonly call: Call
  /** Resolves when no call is under way. */
  idle(): Promise<void>
}

export function createCaller(parts: CallerParts): Caller {
  const { clock } = parts.ports
  /** When each form was last reported. The map stays small: names and kinds come from the code. */
  const toldAtMs = new Map<string, number>()
  let toldWordsAtMs = new Map<string, number>()
  let words: object | undefined
  const toldOf = (kind: FormKind) => {
    if (kind !== "unknown_word") return toldAtMs
    const now = parts.stateWords?.()
    if (now !== words) toldWordsAtMs = new Map()
    words = now
    return toldWordsAtMs
  }
  /**
   * Logs each form once, and reports it at first and then once in `LIMITS.formsNotedEveryMs`: a
   * gateway that has an odd form has it in every answer.
   */
  const note: Note = (operation, field, kind) => {
    const form = `${operation}: ${field} (${kind})`
    const now = clock.monotonicMs()
    const told = toldOf(kind)
    const last = told.get(form)
    if (last !== undefined && now - last < LIMITS.formsNotedEveryMs) return
    told.set(form, now)
    if (last === undefined) {
      warn(parts.logger, `the gateway answers in a way that is not known: ${form}`)
    }
    tell(parts, "onForm", operation, () => parts.onForm?.({ operation, field, kind }))
  }
  let underWay = 0
  let waiting: (() => void)[] = []
  return {
    async call(endpoint, request, options = {}) {
      const startedMs = clock.monotonicMs()
      underWay += 1
      try {
        const last: Last = {}
        // Named one by one: a spread of all parts cost an eighth of the whole call.
        const { ports, transport, token, origin, plainTexts, isOwnWord } = parts
        const noting = { ports, transport, token, origin, plainTexts, isOwnWord, note, last }
        const outcome = await runPlainly(noting, endpoint, request, options)
        const ms = clock.monotonicMs() - startedMs
        report(parts, { operation: endpoint.operation, ms, ...last }, outcome)
        return outcome
      } finally {
        underWay -= 1
        if (underWay === 0) {
          waiting.forEach((resolve) => resolve())
          waiting = []
        }
      }
    },
    async idle() {
      if (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

/** The operation and reference of one call, and the time that it has left. */
type Running = {
  readonly operation: OperationName
  readonly reference: string | undefined
  readonly signal: AbortSignal | undefined
  readonly leftMs: () => number
  /** One entry for each request that the call has sent: the token of that request. */
  readonly tokens: HeldToken[]
}

type Note = (operation: OperationName, field: string, kind: FormKind) => void
type Last = { status?: number }
type Noting = Omit<CallerParts, "logger" | "onCall" | "onForm" | "stateWords"> & {
  readonly note: Note
  readonly last: Last
}

/**
 * If the gateway may have refused a text, the request goes out once more in its plain form, within
 * the deadline of the same call. If that is refused too, the first refusal is the outcome.
 */
async function runPlainly<Request, Response>(
  parts: Noting,
  endpoint: Endpoint<Request, Response>,
  request: Request,
  options: CallOptions,
): Promise<Outcome<Response>> {
  const { writePlain, operation } = endpoint
  const written = endpoint.write(request)
  if (!writePlain || !written.ok) return run(parts, endpoint, request, written, options)
  const { plainTexts, ports } = parts
  const deadlineMs = options.deadlineMs ?? OPERATIONS[operation].deadlineMs
  const endsAtMs = ports.clock.monotonicMs() + deadlineMs
  const inTime = () => ({ ...options, deadlineMs: endsAtMs - ports.clock.monotonicMs() })
  if (plainTexts && (await isPlainWanted(plainTexts, inTime()))) {
    return run(parts, endpoint, request, writePlain(request), inTime())
  }
  const first = await run(parts, endpoint, request, written, inTime())
  if (first.kind !== "refused" || !mayBeOfText(first.error)) return first
  if (!(inTime().deadlineMs > 0)) return first
  const second = await run(parts, endpoint, request, writePlain(request), inTime())
  if (second.kind === "done") plainTexts?.want(first.error)
  // The first refusal is about the request that the caller made, the second about its plain form.
  return second.kind === "refused" ? first : second
}

/**
 * The answer saves one refused request, so it may take a quarter of the call's time at most: the
 * store behind `plainTexts` may hang.
 */
async function isPlainWanted(
  plainTexts: PlainTexts,
  { deadlineMs, signal }: CallOptions & { readonly deadlineMs: number },
): Promise<boolean> {
  const leftMs = Math.min(deadlineMs / 4, LONGEST_WAIT_MS)
  return leftMs > 0 && (await waitWithin(plainTexts.isWanted(), { leftMs, signal })) === true
}

async function run<Request, Response>(
  { ports, transport, token, origin, note, last, isOwnWord }: Noting,
  endpoint: Endpoint<Request, Response>,
  request: Request,
  written: Parsed<WireRequest>,
  { signal, deadlineMs, patience = "job" }: CallOptions,
): Promise<Outcome<Response>> {
  const { operation } = endpoint
  if (!written.ok) return invalidRequest(operation, written.problems, undefined)
  const reference = endpoint.referenceOf?.(request)
  if (signal?.aborted) {
    return invalidRequest(operation, [{ path: "signal", message: "already aborted" }], reference)
  }
  const target = targetOf(operation, written.value)
  const { stream } = endpoint
  const ownMs = stream ? LIMITS.streamedDeadlineMs : OPERATIONS[operation].deadlineMs
  const wholeMs = Math.min(deadlineMs ?? ownMs, LONGEST_WAIT_MS)
  const endsAtMs = ports.clock.monotonicMs() + wholeMs
  const leftMs = () => endsAtMs - ports.clock.monotonicMs()
  const running: Running = { operation, reference, signal, leftMs, tokens: [] }
  const noteHere = (field: string, kind: FormKind) => note(operation, field, kind)
  const sendNow = async (held: HeldToken) => {
    const happened = await sendWith(transport, target, held, running, stream?.open(request))
    if ("what" in happened) noteForm(happened, noteHere)
    if ("what" in happened && happened.what === "answered") last.status = happened.status
    return happened
  }

  return attempt(ports, {
    operation,
    reference,
    deadlineMs: wholeMs,
    patience,
    signal,
    send: async () => {
      const held = token.current() ?? (await tokenWithin(() => token.obtain(), running))
      return "kind" in held ? held : sendAuthorized({ ports, token }, sendNow, held, running)
    },
    read: (body) =>
      endpoint.read(body, request, {
        origin,
        note: noteHere,
        isOwnWord: isOwnWord && ((word) => isOwnWord(operation, word)),
      }),
    isBegun: stream && (() => stream.isBegun(request)),
    secrets: () => [...running.tokens.map(textOf), ...(endpoint.secretsIn?.(request) ?? [])],
  })
}

/**
 * A 401 proves that nothing happened, so the same request goes out again, also one that moves
 * money. It takes another token, or after a pause a young token that may not be valid yet.
 */
async function sendAuthorized(
  { ports, token }: Pick<CallerParts, "ports" | "token">,
  sendNow: (held: HeldToken) => Promise<Happened | Failure>,
  first: HeldToken,
  running: Running,
): Promise<Happened | Failure> {
  let held = first
  for (let pauses = 0; ;) {
    const sentAtMs = ports.clock.monotonicMs()
    const sent = await sendNow(held)
    if ("kind" in sent || sent.what !== "answered") return sent
    if (sent.status !== 401) {
      token.hasServed(held)
      return sent
    }
    if (running.tokens.length >= LIMITS.tokenSendsPerCallMax) return sent
    const other = await tokenWithin(() => token.instead(held, sentAtMs), running)
    if ("kind" in other) return other
    const isOther = other !== held
    held = other
    pauses = isOther ? 0 : pauses + 1
    if (isOther) continue
    if (!token.isYoung(held, sentAtMs)) return sent
    const pauseMs = youngTokenPauseMs(pauses, ports.random.fraction())
    if (pauseMs >= running.leftMs()) return sent
    if (!(await isSlept(ports.clock, pauseMs, running.signal))) return sent
  }
}

function sendWith(
  transport: Transport,
  target: Target,
  token: HeldToken,
  running: Running,
  stream: BodyStream | undefined,
): Promise<Happened | Failure> {
  const { signal } = running
  const deadlineMs = running.leftMs()
  // NaN must end here too: no request goes out without a deadline.
  if (!(deadlineMs > 0)) return Promise.resolve(ranOut(running, "deadline"))
  if (signal?.aborted) return Promise.resolve(ranOut(running, "aborted"))
  running.tokens.push(token)
  const { authorization } = token
  // Each field is named because an object spread costs as much as the rest of the call.
  const { method, path, body, bodyLimitBytes } = target
  const about = { method, path, body, authorization, deadlineMs, signal, bodyLimitBytes }
  return transport.send(stream ? { ...about, stream } : about)
}

/** Waits for a token until this caller's deadline; the token call continues for other callers. */
async function tokenWithin(
  obtain: () => Promise<Outcome<HeldToken>>,
  running: Running,
): Promise<HeldToken | Failure> {
  const { signal } = running
  const leftMs = running.leftMs()
  if (!(leftMs > 0)) return ranOut(running, "deadline")
  const held = await waitWithin(obtain().then(heldIn), { leftMs, signal })
  return typeof held === "string" ? ranOut(running, held) : held
}

/** The token without `Bearer `: the gateway may repeat it in this form. */
function textOf({ authorization }: HeldToken): string {
  return authorization.slice("Bearer ".length)
}

function heldIn(outcome: Outcome<HeldToken>): HeldToken | Failure {
  return outcome.kind === "done" ? outcome.value : notSentBecause(outcome)
}

/** Reasons that are logged: they point to another API than the contract's, not a passing fault. */
const ALARMING: ReadonlySet<string> = new Set(["wrong_shape", "redirect", "too_large", "html"])

function report(
  { onCall, logger }: CallerParts,
  call: Pick<CallReport, "operation" | "ms" | "status">,
  outcome: Outcome<unknown>,
): void {
  if (outcome.kind !== "done" && ALARMING.has(outcome.error.reason)) {
    warn(logger, `${outcome.error.code} ${outcome.error.message}`)
  }
  if (!onCall) return
  tell({ logger }, "onCall", call.operation, () => {
    const { kind } = outcome
    return onCall(kind === "done" ? { ...call, kind } : { ...call, kind, code: outcome.error.code })
  })
}

/** An error of the caller's callback is only logged, because it must not change an outcome. */
function tell(
  { logger }: Pick<CallerParts, "logger">,
  name: "onCall" | "onForm",
  operation: OperationName,
  callback: () => unknown,
): void {
  const hasThrown = () => warn(logger, `${operation}: ${name} threw`)
  try {
    const answer = callback()
    // An async callback fits the type as well; its unhandled rejection would end the process.
    if (answer instanceof Promise) answer.catch(hasThrown)
  } catch {
    hasThrown()
  }
}

/** Never throws: a logger that fails must not turn an outcome into an exception. */
function warn(logger: Logger | undefined, text: string): void {
  try {
    logger?.warn(text)
  } catch {
    // The logger itself has failed, so there is nowhere to report it.
  }
}
