/**
 * Judges what people were shown, each property by its name. A view is held against the others and
 * against the gateway's book, never against the code that made it.
 */
import { attentionIsOne, decisionsAreOfReviews } from "./attention"
import { fileIsTheList } from "./files"
import { figuresOpenTheirRows, sumsAreOne, waitingIsItsCases } from "./home"
import { filterIsFilter, pagesFit } from "./list"
import { drawn, type Look, type Property } from "./look"
import { paidIsCaptured, refundsAreMedusas } from "./medusa"
import { owedIsTold, toldIsTrue, toldOnce } from "./messages"
import { metricsAreTheList } from "./metrics"
import { orderBoxIsThePages } from "./order"
import { doneIsShown, eachHasItsMoney, paidStays, shownIsTrue } from "./payments"
import { agreementIsTrue, periodsAreTheBook } from "./reconciliation"
import { differencesAreReal, periodFileIsThePage, sumsOpenTheirRows } from "./reconciliation-rows"
import { receiptsAreTheBook } from "./receipts"
import { wordsFindTheirRows } from "./search"
import { latelyIsTheList, triesAreThePages } from "./tries"
import { streamsSayStatus } from "./streams"
import {
  asksForMedusas,
  endedIsOver,
  linksAskForWhatIsOpen,
  paidIsTheBooks,
  receiptLinkOpensIt,
} from "./status"

export { nothingTold } from "./look"

type Properties = Readonly<Record<string, Property>>

/** In each look, as they remember what was told. */
const ALWAYS: Properties = {
  "paid stays paid": paidStays,
  "what reads ended has nothing under way": endedIsOver,
  "what was done is shown": doneIsShown,
}

/** One of them in a look in the middle of a history, and all at a quiet end. */
const AT_ANY_TIME: Properties = {
  "a filtered list is the filter of the list": filterIsFilter,
  "pages have each row once": pagesFit,
  "a figure opens its rows": figuresOpenTheirRows,
  "home, list and sheet have one sum": sumsAreOne,
  "what waits is the same everywhere": attentionIsOne,
  "what waits on Home is worth its cases": waitingIsItsCases,
  "how tries ended is what their pages say": triesAreThePages,
  "how operators do lately is the list": latelyIsTheList,
  "a decision is asked about a review": decisionsAreOfReviews,
  "a list's file has its rows and sums": fileIsTheList,
  "a row is found by its words": wordsFindTheirRows,
  "metrics count what the list has": metricsAreTheList,
  "an order's box is its payments' pages": orderBoxIsThePages,
  "a page asks for what Medusa asks for": asksForMedusas,
  "a link asks for what is open": linksAskForWhatIsOpen,
}

/** The same, where a comparison can ask the gateway. */
const COMPARED_AT_ANY_TIME: Properties = {
  "all three agree only where they have the same": agreementIsTrue,
}

/** In each look of somebody whose pages listen. */
const LISTENED: Properties = {
  "a stream says what STATUS says": streamsSayStatus,
}

/** Only when nothing is under way any more. */
const WHEN_QUIET: Properties = {
  "each payment has its own money": eachHasItsMoney,
  "a receipt is the gateway's book": receiptsAreTheBook,
  "a shopper's page opens the payment's receipt": receiptLinkOpensIt,
  "what reads paid is captured in Medusa": paidIsCaptured,
}

/** The same, where nothing was lost: what a backup lacks stands in a comparison, and is told again. */
const WHEN_WHOLE: Properties = {
  "what is shown is the gateway's book": shownIsTrue,
  "what reads paid is the gateway's book": paidIsTheBooks,
}

const COMPARED_WHEN_WHOLE: Properties = {
  "a reconciliation is the gateway's book and Medusa's": periodsAreTheBook,
  "a reconciliation opens its rows": sumsOpenTheirRows,
  "what a reconciliation lists as different differs": differencesAreReal,
  "a reconciliation's file has its rows": periodFileIsThePage,
}

/** At the end, when all was tidied and told, and nothing was lost. */
const AT_THE_END: Properties = {
  "refunds are Medusa's": refundsAreMedusas,
  "nobody is told the same twice": toldOnce,
  "what was told is so": toldIsTrue,
  "what is owed was told": owedIsTold,
}

/** How often each property was judged. */
export type Judged = Record<string, number>

/**
 * @param judged is added to
 * @returns a sentence for each time that a property is broken
 */
export async function judgeShown(look: Look, judged: Judged): Promise<string[]> {
  const found: string[] = []
  for (const [name, property] of lookedAt(look)) {
    judged[name] = (judged[name] ?? 0) + 1
    for (const one of await property(look)) found.push(`shown: ${name}: ${one}`)
  }
  return found
}

/** Those of a quiet look, without what a comparison says. */
export const JUDGED_WHEN_QUIET: readonly string[] = Object.keys({
  ...ALWAYS,
  ...AT_ANY_TIME,
  ...WHEN_QUIET,
  ...WHEN_WHOLE,
})

function lookedAt({ isQuiet, isOver, hasLost, compares, dice, heard }: Look): [string, Property][] {
  const any = Object.entries({ ...AT_ANY_TIME, ...(compares ? COMPARED_AT_ANY_TIME : {}) })
  return [
    ...Object.entries(ALWAYS),
    ...(heard ? Object.entries(LISTENED) : []),
    ...(isQuiet ? [...any, ...Object.entries(WHEN_QUIET)] : drawn(any, dice)),
    ...(isQuiet && !hasLost ? Object.entries(WHEN_WHOLE) : []),
    ...(isQuiet && !hasLost && compares ? Object.entries(COMPARED_WHEN_WHOLE) : []),
    ...(isOver && !hasLost ? Object.entries(AT_THE_END) : []),
  ]
}
