/**
 * Compares gateway, ledger and Medusa, for `npx medusa exec` in the store's folder. The result is
 * one JSON document; all other output goes to standard error. Ends with 0 if the three agree, 1 if
 * an admin has to check a difference, 2 if it could not be done, or not completely.
 */
import { writeFile } from "node:fs/promises"
import type { ExecArgs } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { reconcile } from "../reconciliation/reconcile"
import type { AccountReport } from "../reconciliation/rules/reconciliation-responses"
import { lastPeriod } from "../reconciliation/sql/reconciliations"
import { flowsFrom } from "../medusa/wiring/flows-from"
import { readArguments } from "../medusa/wiring/reconcile-arguments"

export default async function reconcileNow({ container, args }: ExecArgs): Promise<void> {
  try {
    const asked = readArguments(args)
    const deps = { ...flowsFrom(container), logger: toStandardError() }
    const lastDays = await lastPeriod(deps.database, LIMITS.reconcileDaysMs)
    const until = asked.to ?? lastDays.until
    const from = asked.from ?? new Date(until.getTime() - LIMITS.reconcileDaysMs)
    if (from >= until) throw new Error("from= has to be in the past")
    const accounts = await reconcile(deps, { from, until })
    const document = { from: from.toISOString(), to: until.toISOString(), accounts }
    const text = `${JSON.stringify(document, null, 2)}\n`
    await (asked.jsonFile === undefined ? print(text) : writeFile(asked.jsonFile, text))
    process.exitCode = exitCodeOf(accounts)
  } catch (error) {
    console.error(`reconcile: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  }
}

function exitCodeOf(accounts: readonly AccountReport[]): number {
  if (hasDifferencesLeft(accounts)) return 1
  return accounts.length > 0 && accounts.every(({ is_complete }) => is_complete) ? 0 : 2
}

/** Whether an admin still has to act: what is checked again puts itself right, or comes back. */
function hasDifferencesLeft(reports: readonly AccountReport[]): boolean {
  return reports.some(
    ({ differences, left_out }) =>
      left_out > 0 || differences.some(({ done }) => done !== "checked_again"),
  )
}

/** Medusa ends the process right after this, so the output must be written before. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

function toStandardError() {
  const say = (message: string) => console.error(message)
  return { debug: () => undefined, info: say, warn: say, error: say }
}
