/** How each kind of fault looks on the wire. */
import type { FastifyReply } from "fastify"

import type { Fault, FaultKind, RetryForm } from "../faults/entry"

export type ApiResponse = {
  status: number
  body: unknown
  headers: Readonly<Record<string, string>>
  /** The body stops in the middle and the connection ends. */
  isCut: boolean
  /** The body as a temper of the wire writes it; without it, the JSON of `body`. */
  text?: string
  contentType?: string
}

/** The answer to spoil when the call was not carried out and so has no true answer. */
export const NOTHING_DONE: ApiResponse = {
  status: 200,
  body: { detail: "Nothing was carried out" },
  headers: {},
  isCut: false,
}

const DETAILS: Record<string, unknown> = {
  "401": "Could not validate credentials",
  "403": "Merchant account is not verified",
  "404": "Not found",
  "408": "Request timeout",
  "409": "Conflict",
  "422": [{ loc: ["body"], msg: "Refused by script", type: "value_error" }],
  "425": "Too early",
  "429": "Too many requests",
}
const TEXT_DETAIL = "Refused by script"
const PAGE = "<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>"
const DRIP_MS = 250
const HUGE_BYTES = 2 * 1_048_576

type FaultContext = {
  /** The simulator's clock, for the dates in `Retry-After`. */
  nowMs: number
  /** The path that was called. */
  address: string
  /** The temper's form of an answer. */
  written(answer: ApiResponse): ApiResponse
}

/**
 * Sends an answer as its fault spoils it. `hang` never sends; closing the connection ends it.
 *
 * `answer` is written in the temper already; a refusal of the fault's own is written here.
 */
export function sendFault(
  reply: FastifyReply,
  fault: Fault,
  answer: ApiResponse,
  { nowMs, address, written }: FaultContext,
): FastifyReply {
  const { kind, argument } = fault
  switch (kind) {
    case "refuse":
    case "reset":
      reply.hijack()
      reply.raw.socket?.resetAndDestroy()
      return reply
    case "hang":
      return reply.hijack()
    case "slow":
    case "twice":
      return sendAnswer(reply, answer)
    case "drip":
      return sendDripping(reply, answer, Number(argument ?? DRIP_MS))
    case "cut":
    case "cut_chunked":
    case "cut_silently":
      return sendCut(reply, answer, kind)
    case "html":
      return reply.code(200).type("text/html").send(PAGE)
    case "shape":
      return reply.code(200).send({ unexpected: true })
    case "huge":
      return sendHuge(reply, answer, Number(argument ?? HUGE_BYTES))
    case "redirect":
      return reply
        .code(Number(argument ?? "307"))
        .header("location", address)
        .send({ detail: "Moved" })
    default: {
      const retryAfter = retryAfterOf(kind, argument, nowMs)
      if (retryAfter !== null) void reply.header("retry-after", retryAfter)
      const isText = kind === "422" && argument === "text"
      const detail = isText ? TEXT_DETAIL : (DETAILS[kind] ?? "Internal error")
      const refusal = { status: Number(kind), body: { detail }, headers: {}, isCut: false }
      return sendAnswer(reply, written(refusal))
    }
  }
}

export const sendAnswer = (reply: FastifyReply, answer: ApiResponse): FastifyReply =>
  answer.isCut
    ? sendCut(reply, answer, "cut")
    : sendWhole(reply.code(answer.status).headers(answer.headers), answer)

/** As bytes, because Fastify would write a text and its content type in its own way. */
const sendWhole = (reply: FastifyReply, { body, text, contentType }: ApiResponse): FastifyReply =>
  text === undefined
    ? reply.send(body)
    : reply.header("content-type", contentType ?? JSON_TYPE).send(Buffer.from(text))

const SECOND_MS = 1_000
const DATE_AHEAD_MS = 30 * SECOND_MS
const DATE_BEHIND_MS = 3_600 * SECOND_MS
const RETRY_AFTER: Record<RetryForm, (nowMs: number) => string | null> = {
  none: () => null,
  seconds: () => "1",
  date: (nowMs) => new Date(nowMs + DATE_AHEAD_MS).toUTCString(),
  past: (nowMs) => new Date(nowMs - DATE_BEHIND_MS).toUTCString(),
  huge: () => "999999",
  junk: () => "soon",
}
const isRetryForm = (text: string): text is RetryForm => Object.hasOwn(RETRY_AFTER, text)

/** The `Retry-After` header, or null for none. A number is taken as seconds. */
function retryAfterOf(kind: FaultKind, argument: string | undefined, nowMs: number): string | null {
  if (kind !== "429" && kind !== "503") return null
  const form = argument ?? (kind === "429" ? "seconds" : "none")
  return isRetryForm(form) ? RETRY_AFTER[form](nowMs) : form
}

const JSON_TYPE = "application/json"
const typeOf = ({ contentType = JSON_TYPE }: ApiResponse) => ({ "content-type": contentType })
const bytesOf = ({ body, text }: ApiResponse): Buffer => Buffer.from(text ?? JSON.stringify(body))

/** Sends the first half of the body, then ends the connection. */
function sendCut(
  reply: FastifyReply,
  answer: ApiResponse,
  kind: "cut" | "cut_chunked" | "cut_silently",
): FastifyReply {
  const body = bytesOf(answer)
  const half = body.subarray(0, Math.floor(body.length / 2))
  const { raw } = reply.hijack()
  const { socket } = raw
  if (kind === "cut_silently") {
    // In HTTP the end of the connection may end the body; Node would send chunks instead.
    raw.useChunkedEncodingByDefault = false
    raw.writeHead(answer.status, { ...typeOf(answer), connection: "close" })
    raw.end(half)
    return reply
  }
  const framing = kind === "cut" ? { "content-length": body.length } : {}
  raw.writeHead(answer.status, { ...typeOf(answer), ...framing })
  raw.write(half, () => socket?.destroy())
  return reply
}

/** Sends one byte at a time under the length of the whole, until the caller closes. */
function sendDripping(reply: FastifyReply, answer: ApiResponse, everyMs: number): FastifyReply {
  const body = bytesOf(answer)
  const { raw } = reply.hijack()
  raw.writeHead(answer.status, { ...typeOf(answer), "content-length": body.length })
  raw.flushHeaders()
  let sent = 0
  const timer = setInterval(() => {
    raw.write(body.subarray(sent, sent + 1))
    sent += 1
    if (sent >= body.length) raw.end()
  }, everyMs)
  raw.once("close", () => clearInterval(timer))
  return reply
}

/** Sends the answer's own fields and one field that is far too long. */
function sendHuge(reply: FastifyReply, { status, body }: ApiResponse, bytes: number): FastifyReply {
  const padding = "x".repeat(bytes)
  const list: unknown[] | null = Array.isArray(body) ? body : null
  return reply.code(status).send(list ? [...list, padding] : { ...fieldsOf(body), padding })
}

const fieldsOf = (value: unknown): object => (typeof value === "object" && value ? value : {})
