/**
 * Runs one endpoint: checks the request, gets a token, sends, replays after a 401, reads the
 * answer. Every method of the client runs through here. A call never rejects, ends within its
 * deadline, and is reported once.
 */
import { LIMITS } from "../core/limits"
import type { Logger } from "../core/ports"
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
import { notSentBecause, type HeldToken, type TokenSource } from "./token"
import type { Transport } from "./transport"
import type { Parsed } from "./wire/reading"
import type { FormKind } from "./wire/unusual"
import { LONGEST_WAIT_MS, waitWithin } from "./wait-within"

/** Options that every method of the client takes besides its request. */
export type CallOptions = {
  /**
   * Stops waiting. A request that was sent stays sent: the outcome is then `unknown`. A signal that
   * is already aborted sends nothing.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * The longest that the method takes, in milliseconds, token and repeats included. A value that is
   * not above zero sends nothing. Default: the operation's own.
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
}

/** A form of an answer that the contract does not show. Names and kinds of ours, no content. */
export type NewForm = {
  readonly operation: OperationName
  /** The field, as `items.amount`; `content-type`, or `404.detail`, of the answer itself. */
  readonly field: string
  readonly kind: FormKind
}

export type CallerParts = {
  /** Of the gateway, for addresses of its pages. */
  readonly origin?: string | undefined
  readonly ports: Ports
  readonly transport: Transport
  readonly token: TokenSource
  readonly logger?: Logger | undefined
  readonly plainTexts?: PlainTexts | undefined
  readonly onCall?: ((call: CallReport) => void) | undefined
  readonly onForm?: ((form: NewForm) => void) | undefined
  /** The account's own words; other ones are another object. */
  readonly stateWords?: (() => object | undefined) | undefined
  /** Whether the account's own words name a state by it. */
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
  /** When each was told last. Few: names and kinds are those of the code. */
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
  /** Logged once, and told now and then: what is odd at a gateway is odd in every answer. */
  const note: Note = (operation, field, kind) => {
    const form = `${operation}: ${field} (${kind})`
    const now = clock.monotonicMs()
    const told = toldOf(kind)
    const last = told.get(form)
    if (last !== undefined && now - last < LIMITS.formsToldEveryMs) return
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
        const outcome = await runPlainly({ ...parts, note }, endpoint, request, options)
        report(parts, endpoint.operation, clock.monotonicMs() - startedMs, outcome)
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

/** What one call is about and how long it may take. */
type Running = {
  readonly operation: OperationName
  readonly reference: string | undefined
  readonly signal: AbortSignal | undefined
  readonly leftMs: () => number
  /** The tokens that the call was sent with. */
  readonly tokens: HeldToken[]
}

type Note = (operation: OperationName, field: string, kind: FormKind) => void
type Noting = CallerParts & { readonly note: Note }

/**
 * A text that the gateway refuses is met once by the plain form of the request, within the time of
 * the same call. What is refused again, or for another reason, is the answer.
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
  // Refused again: the first answer is about what was asked for.
  return second.kind === "refused" ? first : second
}

/** What is only asked to save a call gets a part of the call's time: its keeper may hang. */
async function isPlainWanted(
  plainTexts: PlainTexts,
  { deadlineMs, signal }: CallOptions & { readonly deadlineMs: number },
): Promise<boolean> {
  const leftMs = Math.min(deadlineMs / 4, LONGEST_WAIT_MS)
  return leftMs > 0 && (await waitWithin(plainTexts.isWanted(), { leftMs, signal })) === true
}

async function run<Request, Response>(
  { ports, transport, token, origin, note, isOwnWord }: Noting,
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
  const wholeMs = Math.min(deadlineMs ?? OPERATIONS[operation].deadlineMs, LONGEST_WAIT_MS)
  const endsAtMs = ports.clock.monotonicMs() + wholeMs
  const leftMs = () => endsAtMs - ports.clock.monotonicMs()
  const running: Running = { operation, reference, signal, leftMs, tokens: [] }
  const noteHere = (field: string, kind: FormKind) => note(operation, field, kind)
  const sendNow = async (held: HeldToken) => {
    const happened = await sendWith(transport, target, held, running)
    if ("what" in happened) noteForm(happened, noteHere)
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
    secrets: () => [...running.tokens.map(textOf), ...(endpoint.secretsIn?.(request) ?? [])],
  })
}

/**
 * A 401 proves that nothing happened, so the same request goes out again, for money too: with
 * another token, or after a pause with one that may not be valid yet.
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
): Promise<Happened | Failure> {
  const { signal } = running
  const deadlineMs = running.leftMs()
  // Written so that NaN also ends here: no request goes out without a deadline.
  if (!(deadlineMs > 0)) return Promise.resolve(ranOut(running, "deadline"))
  if (signal?.aborted) return Promise.resolve(ranOut(running, "aborted"))
  running.tokens.push(token)
  const { authorization } = token
  // Each field is named because an object spread costs as much as the rest of the call.
  const { method, path, body, bodyLimitBytes } = target
  return transport.send({ method, path, body, authorization, deadlineMs, signal, bodyLimitBytes })
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

/** The bare token, in the form in which the gateway might repeat it. */
function textOf({ authorization }: HeldToken): string {
  return authorization.slice("Bearer ".length)
}

function heldIn(outcome: Outcome<HeldToken>): HeldToken | Failure {
  return outcome.kind === "done" ? outcome.value : notSentBecause(outcome)
}

/** Logged, because they point to another API than the contract's, not to a passing fault. */
const ALARMING: ReadonlySet<string> = new Set(["wrong_shape", "redirect", "too_large", "html"])

function report(
  { onCall, logger }: CallerParts,
  operation: OperationName,
  ms: number,
  outcome: Outcome<unknown>,
): void {
  if (outcome.kind !== "done" && ALARMING.has(outcome.error.reason)) {
    warn(logger, `${outcome.error.code} ${outcome.error.message}`)
  }
  if (!onCall) return
  tell({ logger }, "onCall", operation, () => {
    const { kind } = outcome
    return onCall(
      kind === "done" ? { operation, ms, kind } : { operation, ms, kind, code: outcome.error.code },
    )
  })
}

/** What a callback of the caller throws is only logged: it may not change an outcome. */
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

/** Neither a log nor a metric may turn an outcome into an exception. */
function warn(logger: Logger | undefined, text: string): void {
  try {
    logger?.warn(text)
  } catch {
    // The logger itself has failed, so there is nowhere to report it.
  }
}
