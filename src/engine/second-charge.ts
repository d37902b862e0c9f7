/**
 * Money that came twice on one source: a prompt read FAILED, its source was paid in another way,
 * and the prompt was approved later. The source reads `PAID` either way, so only what the execution
 * read at that time tells the two apart. The prompt's money stays the payment's own; the other one
 * is a duplicate payment, for an admin.
 */
import type { Findings } from "../core/decide/decision"
import type { Operation } from "../core/operation"
import { adoptMoney } from "../ledger/adopt-money"
import { findOthersOfSource } from "../ledger/find-operations"
import type { MoneyDeps } from "./deps"
import { alertReview, persist } from "./persist"

/**
 * Holds the money that came beside a prompt, once the prompt's execution completes. If the process
 * dies between the two writes, the next check finds the money held and writes the second alone.
 *
 * @returns the operation as it is now; undefined: another writer has moved it meanwhile
 */
export async function holdSecondCharge(
  deps: Pick<MoneyDeps, "database" | "ids" | "logger">,
  operation: Operation,
  { execution, source }: Findings,
): Promise<Operation | undefined> {
  const { id, sourceId, sourceType, paidOtherwiseAt } = operation
  const isCompleted = execution?.kind === "seen" && execution.status === "COMPLETED"
  if (!isCompleted || sourceId === null) return operation
  if (paidOtherwiseAt === null) return notePayer(deps, operation)
  const known = operation.collected ?? operation.amount
  const total = source?.kind === "seen" ? source.total : known
  const found = "second_charge" as const
  const money = { id: deps.ids.operationId(), sourceType, sourceId, total, found }
  const adopted = await adoptMoney(deps.database, operation, money)
  const code = "second_charge_paid"
  if (adopted) alertReview(deps, operation, adopted, { code, facts: { beside: id } })
  const others = adopted ? [adopted] : await findOthersOfSource(deps.database, operation)
  return persist(deps.database, operation, {
    event: { note: "charged_twice" },
    code: "charged_twice",
    facts: { other: others.find(({ isDuplicate }) => isDuplicate)?.id },
    changes: { paidOtherwiseAt: false, isPayerUnknown: false },
  })
}

/** The prompt did bring the money, which was known before its answer could be read. */
async function notePayer(
  { database }: Pick<MoneyDeps, "database">,
  operation: Operation,
): Promise<Operation | undefined> {
  if (!operation.isPayerUnknown) return operation
  return persist(database, operation, {
    event: { note: "payer_known" },
    code: "payer_known",
    changes: { isPayerUnknown: false },
  })
}
