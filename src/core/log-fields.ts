import type { Operation } from "./operation"
import type { LogFields } from "./ports"

/** What a log line about an operation carries. `event`: the code of what happened, if it has one. */
export const fieldsOf = (
  { id, accountId }: Pick<Operation, "id" | "accountId">,
  event?: string,
): LogFields => ({ operation: id, account: accountId, ...(event !== undefined && { event }) })
