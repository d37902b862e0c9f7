import { boardOf } from "../../../../../../checkout/live/payment-board"
import { readStatus } from "../../../../../../checkout/read-status"
import type { Status } from "../../../../../../checkout/schemas/status"
import { streamStatus, takeStream } from "../../../../../event-stream"
import { shopperStream } from "../../../../../shopper"

/** STATUS at once and whenever it changes, as server-sent events, until an end state. */
export const GET = shopperStream(async (deps, shopper, request, response) => {
  const freeStream = takeStream(deps, shopper.sessionId, shopper.network)
  try {
    const { status, ...shown } = await readStatus(deps, shopper)
    const subject = { sessionId: shopper.sessionId, ...shown }
    const watch = (show: (changed: Status) => void) => boardOf(deps).watch(subject, show)
    streamStatus(request, response, status, watch, freeStream)
  } catch (error) {
    freeStream()
    throw error
  }
})
