/**
 * What an answer of the gateway means for a collection. The core decides, the flows act: `decide`
 * takes values and gives back a value, so each business case is one row of a table test.
 *
 * It never turns "we do not know" into "failed". FAILED counts when it was seen twice; COMPLETED
 * counts when the source agrees in status, amount and currency; 404 counts for nothing by itself.
 *
 * A decision may ask for more (`ask_source`, `close_source`, `resend`); the flow does that and
 * decides again with what it learned. `code` is kept with the event and shown in the admin.
 */
import { LIMITS } from "../limits"
import { isPush, type Operation } from "../operation"
import { decideWatched } from "./after-end"
import { age, SCHEDULE, type Decision, type Findings } from "./decision"
import { decideHosted } from "./hosted"
import { decidePush } from "./push"
import { decideRecorded } from "./recorded"

export type {
  Decision,
  ExecutionFinding,
  Findings,
  Next,
  SourceFinding,
  SourceOwner,
  Unanswered,
} from "./decision"

export function decide(operation: Operation, findings: Findings): Decision {
  switch (operation.state) {
    case "submitted":
    case "in_flight":
      return orGiveUp(
        operation,
        isPush(operation) ? decidePush(operation, findings) : decideHosted(operation, findings),
      )
    case "failed":
    case "expired":
      return decideWatched(operation, findings)
    case "completed":
      return decideRecorded(operation, findings)
    case "drafted":
    case "review":
      return { next: SCHEDULE, code: "not_asked" }
  }
}

/**
 * Nothing is asked for ever: whatever the last answer was, or was not, once the schedule is over a
 * person looks. What the decision still asks for is done first, and closing is tried once.
 */
function orGiveUp(operation: Operation, decision: Decision): Decision {
  const isTry =
    decision.action === "close_source" ? operation.closing === null : decision.action !== undefined
  const isOver = age(operation, operation.submittedAt) >= LIMITS.collectionAskMs
  if (decision.event !== undefined || isTry || !isOver) return decision
  return { event: "doubt", reason: "no_answer", next: SCHEDULE, code: "no_final_answer" }
}
