/**
 * The payments that shoppers have on screen in this process. All of them are read together, with
 * one statement every half second however many pages are open, and none asks the gateway.
 */
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import type { FlowDeps, LedgerDeps } from "../../engine/deps"
import type { HostPayable } from "../../engine/host"
import { markWaiting } from "../../ledger/bring-forward"
import type { Database } from "../../ledger/database"
import { isOutdated, isShownFor, statusFor } from "../read-status"
import { withheld, type Status } from "../rules/status"
import { findChanged, type Changed } from "../sql/changed-payments"
import { realtimeWatch, type RealtimeWatch } from "./realtime-watch"

/** A payment session that a shopper has on screen. */
export type Subject = {
  readonly sessionId: string
  readonly collectionId: string
  /** Medusa's session when the page began to watch; undefined if Medusa has replaced it. */
  readonly payable: HostPayable | undefined
}

type Page = Subject & { readonly show: (status: Status) => void }
type Collection = {
  mark: string | null
  operation?: Operation
  /** What its pages were last sent, and whether that was for another total than Medusa asks for. */
  seen?: { readonly mark: string; readonly isOutdated: boolean }
  readonly pages: Set<Page>
}

export type PaymentBoard = {
  /** @param show is called with each STATUS that may be new. @returns a function that ends that */
  watch(subject: Subject, show: (status: Status) => void): () => void
}

type Parts = LedgerDeps & Pick<FlowDeps, "clock" | "box">

const boards = new WeakMap<Database, PaymentBoard>()

/** The one board of all pages that use this database. */
export function boardOf(deps: FlowDeps): PaymentBoard {
  const compare = (operation: Operation) => isOutdated(deps, operation)
  const board = boards.get(deps.database) ?? paymentBoard(deps, realtimeWatch(deps), compare)
  boards.set(deps.database, board)
  return board
}

/** @param compare tells whether Medusa asks for another total than the payment's */
export function paymentBoard(
  { database, clock, logger, box }: Parts,
  realtime?: RealtimeWatch,
  compare: (operation: Operation) => Promise<boolean> = () => Promise.resolve(false),
): PaymentBoard {
  const collections = new Map<string, Collection>()
  let isReading = false
  let refreshedMs = clock.monotonicMs()
  let isDown = false

  /** Reads as long as a page is open; each turn makes one statement. */
  const read = async () => {
    isReading = true
    while (collections.size > 0) {
      try {
        await clock.sleep(LIMITS.streamsReadEveryMs)
        await turn()
        isDown = false
      } catch (error) {
        if (!isDown) logger.warn(`merchant payments: open pages wait: ${String(error)}`)
        isDown = true
      }
    }
    isReading = false
  }

  const turn = async () => {
    const now = clock.monotonicMs()
    if (now - refreshedMs >= LIMITS.waitingRefreshMs) {
      refreshedMs = now
      return refresh()
    }
    const watched = [...collections].map(([collectionId, { mark }]) => ({ collectionId, mark }))
    const sessions = [...collections.values()].flatMap(({ pages }) => sessionsOf(pages))
    const changes = await findChanged(database, watched, sessions)
    await Promise.all(changes.map(show))
  }

  /**
   * Marks that shoppers still wait. The next turn then reads every payment anew: a start that died
   * writes nothing, so no mark would show it.
   */
  const refresh = async () => {
    const ids = [...collections.values()].flatMap(({ operation }) => operation?.id ?? [])
    for (const collection of collections.values()) collection.mark = null
    await markWaiting(database, ids)
  }

  const show = async ({ collectionId, mark, operation, sessionIds }: Changed) => {
    const collection = collections.get(collectionId)
    if (!collection) return
    realtime?.see(collectionId, operation)
    const { seen } = collection
    const isOutdated = seen?.mark === mark ? seen.isOutdated : await compare(operation)
    Object.assign(collection, { mark, operation, seen: { mark, isOutdated } })
    for (const page of [...collection.pages]) {
      const isBound = sessionIds.includes(page.sessionId)
      if (isBound || (page.payable && isShownFor(operation, page.payable))) {
        const status = statusFor({ box }, operation, page.sessionId)
        page.show(isOutdated ? withheld(status) : status)
      }
    }
  }

  return {
    watch(subject, show) {
      const page = { ...subject, show }
      const collection = collections.get(subject.collectionId) ?? { mark: null, pages: new Set() }
      // What was written between the page's own reading and now has to be read again.
      collection.mark = null
      collections.set(subject.collectionId, collection)
      collection.pages.add(page)
      if (!isReading) void read()
      return () => {
        // A second call does nothing: other pages may watch the collection anew by then.
        const wasWatched = collection.pages.delete(page)
        if (!wasWatched || collection.pages.size > 0) return
        collections.delete(subject.collectionId)
        realtime?.see(subject.collectionId, undefined)
      }
    },
  }
}

function sessionsOf(pages: ReadonlySet<Page>): string[] {
  return [...new Set([...pages].map(({ sessionId }) => sessionId))]
}
