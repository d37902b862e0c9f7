/**
 * The client secret with which a shopper's browser authenticates a card. It is kept sealed on its
 * operation while the payment is under way, and opened only for the shopper's own STATUS. No event
 * or log holds it.
 */
import { FLOWS } from "../core/flows"
import { isUnderWay } from "../core/operation"
import type { Operation } from "../core/operation"
import type { SecretBox } from "../core/secret-box"
import { isEndOfExecution } from "../core/decide/state-words"
import type { Execution } from "../gateway"
import type { Changes } from "../ledger/advance-operation"

/** A secret is sealed for one operation, so that it can't be moved to another row. */
const sealedFor = ({ id }: Pick<Operation, "id">) => `mp_operation ${id}`

/** The secret of an answer, sealed. Nothing if the answer asks for no action, or repeats it. */
export function cardSecretIn(box: SecretBox, operation: Operation, execution: Execution): Changes {
  const { requiresAction, clientSecret, status } = execution
  const isOver = isEndOfExecution(status)
  if (FLOWS[operation.flow].asks !== "card" || !isUnderWay(operation) || isOver) return {}
  if (!requiresAction || !clientSecret) return {}
  if (openCardSecret(box, operation) === clientSecret) return {}
  const cardSecret = box.seal(clientSecret, sealedFor(operation))
  return cardSecret ? { cardSecret } : {}
}

/** The secret of an operation. Undefined: it has none, or the key that sealed it is gone. */
export function openCardSecret(box: SecretBox, operation: Operation): string | undefined {
  return operation.cardSecret ? box.open(operation.cardSecret, sealedFor(operation)) : undefined
}
