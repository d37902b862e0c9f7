import { completedStep, reachedMs, stepAt, stepsOf, type Outcome } from "./timeline"

const START_MS = 1_000_000
const AFTER_MS = 3_000

const readings = (outcome: Outcome, ...atMs: number[]) => {
  const steps = stepsOf(outcome, START_MS, AFTER_MS, (ms) => ms)
  return atMs.map((ms) => stepAt(steps, START_MS + ms).status)
}

test.each([
  ["approve", ["PROCESSING", "PROCESSING", "COMPLETED", "COMPLETED", "COMPLETED"]],
  ["decline", ["PROCESSING", "PROCESSING", "FAILED", "FAILED", "FAILED"]],
  ["insufficient_funds", ["PROCESSING", "PROCESSING", "FAILED", "FAILED", "FAILED"]],
  ["decline_then_approve", ["PROCESSING", "PROCESSING", "FAILED", "FAILED", "COMPLETED"]],
  ["never", ["PROCESSING", "PROCESSING", "PROCESSING", "PROCESSING", "PROCESSING"]],
  ["handset", ["PROCESSING", "PROCESSING", "PROCESSING", "PROCESSING", "PROCESSING"]],
  ["pending", ["PENDING", "PENDING", "PENDING", "PENDING", "PENDING"]],
] as const)("%s reads %p at 0, 2.999, 3, 62.999 and 63 s", (outcome, expected) => {
  expect(readings(outcome, 0, 2_999, 3_000, 62_999, 63_000)).toEqual(expected)
})

test("an approval without delay is complete at once", () => {
  expect(
    stepAt(
      stepsOf("approve", START_MS, 0, (ms) => ms),
      START_MS,
    ).status,
  ).toBe("COMPLETED")
})

test("speed divides both delays of a late approval", () => {
  const steps = stepsOf("decline_then_approve", 0, AFTER_MS, (ms) => ms / 10)
  expect(steps.map(({ atMs }) => atMs)).toEqual([0, 300, 6_300])
})

test("a moment is known only once it has come", () => {
  const steps = [completedStep(500)]
  expect(reachedMs(steps, "COMPLETED", 499)).toBeNull()
  expect(reachedMs(steps, "COMPLETED", 9_999)).toBe(500)
})
