/** The payment page, under way: there is no execution of ours, the source alone is asked. */
import {
  age,
  decidePaid,
  NOW,
  SCHEDULE,
  unanswered,
  WATCH,
  type Decision,
  type Looks,
} from "./decision"
import { LIMITS } from "./limits"
import { isTimeToPayOver, type Operation } from "./operation"

export function decideHosted(operation: Operation, looks: Looks): Decision {
  const source = looks.source
  if (!source) return { action: "ask_source", next: NOW, why: "asking the source" }
  if (source.kind === "absent") {
    if (age(operation, operation.absentAt) >= LIMITS.neverLandedAfterMs) {
      return {
        event: "doubt",
        reason: "credentials",
        next: SCHEDULE,
        why: "the gateway has not known the source for 15 minutes",
      }
    }
    return { marks: { absent: true }, next: SCHEDULE, why: "the gateway does not know the source" }
  }
  if (source.kind !== "seen") return unanswered(source, "status of the source")
  if (source.status === "PAID") return decidePaid(operation, source.total)
  if (source.status === "CANCELED") {
    return {
      event: "expire",
      reason: operation.closing ?? "canceled",
      next: WATCH,
      why: "the source is canceled: nobody can pay it any more",
    }
  }
  if (source.status === "PROCESSING") {
    const seen: Decision = {
      marks: { absent: false },
      next: SCHEDULE,
      why: "the shopper's payment of the source is being processed",
    }
    return operation.state === "submitted" ? { ...seen, event: "see" } : seen
  }
  if (operation.closing) {
    return { action: "close_source", next: SCHEDULE, why: "the source is to be closed" }
  }
  if (looks.isAmountStale) {
    return {
      action: "close_source",
      marks: { closing: "canceled" },
      next: SCHEDULE,
      why: "the cart is owed another amount now; closing the old source",
    }
  }
  if (isTimeToPayOver(operation)) {
    return {
      action: "close_source",
      marks: { closing: "window_closed" },
      next: SCHEDULE,
      why: "the time to pay is over; closing the source",
    }
  }
  return { marks: { absent: false }, next: SCHEDULE, why: `the source reads ${source.status}` }
}
