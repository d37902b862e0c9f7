/**
 * Shoppers' pages that listen: the event stream of each payment session, as its route sends it.
 * Time passes for the one board of all of them only when it is told to, so none of it waits.
 */
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { streamStatus } from "../../src/api/event-stream"
import { asksOf, paymentBoard, type PaymentBoard } from "../../src/checkout/live/payment-board"
import { idFrom, type PaymentSessionId } from "../../src/core/ids"
import { status as statusShape, type Status } from "../../src/checkout/schemas/status"
import { LIMITS } from "../../src/core/limits"
import type { FlowDeps } from "../../src/engine/deps"
import { unmarked, type ShownStatus } from "./shown-status"

export type Heard = { readonly id: string; readonly status: Status }

type Page = {
  /** All that it heard, also on earlier lines: a browser whose line ends connects anew. */
  readonly heard: Heard[]
  /** Ends its line; undefined: it has none. */
  close?: (() => void) | undefined
}

/** A page that no payment is shown on: the board goes on reading while one is open. */
const NOBODY = {
  sessionId: idFrom<PaymentSessionId>("nobody"),
  payable: undefined,
  isLoggedIn: false,
}

export class Streams {
  private readonly pages = new Map<string, Page>()
  private readonly board: PaymentBoard
  private readonly leave: () => void
  private elapsedMs = 0
  private wake = () => {}
  private asleep = () => {}

  constructor(given: FlowDeps) {
    const deps = unmarked(given)
    const sleep = () =>
      new Promise<void>((resolve) => {
        this.wake = resolve
        this.asleep()
      })
    const clock = { ...deps.clock, monotonicMs: () => this.elapsedMs, sleep }
    this.board = paymentBoard({ ...deps, clock }, undefined, asksOf(deps))
    this.leave = this.board.watch({ ...NOBODY, paymentCollectionId: idFrom("nothing") }, () => {})
  }

  /** What each page heard by now. */
  get heard(): ReadonlyMap<string, readonly Heard[]> {
    return new Map([...this.pages].map(([id, { heard }]) => [id, heard]))
  }

  /**
   * A page of each session has a line, and what is new is read. When all is quiet, also what no
   * event shows.
   */
  async listen(statuses: ReadonlyMap<string, ShownStatus>, isQuiet: boolean): Promise<void> {
    if (isQuiet) await this.pass(LIMITS.waitingRefreshMs)
    await this.pass(LIMITS.streamsReadEveryMs)
    for (const [id, shown] of statuses) this.connect(id, shown)
    if (isQuiet) await this.pass(LIMITS.streamsReadEveryMs)
  }

  close(): void {
    for (const { close } of this.pages.values()) close?.()
    this.leave()
  }

  /** The board sleeps again once its turn is over. */
  private async pass(ms: number): Promise<void> {
    const isOver = new Promise<void>((resolve) => (this.asleep = resolve))
    this.elapsedMs += ms
    this.wake()
    await isOver
  }

  private connect(id: string, { status, payment: _payment, ...shown }: ShownStatus): void {
    const page: Page = this.pages.get(id) ?? { heard: [] }
    this.pages.set(id, page)
    if (page.close) return
    const request = { get: () => page.heard.at(-1)?.id, socket: {} } as unknown as MedusaRequest
    const subject = { ...shown, sessionId: idFrom<PaymentSessionId>(id) }
    const watch = (show: (changed: Status) => void) => this.board.watch(subject, show)
    streamStatus(request, lineTo(page), status, watch, () => {})
  }
}

/** A response that a page reads. */
function lineTo(page: Page): MedusaResponse {
  const closing: (() => void)[] = []
  const line = { closed: false, destroyed: false, writableEnded: false, writableLength: 0 }
  const end = () => {
    if (line.writableEnded) return
    line.writableEnded = true
    page.close = undefined
    for (const close of closing) close()
  }
  page.close = end
  return Object.assign(line, {
    writeHead: () => {},
    write(text: string) {
      const [, id, data] = /^event: status\nid: (.*)\ndata: (.*)\n\n$/.exec(text) ?? []
      if (id !== undefined && data !== undefined) {
        page.heard.push({ id, status: statusShape.parse(JSON.parse(data)) })
      }
    },
    once: (_name: string, listener: () => void) => void closing.push(listener),
    end,
  }) as unknown as MedusaResponse
}
