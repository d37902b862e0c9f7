/**
 * Reads the home page: the money that moved, today and lately, how tries end, and what waits. Six
 * statements, none of which reads more than two months of payments.
 */
import { methodCountries, methodLabels } from "../core/method-labels"
import { majorText } from "../core/money"
import type { FlowDeps } from "../engine/deps"
import { databaseTime } from "../ledger/database-time"
import { readMethodHealth } from "../ledger/disrupted-methods"
import { LIMITS } from "../core/limits"
import { sumForAPerson } from "../review/sql/list-operations"
import { comparedPeriods, edgesOf, lastDays, triesPeriod } from "./rules/overview-periods"
import { sumsOf, type Slice } from "../core/movements"
import type { Overview, Waiting } from "./schemas/overview"
import { figuresOfPeriod, inTenths } from "./rules/period-figures"
import type { Period } from "./rules/reconciliation"
import { readConfirmed, readTakings } from "./sql/figures-of-period"
import { findRemovedAccounts } from "./sql/find-for-period"
import { readSlices } from "./sql/movements"

type OverviewPorts = Pick<FlowDeps, "database" | "accounts">

/** @param at the moment for which it is read. Default: the database's present time */
export async function readOverview(
  deps: OverviewPorts,
  timeZone: string,
  at?: Date,
): Promise<Overview> {
  const now = at ?? (await databaseTime(deps.database))
  const [money, tries, lately, waiting] = await Promise.all([
    moneyOf(deps, timeZone, now),
    triesOf(deps, timeZone, now),
    latelyOf(deps),
    waitingOf(deps),
  ])
  return { at: now.toISOString(), time_zone: timeZone, ...money, tries, lately, waiting }
}

async function moneyOf({ database }: OverviewPorts, timeZone: string, now: Date) {
  const [compared, days] = [comparedPeriods(timeZone, now), lastDays(timeZone, now)]
  const edges = edgesOf([...compared, ...compared.map(({ before }) => before), ...days])
  const inside = slicesInside(edges, await readSlices(database, edges))
  return {
    periods: compared.map(({ name, before, ...own }) => {
      // A currency that moved in one of the two periods is zero in the other, not absent.
      const both = [...inside(own), ...inside(before)].map(({ currency }) => currency)
      return {
        period: name,
        ...spanOf(own),
        sums: sumsOf(inside(own), both),
        before: { ...spanOf(before), sums: sumsOf(inside(before), both) },
      }
    }),
    days: days.map((one) => ({ day: one.day, ...spanOf(one), sums: sumsOf(inside(one)) })),
  }
}

/** The slices of a period: its ends are edges, so no slice lies across them. */
function slicesInside(edges: readonly Date[], slices: readonly Slice[]) {
  const numberOf = (moment: Date) => edges.filter((edge) => edge < moment).length + 1
  return ({ from, until }: Period): Slice[] => {
    const [first, end] = [numberOf(from), numberOf(until)]
    return slices.filter(({ slice }) => slice >= first && slice < end)
  }
}

async function triesOf(deps: OverviewPorts, timeZone: string, now: Date) {
  const period = triesPeriod(timeZone, now)
  const removed = await findRemovedAccounts(deps.database, period)
  const accounts = [...(await deps.accounts()), ...removed]
  const ofAll = { ...period, accountIds: accounts.map(({ id }) => id) }
  const [takings, confirmed] = await Promise.all([
    readTakings(deps.database, ofAll, timeZone),
    readConfirmed(deps.database, ofAll),
  ])
  const figures = figuresOfPeriod(takings, confirmed, methodLabels(accounts))
  const { by_operator, success, confirming } = figures
  return { from: period.from.toISOString(), by_operator, success, confirming }
}

async function latelyOf(deps: OverviewPorts): Promise<Overview["lately"]> {
  const [health, accounts] = await Promise.all([readMethodHealth(deps.database), deps.accounts()])
  const [labelOf, countryOf] = [methodLabels(accounts), methodCountries(accounts)]
  return {
    minutes: LIMITS.operatorTroubleWithinMs / 60_000,
    operators: health.map(({ method, disruptedSince, middleSeconds, underWay, ...counts }) => ({
      payment_method: method,
      label: labelOf(method),
      country: countryOf(method),
      status: disruptedSince === null ? "ok" : "disrupted",
      disrupted_since: disruptedSince?.toISOString() ?? null,
      ended: counts.ended,
      completed: counts.completed,
      failed: counts.failed,
      under_way: underWay,
      p50_seconds: middleSeconds === null ? null : inTenths(middleSeconds),
    })),
  }
}

async function waitingOf({ database }: OverviewPorts): Promise<Waiting> {
  const sums = await sumForAPerson(database)
  return {
    count: sums.reduce((all, { count }) => all + count, 0),
    sums: sums.map(({ amount, count }) => ({
      currency: amount.currency,
      count,
      amount: majorText(amount),
    })),
  }
}

const spanOf = ({ from, until }: Period) => ({ from: from.toISOString(), to: until.toISOString() })
