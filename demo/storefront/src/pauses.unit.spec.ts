import { pauseMsAfter } from "./pauses"

test.each([
  [0, 2_000],
  [59_999, 2_000],
  [60_000, 4_000],
  [299_999, 4_000],
  [300_000, 10_000],
  [3_600_000, 10_000],
])("after %i ms of asking the next question comes %i ms later", (askingMs, pauseMs) => {
  expect(pauseMsAfter(askingMs)).toBe(pauseMs)
})
