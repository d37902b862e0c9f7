/**
 * For `npx medusa exec` after a backup was played back or a standby took over. With `from=`, the
 * moment of the backup, rules stand still and the time since then is compared with the gateway.
 * With `done` an admin says that what the gateway has more is dealt with, and the rules go on.
 * Without either it compares a time that the store has noticed by itself. Prints one JSON document.
 * Ends with 0 if the rules go on, 1 if they stand still, 2 if it could not be done.
 */
import type { ExecArgs } from "@medusajs/framework/types"
import { endBehind, findBehind, noticeBehind } from "../ledger/database-mark"
import { compareLostTime } from "../reconciliation/compare-lost-time"
import { printDocument, toStandardError } from "./arguments/command-output"
import { flowsFrom } from "../medusa/wiring/flows-from"
import { readArguments } from "./arguments/command-arguments"

export default async function databaseRestored({ container, args }: ExecArgs): Promise<void> {
  try {
    const isDone = args.includes("done")
    const { from, to, jsonFile } = readArguments(args.filter((one) => one !== "done"))
    const isOther = to !== undefined || jsonFile !== undefined
    if (isOther || (isDone && from)) throw new Error("give from=, done, or nothing")
    const deps = { ...flowsFrom(container), logger: toStandardError() }
    if (from) await noticeBehind(deps.database, "person", from)
    const behind = await findBehind(deps.database)
    if (behind && isDone) await endBehind(deps.database, behind)
    const lost = behind && !isDone ? await compareLostTime(deps, behind) : undefined
    const areHeld = lost !== undefined && !lost.isOver
    await printDocument({
      rules: areHeld ? "stand still" : "go on",
      since: behind?.since ?? null,
      accounts: lost?.accounts ?? [],
    })
    process.exitCode = areHeld ? 1 : 0
  } catch (error) {
    console.error(`database-restored: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  }
}
