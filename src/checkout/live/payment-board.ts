/**
 * The payments that shoppers have on screen in this process. All of them are read together, with
 * one statement every half second, which reads what was written since the last one however many
 * pages are open. None asks the gateway.
 */
import type { PaymentCollectionId, PaymentSessionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import type { FlowDeps, LedgerDeps } from "../../engine/deps"
import type { MedusaPayable } from "../../engine/medusa-port"
import { markWaiting } from "../../ledger/bring-forward"
import type { Database } from "../../ledger/database"
import { perStore } from "../../ledger/per-store"
import {
  isOutdated,
  isShownFor,
  statusFor,
  statusOfSession,
  statusOfUnstarted,
} from "../read-status"
import { shownReceiptUrl } from "../receipt-url"
import { statusState, withheld } from "../rules/status"
import type { Status } from "../schemas/status"
import { readNews, type Changed, type News } from "../sql/changed-payments"
import { readingMark, type ReadingMark } from "./reading-mark"
import { realtimeWatch, type RealtimeWatch } from "./realtime-watch"

/** A payment session that a shopper has on screen. */
type Subject = {
  readonly sessionId: PaymentSessionId
  readonly paymentCollectionId: PaymentCollectionId
  /** Medusa's session when the page began to watch; undefined if Medusa has replaced it. */
  readonly payable: MedusaPayable | undefined
  readonly isLoggedIn: boolean
}

type Page = Subject & { readonly show: (status: Status) => void }
type Collection = {
  /** Whether the next turn reads it though nothing was written: a page has just come. */
  isDue: boolean
  operation?: Operation
  /** What its pages were last sent, and whether that was for another total than Medusa asks for. */
  seen?: { readonly mark: string; readonly isOutdated: boolean }
  readonly pages: Set<Page>
}

type Collections = Map<PaymentCollectionId, Collection>

export type PaymentBoard = {
  /** @param show is called with each STATUS that may be new. @returns a function that ends that */
  watch(subject: Subject, show: (status: Status) => void): () => void
}

type Parts = LedgerDeps & Pick<FlowDeps, "clock" | "box" | "ids" | "settings">

/** The one board of all pages of a store. */
export const boardOf = perStore((deps: FlowDeps) =>
  paymentBoard(deps, realtimeWatch(deps), asksOf(deps)),
)

/** What Medusa is asked about a page that is shown. */
type Asks = {
  /** Whether it asks for another total than the payment's. */
  isOutdated(operation: Operation): Promise<boolean>
  /** What a page says for which nothing was started, by Medusa's session of now. */
  unstarted(known: MedusaPayable): Promise<Status>
}

export const asksOf = (deps: Pick<FlowDeps, "database" | "medusa">): Asks => ({
  isOutdated: (operation) => isOutdated(deps, operation),
  unstarted: async (known) =>
    statusOfUnstarted(deps, (await deps.medusa.payable(known.id)) ?? known),
})

/** @param asks left out: Medusa asks for what it asked for when the page came */
export function paymentBoard(
  { database, clock, logger, box, ids, settings }: Parts,
  realtime?: RealtimeWatch,
  asks?: Asks,
): PaymentBoard {
  const collections: Collections = new Map()
  const mark = readingMark(clock)
  let refreshedMs = clock.monotonicMs()

  const turn = async () => {
    const now = clock.monotonicMs()
    if (now - refreshedMs >= LIMITS.waitingRefreshMs) {
      refreshedMs = now
      return refresh()
    }
    const { changed, due, isCut } = await newsFor(database, collections, mark)
    if (isCut) everyOneIsDue()
    await Promise.all(changed.map((one) => tell(one, due.has(one.paymentCollectionId))))
  }

  const everyOneIsDue = () => {
    mark.forget()
    for (const collection of collections.values()) collection.isDue = true
  }

  /**
   * Marks that shoppers still wait. The next turn then reads every payment anew: a start that died
   * writes nothing, so no event would show it.
   */
  const refresh = async () => {
    const ids = [...collections.values()].flatMap(({ operation }) => operation?.id ?? [])
    everyOneIsDue()
    await markWaiting(database, ids)
  }

  /** @param isDue whether it is shown even if nothing was written since it was shown */
  const tell = async (changed: Changed, isDue: boolean) => {
    const collection = collections.get(changed.paymentCollectionId)
    if (!collection || (!isDue && collection.seen?.mark === changed.mark)) return
    try {
      await show(collection, changed)
    } catch (error) {
      collection.isDue = true
      throw error
    }
  }

  const show = async (collection: Collection, changed: Changed) => {
    const { paymentCollectionId, mark, operation, sessionIds } = changed
    realtime?.see(paymentCollectionId, operation)
    const { seen } = collection
    const isOutdated =
      seen?.mark === mark ? seen.isOutdated : ((await asks?.isOutdated(operation)) ?? false)
    Object.assign(collection, { operation, seen: { mark, isOutdated } })
    const isPaid = statusState(operation) === "paid"
    const links = { database, ids, settings }
    for (const page of [...collection.pages]) {
      if (!isShownOn(page, operation, sessionIds)) {
        // It may have shown another session's payment, which has ended since, or its order has.
        const { payable } = page
        if (payable) page.show((await asks?.unstarted(payable)) ?? statusOfSession(payable))
        continue
      }
      const receipt_url = isPaid ? await shownReceiptUrl(links, operation, page.isLoggedIn) : null
      const read = statusFor({ box }, operation, page.sessionId, page.isLoggedIn)
      const status = { ...read, receipt_url }
      page.show(isOutdated ? withheld(status) : status)
    }
  }

  const read = reading({ clock, logger }, () => collections.size > 0, turn)

  return {
    watch(subject, show) {
      const page = { ...subject, show }
      const collection = collections.get(subject.paymentCollectionId) ?? {
        isDue: true,
        pages: new Set(),
      }
      // What was written between the page's own reading and now has to be read again.
      collection.isDue = true
      collections.set(subject.paymentCollectionId, collection)
      collection.pages.add(page)
      void read()
      return () => {
        // A second call does nothing: other pages may watch the collection anew by then.
        const wasWatched = collection.pages.delete(page)
        if (!wasWatched || collection.pages.size > 0) return
        collections.delete(subject.paymentCollectionId)
        realtime?.see(subject.paymentCollectionId, undefined)
        // While no page is open nothing is read, and the mark grows old.
        if (collections.size === 0) mark.forget()
      }
    },
  }
}

/** What has changed of the open pages' payments, read with one statement. */
async function newsFor(
  database: Database,
  collections: Collections,
  mark: ReadingMark,
): Promise<News & { readonly due: ReadonlySet<PaymentCollectionId> }> {
  const since = mark.since()
  const watched = [...collections.keys()]
  const due = new Set(watched.filter((id) => since === null || collections.get(id)?.isDue))
  // A page that comes while the statement runs makes its collection due again.
  for (const id of due) setDue(collections, id, false)
  try {
    const news = await readNews(database, { since, watched, anyway: [...due] })
    mark.note(news.newest)
    return { ...news, due }
  } catch (error) {
    for (const id of due) setDue(collections, id, true)
    throw error
  }
}

function setDue(collections: Collections, id: PaymentCollectionId, isDue: boolean): void {
  const collection = collections.get(id)
  if (collection) collection.isDue = isDue
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

/** Whether a page shows the operation: by its sessions, or because Medusa's session fits it. */
function isShownOn(
  { sessionId, payable }: Page,
  operation: Operation,
  sessionIds: readonly PaymentSessionId[],
): boolean {
  if (sessionIds.includes(sessionId)) return true
  return payable !== undefined && isShownFor(operation, payable)
}
