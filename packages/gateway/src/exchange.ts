/**
 * Collects the answer of one exchange piece by piece. An exchange settles exactly once, at the
 * first of: a whole answer, an error, the deadline, the caller's signal. Later events are dropped.
 *
 * A 200 counts only if all of it came and it is JSON. If the connection is cut, a body without a
 * length ends as half a JSON text and without an error, so a body that can't be parsed counts as
 * cut. From status 300 the head of the answer is enough, except for a 404 (`classify.ts`).
 *
 * A list may be read while it arrives (`stream/list-body.ts`). The connection then rests while the
 * caller works on a batch, so that a fast gateway does not fill the memory of a slow store.
 */
import type { Dispatcher } from "undici"
import type { Happened } from "./classify"
import { ConnectFailure } from "./connector"
import type { LostReason } from "./errors"
import { ListRead, type BodyStream, type Stop, type Taken } from "./stream/list-body"
import { parseJson } from "./stream/parse-json"
import { LIMITS } from "./terms/limits"

/** What the pool's own timeout errors mean here. */
const LOSSES: Readonly<Record<string, LostReason>> = {
  UND_ERR_HEADERS_TIMEOUT: "deadline",
  UND_ERR_BODY_TIMEOUT: "stalled_body",
}

export class Exchange implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = []
  private size = 0
  private status = 0
  private contentType = ""
  private retryAfter: string | undefined
  private date: string | undefined
  private controller: Dispatcher.DispatchController | undefined
  private timer: NodeJS.Timeout | undefined
  private signal: AbortSignal | undefined
  private isSettled = false

  constructor(
    private readonly bodyLimitBytes: number,
    private readonly resolve: (happened: Happened) => void,
    private readonly stream?: BodyStream,
  ) {}

  /** Starts the deadline and listens to the caller's signal. */
  watch(deadlineMs: number, signal: AbortSignal | undefined): void {
    this.timer = setTimeout(this.onDeadline, deadlineMs)
    if (!signal) return
    this.signal = signal
    signal.addEventListener("abort", this.onAbort)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Either the exchange is settled, or undici starts the same request a second time. A request
    // that may move money is written to a socket only once.
    if (this.isSettled || this.controller) {
      controller.abort(new Error("The request is not sent again."))
      return
    }
    this.controller = controller
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (statusCode < 200) return
    this.status = statusCode
    this.contentType = single(headers["content-type"]) ?? ""
    this.retryAfter = single(headers["retry-after"])
    this.date = single(headers["date"])
    // Of a stream it is not known yet whether its body is a list.
    const limitBytes = this.streamed() ? LIMITS.streamedListLimitBytes : this.limitBytes()
    if (Number(single(headers["content-length"]) ?? 0) > limitBytes) this.overflow()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSettled) return
    this.size += chunk.length
    if (this.size > this.limitBytes()) return this.overflow()
    const stream = this.streamed()
    if (!stream) return void this.chunks.push(chunk)
    const taken = stream.take(chunk)
    if (!(taken instanceof Promise)) return this.goOn(controller, chunk, taken)
    controller.pause()
    taken
      .then((stop) => {
        this.goOn(controller, chunk, stop)
        if (!this.isSettled) controller.resume()
      })
      .catch((error: unknown) => this.onResponseError(controller, error))
  }

  private goOn(controller: Dispatcher.DispatchController, chunk: Buffer, taken: Taken): void {
    // Until it is a list, it may be a page, which is told apart by all of its text.
    if (!this.stream?.isList) this.chunks.push(chunk)
    if (this.size > this.limitBytes()) return this.overflow()
    if (taken === undefined) return
    this.settleStream(taken)
    controller.abort(new Error("The rest of the list is not read."))
  }

  onResponseEnd(): void {
    if (this.isSettled) return
    const stream = this.streamed()
    if (stream?.isList) {
      stream.end().then(
        (stop) => this.settleStream(stop),
        (error: unknown) => this.onResponseError(this.controller, error),
      )
    } else if (this.isGood()) this.settleSuccess()
    else this.settleStatus(parseJson(this.text()))
  }

  /** `controller` is undefined when the request never reached a socket. */
  onResponseError(controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    // The parser's errors carry the bytes that it could not read. They may hold a token.
    if (error instanceof Error) Reflect.deleteProperty(error, "data")
    // With a controller the request may have reached a socket. A connection that fails later does
    // not prove that the request never left.
    if (!this.controller && error instanceof ConnectFailure) {
      this.settle({ what: "never_sent", reason: error.reason, cause: error.cause })
    } else if (!this.controller && isClosed(error)) {
      this.settle({ what: "never_sent", reason: "closed", cause: error })
    } else {
      this.lose(LOSSES[String(codeOf(error))] ?? "connection_lost", error)
    }
  }

  private readonly onDeadline = (): void => {
    this.lose("deadline", undefined)
    this.controller?.abort(new Error("The deadline is over."))
  }

  private readonly onAbort = (): void => {
    const cause: unknown = this.signal?.reason
    this.settle({ what: "lost", reason: "aborted", cause })
    this.controller?.abort(new Error("The caller stopped waiting."))
  }

  private overflow(): void {
    this.lose("too_large", undefined)
    this.controller?.abort(new Error("The answer is too large."))
  }

  private isGood(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** The stream that reads the body of this answer. A refusal or a page is read as any other. */
  private streamed(): BodyStream | undefined {
    return this.isGood() && this.stream && !this.stream.isOther ? this.stream : undefined
  }

  /** Only what is read piece by piece may be longer than what is kept whole. */
  private limitBytes(): number {
    if (!this.stream) return this.bodyLimitBytes
    return this.streamed()?.isList ? LIMITS.streamedListLimitBytes : LIMITS.bodyLimitBytes
  }

  private settleStream(stop: Stop): void {
    if (stop instanceof ListRead) this.settleStatus(stop)
    else this.lose(stop, undefined)
  }

  private settleSuccess(): void {
    const body = parseJson(this.text())
    if (body === undefined) return this.lose(this.isPage() ? "html" : "not_json", undefined)
    this.settleStatus(body)
  }

  /** Asked only about a body that is no JSON: some frameworks call their JSON `text/html`. */
  private isPage(): boolean {
    return /html/i.test(this.contentType)
  }

  private settleStatus(body: unknown): void {
    const { status, retryAfter, date } = this
    const calledType = this.calledType()
    this.settle({ what: "answered", status, body, retryAfter, date, calledType })
  }

  /** A kind, not the header: no foreign text goes into a note. Undefined if it says JSON. */
  private calledType(): "missing" | "other_type" | undefined {
    if (this.contentType === "") return "missing"
    return /\bjson\b/i.test(this.contentType) ? undefined : "other_type"
  }

  private lose(reason: LostReason, cause: unknown): void {
    if (this.status >= 300) return this.settleStatus(undefined)
    this.settle({ what: "lost", reason, status: this.status || undefined, cause })
  }

  private settle(happened: Happened): void {
    if (this.isSettled) return
    this.isSettled = true
    clearTimeout(this.timer)
    this.signal?.removeEventListener("abort", this.onAbort)
    this.resolve(happened)
  }

  private text(): string {
    const [first] = this.chunks
    if (!first) return ""
    const bytes = this.chunks.length === 1 ? first : Buffer.concat(this.chunks)
    // `trim` also removes a byte order mark, which `JSON.parse` does not accept.
    return bytes.toString("utf8").trim()
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}

function isClosed(error: unknown): boolean {
  const code = codeOf(error)
  return code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED"
}
