/** Counts what became of operations, where their new state is written. */
import { majorText } from "../core/money"
import { receivedOf, type Operation } from "../core/operation"
import { add, record } from "./metrics"

/** Counts a write that brought an operation into another state. */
export function noteMove(before: Operation, after: Operation): void {
  if (after.state === before.state) return
  const { type, state, flow, paymentMethod } = after
  add("merchant_payments.operations", 1, {
    "payment.type": type,
    "payment.state": state,
    "payment.method": paymentMethod,
  })
  // What an admin accepted from review was counted before, or was never confirmed by a check.
  if (state !== "completed" || before.state === "review") return
  const money = type === "COLLECTION" ? receivedOf(after) : after.amount
  if (money) {
    add("merchant_payments.money", Number(majorText(money)), {
      "payment.type": type,
      "payment.currency": money.currency,
    })
  }
  if (type !== "COLLECTION" || after.submittedAt === null) return
  // Both moments are the database's: no clock of another machine.
  const ms = after.readAt.getTime() - after.submittedAt.getTime()
  record("merchant_payments.confirm.seconds", Math.max(0, ms), {
    "payment.flow": flow,
    "payment.method": paymentMethod,
  })
}
