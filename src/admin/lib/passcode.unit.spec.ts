import { forgetPasscode, keepPasscode, keptPasscode } from "./passcode"
import { PASSCODE_KEPT_MS } from "./pauses"

const GIVEN = { passcode: "246810", passcode_phone: "" }

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

test("the passcode is forgotten some minutes after its last payout, and when told", () => {
  keepPasscode({ ...GIVEN, ...{ amount: "5" } })
  expect(keptPasscode()).toEqual(GIVEN)
  jest.advanceTimersByTime(PASSCODE_KEPT_MS - 1)
  keepPasscode(GIVEN)
  jest.advanceTimersByTime(PASSCODE_KEPT_MS - 1)
  expect(keptPasscode()).toEqual(GIVEN)
  jest.advanceTimersByTime(1)
  expect(keptPasscode()).toBeUndefined()
  keepPasscode(GIVEN)
  forgetPasscode()
  expect(keptPasscode()).toBeUndefined()
})
