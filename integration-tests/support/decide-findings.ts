/** What the gateway answered, in the short words of the tables of `decide`. */
import type { Decision, Findings, SourceFinding } from "../../src/core/decide/decision"
import type { Operation } from "../../src/core/operation"
import { afterNoon, money, SECOND } from "./an-operation"

export const execution = (status: string): Findings => ({ execution: { kind: "seen", status } })
export const source = (status: string, total = money(1_999)): SourceFinding => ({
  kind: "seen",
  status,
  total,
})
export const both = (status: string, sourceStatus: string, total = money(1_999)): Findings => ({
  ...execution(status),
  source: source(sourceStatus, total),
})
export const declined: Findings = {
  execution: { kind: "seen", status: "FAILED", failure: "declined" },
}
export const absent: Findings = { execution: { kind: "absent" } }
export const unknown = { kind: "unknown" } as const
export const refused = { kind: "refused" } as const

/** What a row of the tables expects: the parts of the decision that it names, `why` never. */
export type Expected = Partial<Omit<Decision, "code">>
export type Row = readonly [
  name: string,
  operation: Operation,
  findings: Findings,
  expected: Expected,
]

export const quiet: Expected = { event: undefined, action: undefined }
export const inMs = (ms: number) => ({ kind: "in", ms }) as const
export const schedule = { kind: "schedule" } as const
export const watch = { kind: "watch" } as const
/** After an end, when the gateway gave no answer. */
export const again = { kind: "in", ms: 15 * 60_000 } as const
export const now = { kind: "now" } as const

/** A moment so long after the operation of `anOperation` was read; negative: before. */
export const afterRead = (ms: number) => afterNoon(10 * SECOND + ms)
