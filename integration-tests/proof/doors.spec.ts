/** What the proof `fuzz` says of the doors that stayed closed. */
import { watchDoors } from "../fuzz/watch-doors"

it("a door that let no request through is named with the reasons, and one that let one through is not", () => {
  const doors = watchDoors()
  doors.note("start", 409, `{"code":"payment_in_progress"}`)
  doors.note("start", 200, "{}")
  doors.note("return", 303, "")
  doors.note("approve", 409, `{"code":"request_is_own"}`)
  doors.note("approve", 409, `{"code":"request_is_own"}`)
  doors.note("approve", 401, "Unauthorized")
  expect(doors.neverOpened(["start", "return", "approve", "withdraw"])).toEqual([
    "approve was never opened: request_is_own × 2, 401 × 1",
    "withdraw was never opened: it was not asked for",
  ])
})
