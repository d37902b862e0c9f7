import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { LIMITS } from "../core/limits"
import { anOperation } from "../../integration-tests/support/an-operation"
import { statusOf } from "../checkout/rules/status"
import { streamStatus, takeStream } from "./event-stream"

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
    const giveBack = takeStream("payses_1", "192.0.2.1")
    const stream = () => streamStatus(request, response, status, watch, giveBack)
    expect(stream).toThrow("headers sent")
    expect(watched).toBe(0)
  }
})
