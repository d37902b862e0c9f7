/**
 * The payments that shoppers have on screen in this process. All of them are read together, with
 * one statement every half second however many pages are open, and none asks the gateway.
 */
import type { PaymentCollectionId, PaymentSessionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import type { FlowDeps, LedgerDeps } from "../../engine/deps"
import type { MedusaPayable } from "../../engine/medusa-port"
import { markWaiting } from "../../ledger/bring-forward"
import type { Database } from "../../ledger/database"
import { isOutdated, isShownFor, statusFor } from "../read-status"
import { receiptUrlOf } from "../receipt-url"
import { statusState, withheld, type Status } from "../rules/status"
import { findChanged, type Changed } from "../sql/changed-payments"
import { realtimeWatch, type RealtimeWatch } from "./realtime-watch"

/** A payment session that a shopper has on screen. */
type Subject = {
  readonly sessionId: PaymentSessionId
  readonly paymentCollectionId: PaymentCollectionId
  /** Medusa's session when the page began to watch; undefined if Medusa has replaced it. */
  readonly payable: MedusaPayable | undefined
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

type Parts = LedgerDeps & Pick<FlowDeps, "clock" | "box" | "ids" | "settings">

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
  { database, clock, logger, box, ids, settings }: Parts,
  realtime?: RealtimeWatch,
  compare: (operation: Operation) => Promise<boolean> = () => Promise.resolve(false),
): PaymentBoard {
  const collections = new Map<PaymentCollectionId, Collection>()
  let refreshedMs = clock.monotonicMs()

  const turn = async () => {
    const now = clock.monotonicMs()
    if (now - refreshedMs >= LIMITS.waitingRefreshMs) {
      refreshedMs = now
      return refresh()
    }
    await Promise.all((await changedOf(database, collections)).map(show))
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

  const show = async ({ paymentCollectionId, mark, operation, sessionIds }: Changed) => {
    const collection = collections.get(paymentCollectionId)
    if (!collection) return
    realtime?.see(paymentCollectionId, operation)
    const { seen } = collection
    const isOutdated = seen?.mark === mark ? seen.isOutdated : await compare(operation)
    Object.assign(collection, { mark, operation, seen: { mark, isOutdated } })
    const isPaid = statusState(operation) === "paid"
    const links = { database, ids, settings }
    const receipt_url = isPaid ? await receiptUrlOf(links, operation.orderId) : null
    for (const page of pagesOf(collection, operation, sessionIds)) {
      const status = { ...statusFor({ box }, operation, page.sessionId), receipt_url }
      page.show(isOutdated ? withheld(status) : status)
    }
  }

  const read = reading({ clock, logger }, () => collections.size > 0, turn)

  return {
    watch(subject, show) {
      const page = { ...subject, show }
      const collection = collections.get(subject.paymentCollectionId) ?? {
        mark: null,
        pages: new Set(),
      }
      // What was written between the page's own reading and now has to be read again.
      collection.mark = null
      collections.set(subject.paymentCollectionId, collection)
      collection.pages.add(page)
      void read()
      return () => {
        // A second call does nothing: other pages may watch the collection anew by then.
        const wasWatched = collection.pages.delete(page)
        if (!wasWatched || collection.pages.size > 0) return
        collections.delete(subject.paymentCollectionId)
        realtime?.see(subject.paymentCollectionId, undefined)
      }
    },
  }
}

/** What has changed of the open pages' payments, read with one statement. */
function changedOf(database: Database, collections: ReadonlyMap<PaymentCollectionId, Collection>) {
  const watched = [...collections].map(([paymentCollectionId, { mark }]) => ({
    paymentCollectionId,
    mark,
  }))
  const sessions = [...collections.values()].flatMap(({ pages }) => sessionsOf(pages))
  return findChanged(database, watched, sessions)
}

/**
 * Makes the function that begins to read, unless that is under way. It reads as long as a page is
 * open, and a turn that fails is only said once in a row.
 */
function reading(
  { clock, logger }: Pick<Parts, "clock" | "logger">,
  isOpen: () => boolean,
  turn: () => Promise<unknown>,
): () => Promise<void> {
  let isReading = false
  let isDown = false
  return async () => {
    if (isReading) return
    isReading = true
    while (isOpen()) {
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
}

/** The open pages that show the operation: by its sessions, or because Medusa's session fits it. */
function pagesOf(
  { pages }: Collection,
  operation: Operation,
  sessionIds: readonly PaymentSessionId[],
) {
  return [...pages].filter(
    ({ sessionId, payable }) =>
      sessionIds.includes(sessionId) || (payable && isShownFor(operation, payable)),
  )
}

function sessionsOf(pages: ReadonlySet<Page>): PaymentSessionId[] {
  return [...new Set([...pages].map(({ sessionId }) => sessionId))]
}
