import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { LIMITS } from "../core/limits"
import { anOperation } from "../../integration-tests/support/an-operation"
import { statusOf } from "../checkout/rules/status"
import type { Database } from "../ledger/database"
import { streamStatus, takeStream } from "./event-stream"

const store = { database: {} as Database }
const status = statusOf(anOperation())
const request = { get: () => undefined, socket: {} } as unknown as MedusaRequest
/** Its headers are gone already. */
const response = {
  writeHead() {
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, "headers sent")
  },
} as unknown as MedusaResponse

it("a stream that can't begin watches nothing and keeps no place", () => {
  let watched = 0
  const watch = () => {
    watched += 1
    return () => void (watched -= 1)
  }
  for (let opened = 0; opened <= LIMITS.streamsOfSessionMax; opened += 1) {
    const giveBack = takeStream(store, "payses_1", "192.0.2.1")
    const stream = () => streamStatus(request, response, status, watch, giveBack)
    expect(stream).toThrow("headers sent")
    expect(watched).toBe(0)
  }
})

it("a stream tells STATUS again once its time is over, and not for each second that passes", () => {
  const sent: string[] = []
  const closing: (() => void)[] = []
  const open = {
    writeHead: () => undefined,
    write: (text: string) => sent.push(text),
    once: (_name: string, listener: () => void) => closing.push(listener),
  }
  const at = (expires_in_seconds: number) => ({ ...status, expires_in_seconds })
  let show: (changed: typeof status) => void = () => undefined
  const watch = (shown: typeof show) => {
    show = shown
    return () => undefined
  }
  const none = () => undefined
  streamStatus(request, open as unknown as MedusaResponse, at(300), watch, none)
  for (const seconds of [299, 1, 0, 0]) show(at(seconds))
  for (const close of closing) close()
  const told = sent.flatMap((text) => /"expires_in_seconds":(\d+)/.exec(text)?.[1] ?? [])
  expect(told).toEqual(["300", "0"])
})

it("[D15] another network finds a place for its streams, however many take what they can", () => {
  const taken: (() => void)[] = []
  const takeAll = (network: string) => {
    for (let at = 0; ; at++) {
      try {
        taken.push(takeStream(store, `payses_${network}_${at}`, network))
      } catch {
        return at
      }
    }
  }
  for (let network = 0; network < 12; network++) takeAll(`192.0.2.${network}`)
  expect(takeAll("198.51.100.1")).toBeGreaterThan(0)
  expect(taken.length).toBeLessThanOrEqual(LIMITS.streamsMax)
  for (const giveBack of taken) giveBack()
  // A network alone has its whole share.
  expect(takeAll("198.51.100.1")).toBe(LIMITS.streamsOfNetworkMax)
  for (const giveBack of taken) giveBack()
})
