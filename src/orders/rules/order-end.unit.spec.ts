import {
  anOperation,
  afterNoon,
  HOUR,
  MINUTE,
  money,
} from "../../../integration-tests/support/an-operation"
import { hasOrderToClose, isTimeToPayOver, type Operation } from "../../core/operation"
import { decideOrderEnd, type OrderFacts } from "./order-end"

const PUSH = "pp_mobile-money_merchant"
const order = {
  isCanceled: false,
  isCancelable: true,
  hasMoney: false,
  isNothingOpen: false,
  providerIds: [PUSH],
}
const ended = anOperation({ state: "failed", windowEndsAt: afterNoon(0) })

describe("an order whose time to be paid is over", () => {
  it.each<[string, Operation[], OrderFacts, string]>([
    ["is cancelled when nothing is paid", [ended], order, "cancel"],
    ["also when nobody ever started", [anOperation({ state: "expired" })], order, "cancel"],
    ["also without a session", [ended], { ...order, providerIds: [] }, "cancel"],
    ["follows a payment that is under way", [anOperation(), ended], order, "leave"],
    ["follows a draft", [anOperation({ state: "drafted" }), ended], order, "leave"],
    [
      "follows money that is not recorded yet",
      [anOperation({ state: "completed" })],
      order,
      "leave",
    ],
    ["is a person's while money is in review", [anOperation({ state: "review" })], order, "leave"],
    [
      "waits for an admin also beside a duplicate payment",
      [ended, anOperation({ state: "review", isDuplicate: true })],
      order,
      "leave",
    ],
    [
      "is a person's after money was dismissed",
      [anOperation({ state: "failed", collected: money(1_999) })],
      order,
      "leave",
    ],
    [
      "is cancelled when its money was given back before Medusa knew",
      [anOperation({ state: "completed", returnedAt: afterNoon(0) }), ended],
      order,
      "cancel",
    ],
    ["stays when it is paid in another way", [ended], { ...order, hasMoney: true }, "leave"],
    [
      "stays when it asks for nothing any more",
      [ended],
      { ...order, isNothingOpen: true },
      "leave",
    ],
    [
      "stays when another provider may be paid",
      [ended],
      { ...order, providerIds: [PUSH, "pp_stripe_stripe"] },
      "leave",
    ],
    ["stays when it was sent out", [ended], { ...order, isCancelable: false }, "leave"],
    ["is left when it is cancelled already", [ended], { ...order, isCanceled: true }, "leave"],
    ["is forgotten when it was undone", [ended], undefined, "forget"],
  ])("%s", (_name, operations, facts, expected) => {
    expect(decideOrderEnd(operations, facts).kind).toBe(expected)
  })

  it("is dealt with once, and only after an end", () => {
    expect(hasOrderToClose(ended)).toBe(true)
    expect(hasOrderToClose({ ...ended, windowDoneAt: afterNoon(0) })).toBe(false)
    expect(hasOrderToClose({ ...ended, state: "in_flight" })).toBe(false)
    expect(hasOrderToClose({ ...ended, windowEndsAt: null })).toBe(false)
    expect(hasOrderToClose({ ...ended, windowEndsAt: afterNoon(MINUTE) })).toBe(false)
  })

  it("takes no payment, however long the payment's own time is", () => {
    const late = anOperation({ expiresAt: afterNoon(HOUR), windowEndsAt: afterNoon(0) })
    expect(isTimeToPayOver(late)).toBe(true)
    expect(isTimeToPayOver({ ...late, windowEndsAt: null })).toBe(false)
  })
})
