/**
 * Tables of `decide`: a name, an operation, what the gateway answered, what follows. The business
 * cases are in `business-cases.ts`, played one by one by `problemsOf`, also outside of a test.
 */
import { decide } from "../../src/core/decide/collection"
import { stateAfter } from "../../src/core/operation"
import type { Row } from "./decide-findings"

export * from "./decide-findings"
export { BUSINESS_IDS, problemsOf } from "./business-case"
export { BUSINESS_CASES } from "./business-cases"

export function table(rows: readonly Row[]): void {
  it.each(rows)("%s", (_name, operation, findings, expected) => {
    const decision = decide(operation, findings)
    const absent = { event: undefined, action: undefined, reason: undefined, marks: undefined }
    expect({ ...absent, ...decision }).toMatchObject(expected)
    if (decision.event) expect(stateAfter(operation.state, decision.event)).toBeDefined()
  })
}
