/**
 * Collects what the gateway lists of one account and one period, page by page while a list arrives.
 * The lists have no dates and are all that the merchant ever made. Of a source of the period the few
 * fields that are compared are kept; of any other source only its number, so that a list that lacks
 * one is noticed.
 */
import type { SourceId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { SourceType } from "../core/operation"
import type { FlowDeps } from "../engine/deps"
import type { Gateway } from "../gateway"
import type { ClientOfAccount } from "./client-of-account"
import type { Account } from "../ledger/accounts/find-accounts"
import {
  readSources,
  type ListAsked,
  type ListedSource,
  type ListedState,
  type ListEnd,
} from "./list-sources"
import type { Period } from "./rules/reconciliation"
import type { Keep } from "./run-task"
import { findSourcesOfPeriod } from "./sql/find-for-period"

/** What was read of both lists. */
export type Lists = {
  readonly sources: ListedSource[]
  /** The types whose list was read to its end. Of another type a missing source means nothing. */
  readonly listed: readonly SourceType[]
  /** Their lists are too long to read: the sources of the period's operations are asked for. */
  readonly tooLong: readonly SourceType[]
  /** How long the lists took. One that was read slowly lacks what was made meanwhile. */
  readonly tookMs: number
  /** Whether a list has this source, of the period or not. */
  readonly has: (source: {
    readonly sourceType: SourceType
    readonly sourceId: SourceId | null
  }) => boolean
}

const TYPES = ["ORDER", "INVOICE"] as const

/**
 * The states of a source in the order in which it goes through them: one that moves on between two
 * lists is in the later one.
 */
const STATES: readonly ListedState[] = ["IDLE", "ACTIVE", "PROCESSING", "PAID", "CANCELED"]

export async function collectSources(
  deps: FlowDeps,
  { gateway, account: reader }: ClientOfAccount,
  account: Account,
  period: Period,
  keep: Keep,
  because: Set<IncompleteCode>,
): Promise<Lists> {
  const ofType = new Map<SourceType, Collected>()
  const begunMs = deps.clock.monotonicMs()
  if (!gateway) because.add("not_configured")
  for (const sourceType of gateway ? TYPES : []) {
    await keep()
    const collected = new Collected(deps, reader, account, sourceType, period, keep)
    if (gateway) await collected.read(gateway)
    ofType.set(sourceType, collected)
    if (collected.isRepeated) because.add("list_repeats")
    if (collected.end === "unread" || collected.end === "foreign") because.add("gateway_not_read")
    if (collected.end === "cut") because.add("list_cut")
    if (collected.end === "too_long") because.add("list_too_long")
  }
  const endingAs = (end: ListEnd) => TYPES.filter((type) => ofType.get(type)?.end === end)
  return {
    sources: [...ofType.values()].flatMap(({ kept }) => [...kept.values()]),
    listed: endingAs("whole"),
    tooLong: endingAs("too_long"),
    tookMs: deps.clock.monotonicMs() - begunMs,
    has: ({ sourceType, sourceId }) =>
      sourceId !== null && ofType.get(sourceType)?.seen.has(sourceId) === true,
  }
}

/** The sources of one type. A source that comes again counts once, as it was read last. */
class Collected {
  readonly kept = new Map<number, ListedSource>()
  readonly seen = new Set<number>()
  /** Whether one list named a source twice. */
  isRepeated = false
  end: ListEnd = "unread"

  constructor(
    private readonly deps: FlowDeps,
    private readonly reader: Account,
    private readonly account: Account,
    private readonly sourceType: SourceType,
    private readonly period: Period,
    private readonly keep: Keep,
  ) {}

  /** A list that broke off is read again in parts, by state: each is a shorter answer. */
  async read(gateway: Gateway): Promise<void> {
    this.end = await this.readList(gateway, {})
    if (this.end !== "cut" && this.end !== "too_long") return
    for (const status of STATES) {
      const part = await this.readList(gateway, { status })
      if (part === "foreign") this.end = part
      if (part !== "whole") return
    }
    this.end = "whole"
  }

  private async readList(gateway: Gateway, asked: Pick<ListAsked, "status">): Promise<ListEnd> {
    const { deps, reader, sourceType } = this
    const inThisList = new Set<number>()
    const end = await readSources(deps, gateway, reader, { sourceType, ...asked }, async (page) => {
      await this.keep()
      for (const { sourceId } of page) {
        if (inThisList.has(sourceId)) this.isRepeated = true
        inThisList.add(sourceId)
        this.seen.add(sourceId)
      }
      await this.take(page)
    })
    if (end === "foreign") this.forget()
    return end
  }

  private forget(): void {
    this.kept.clear()
    this.seen.clear()
    this.isRepeated = false
  }

  private async take(page: readonly ListedSource[]): Promise<void> {
    const { deps, account, sourceType, period } = this
    const others = page.filter((source) => !isTouchedIn(period, source))
    const ids = others.map(({ sourceId }) => sourceId)
    // The gateway's clock may be off by any time; the ledger says which payments are of the period.
    const known = await findSourcesOfPeriod(deps.database, account.id, sourceType, ids, period)
    for (const source of page) {
      const { sourceId } = source
      if (isTouchedIn(period, source) || known.has(sourceId)) this.kept.set(sourceId, source)
      // It was of the period when an earlier list had it.
      else if (this.kept.has(sourceId)) this.kept.set(sourceId, source)
    }
  }
}

function isTouchedIn({ from, until }: Period, { touchedAt }: ListedSource): boolean {
  if (!touchedAt) return true
  const at = touchedAt.getTime()
  const slackMs = LIMITS.gatewayClockSlackMs
  return at >= from.getTime() - slackMs && at < until.getTime() + slackMs
}
