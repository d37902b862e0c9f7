import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { closingOf, MEDUSA_WORK, underWay } from "./under-way"

const ACCOUNT = "mpacc_env"

const made = () => underWay({ monotonicMs: () => 0 })

it("[P24] the places of one group are not those of another", () => {
  const own = made()
  for (let taken = 0; taken < LIMITS.checksInFlight; taken++) own.take(ACCOUNT)
  const groups = [ACCOUNT, "mpacc_other", MEDUSA_WORK, closingOf(ACCOUNT)]
  expect(groups.map((group) => own.room(group))).toEqual([
    0,
    LIMITS.checksInFlight,
    LIMITS.settlesInFlight,
    LIMITS.settlesInFlight,
  ])
})

it("a place that is given back is free again, and whoever waits hears of it", () => {
  const own = made()
  const giveBack = own.take(MEDUSA_WORK)
  const hears = jest.fn()
  const unlisten = own.onFree(hears)
  giveBack()
  expect(hears).toHaveBeenCalledTimes(1)
  expect(own.room(MEDUSA_WORK)).toBe(LIMITS.settlesInFlight)
  unlisten()
  own.take(MEDUSA_WORK)()
  expect(hears).toHaveBeenCalledTimes(1)
})

it("[M05] a group that has too many without an answer begins no more until one is there", () => {
  const own = made()
  const answered = Array.from({ length: LIMITS.unansweredMax }, (_, n) =>
    own.leave(MEDUSA_WORK, { operation: { id: `mpop_${n}` } as Operation }),
  )
  expect([own.room(MEDUSA_WORK), own.room(ACCOUNT)]).toEqual([0, LIMITS.checksInFlight])
  answered[0]?.()
  expect(own.room(MEDUSA_WORK)).toBe(LIMITS.settlesInFlight)
  expect(own.unanswered()).toHaveLength(LIMITS.unansweredMax - 1)
})
