/**
 * What a worker's machine runs: this version, or the last release beside machines of this one, as
 * while a shop replaces its processes one after the other. The tables are this version's by then.
 */
import { authorize } from "../../../src/checkout/answer-medusa"
import { createGateway } from "../../../src/gateway"
import { listStoredAccounts } from "../../../src/ledger/accounts/stored-accounts"
import { sweep } from "../../../src/reconciliation/sweep"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { underWay } from "../../../src/worker/under-way"
import { oldModules } from "./old-version"
import type { Setting } from "./settings"

/** The flows that a machine runs in its own version, and what that version gives to them. */
export const TODAY = {
  checkDueOperations,
  sweep,
  /** Medusa asks the provider of the process that completes a cart. */
  authorize,
  underWay,
  createGateway,
  listStoredAccounts,
}

export type Release = typeof TODAY

/** Where the last release has the same: its flows take what today's take, or less of it. */
const PLACES: Readonly<Record<keyof Release, string>> = {
  checkDueOperations: "worker/check-due-operations",
  sweep: "reconciliation/sweep",
  authorize: "checkout/answer-medusa",
  underWay: "worker/under-way",
  createGateway: "gateway",
  listStoredAccounts: "ledger/accounts/stored-accounts",
}

/**
 * What is drawn does not depend on the clone. One that lacks the release's commit, such as a
 * shallow one, says so and plays those histories with this version.
 */
function lastRelease(): Release {
  const load = oldModules()
  if (!load) return TODAY
  const parts = Object.entries(PLACES).map(([name, place]) => [name, load(place)[name]])
  return Object.fromEntries(parts) as Release
}

/** The releases of a history, this version first. */
export const releasesOf = ({
  lastRelease: whose,
}: Pick<Setting, "lastRelease">): readonly Release[] =>
  whose === null ? [TODAY] : [TODAY, lastRelease()]
