/** The short form of `npm run proof -- --only decide`. */
import { anOperation, money } from "../support/an-operation"
import type { Findings } from "../../src/core/decide/decision"
import { rulesBrokenBy } from "./decide-pairs"
import { runDecide } from "./run-decide"

const PAIRS = 10_000
const SEED = 1

it("[I2][I3] decide keeps the promises, whatever the gateway answers", () => {
  expect(runDecide({ pairs: PAIRS, seed: SEED })).toEqual({
    pairs: PAIRS,
    violations: [],
    counterexample: undefined,
  })
})

describe("the rules that judge decide", () => {
  const paid = (minor: number): Findings => ({
    execution: { kind: "seen", status: "COMPLETED" },
    source: { kind: "seen", status: "PAID", total: money(minor) },
  })
  it.each([
    [
      "money of another amount",
      { event: "complete" },
      paid(2_000),
      "completed with another amount or currency",
    ],
    [
      "failed by one look",
      { event: "fail", reason: "declined" },
      paid(1_999),
      "failed by one look",
    ],
    [
      "an end while payable",
      { event: "expire", reason: "canceled" },
      paid(1_999),
      "expired while payable",
    ],
    [
      "an event that the machine lacks",
      { event: "accept" },
      paid(1_999),
      "submitted has no accept",
    ],
    [
      "a second sending of what is known",
      { action: "resend" },
      paid(1_999),
      "sent again though it may be known",
    ],
  ] as const)("notice %s", (_name, decision, findings, rule) => {
    const made = { ...decision, next: { kind: "schedule" }, code: "paid" } as const
    expect(rulesBrokenBy(anOperation(), findings, made)).toContain(rule)
  })
})
