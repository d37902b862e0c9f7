/**
 * Compares gateway, ledger and Medusa, for `npx medusa exec` in the store's folder. The result is
 * one JSON document; all other output goes to standard error. Ends with 0 if the three agree but for
 * what is under way, 1 if an admin has to decide or to review a difference, 2 if it could not be
 * done, or not completely.
 */
import { writeFile } from "node:fs/promises"
import type { ExecArgs } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { reconcile } from "../reconciliation/reconcile"
import { agreementOf } from "../reconciliation/rules/agreement"
import { isElsewhere } from "../reconciliation/rules/reconciliation"
import type { AccountSums } from "../reconciliation/schemas/reconciliation"
import { lastPeriod } from "../reconciliation/sql/reconciliations"
import { printDocument, toStandardError } from "./arguments/command-output"
import { flowsFrom } from "../medusa/wiring/flows-from"
import { readArguments } from "./arguments/command-arguments"

export default async function reconcileNow({ container, args }: ExecArgs): Promise<void> {
  try {
    const asked = readArguments(args)
    const deps = { ...flowsFrom(container), logger: toStandardError() }
    const lastDays = await lastPeriod(deps.database, LIMITS.reconcileDaysMs)
    const until = asked.to ?? lastDays.until
    const from = asked.from ?? new Date(until.getTime() - LIMITS.reconcileDaysMs)
    if (from >= until) throw new Error("from= has to be in the past")
    const accounts = await reconcile(deps, { from, until })
    const source = { from: from.toISOString(), to: until.toISOString(), accounts }
    await (asked.jsonFile === undefined
      ? printDocument(source)
      : writeFile(asked.jsonFile, `${JSON.stringify(source, null, 2)}\n`))
    process.exitCode = exitCodeOf(accounts)
  } catch (error) {
    console.error(`reconcile: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  }
}

function exitCodeOf(accounts: readonly AccountSums[]): number {
  if (accounts.some(needsAPerson)) return 1
  return accounts.length > 0 && accounts.every(({ is_complete }) => is_complete) ? 0 : 2
}

/**
 * Payments under way and differences that are checked again settle themselves, or a later run finds
 * them. Until then the sums may differ by them. Without any, an admin reviews sums that differ.
 */
function needsAPerson(account: AccountSums): boolean {
  const { left_out } = account
  const differences = account.differences.filter((one) => !isElsewhere(one))
  if (left_out > 0 || differences.some(({ done }) => done !== "checked_again")) return true
  const { open } = agreementOf([account])
  if (open.some(({ what }) => what.endsWith("under_review"))) return true
  if (!account.is_complete) return false
  const isMoving = open.some(({ kind }) => kind === "waits") || differences.length > 0
  return !isMoving && open.length > 0
}
