/** The limits of what is done beside payments: sweeps, comparisons, what is kept, what a person reads. */
import { DAY, HOUR, MINUTE, SECOND } from "./time"

export const UPKEEP_LIMITS = {
  /** Whether a sweep, a reconciliation or a clearing out is due is asked so often, by every worker. */
  upkeepEveryMs: MINUTE,
  /** Sweeps: between what the peers do, each quarter of an hour and each hour. */
  reconcileEveryMs: 15 * MINUTE,
  /** The lease of a sweep or a reconciliation, renewed on the way: the longest list, and slack. */
  taskLeaseMs: 5 * MINUTE,
  /** Medusa replaces a session in two steps, in any order; a session is gone when it is after this. */
  sessionGoneAfterMs: MINUTE,
  /** Rows of one page, and what one statement wakes or prunes: some milliseconds of the database. */
  upkeepRowsMax: 500,
  /** Documents that one sweep closes at the gateway for each account; the next closes more. */
  documentsClosedMax: 100,
  /** The daily comparison looks back so far: a holiday of a week, and every watch but the last looks. */
  reconcileDaysMs: 7 * DAY,
  /** Night in Liberia and in Rwanda. */
  reconcileAtUtcHour: 2,
  /** The gateway's times pick documents for a comparison; its clock may be off by so much. */
  gatewayClockSlackMs: DAY,
  /** When the gateway could not be read, it is compared again then, and not tomorrow. */
  reconcileRetryMs: HOUR,
  /** Questions beyond the lists, for each account and comparison: minutes at the learned rate. */
  reconcileQuestionsMax: 500,
  /** Where a list is too long to be read: a week of who has one, and minutes at the learned rate. */
  reconcileOwnDocumentsMax: 2_000,
  /** Medusa's tries take an hour and a half; paid and not recorded for longer is a difference. */
  unrecordedAfterMs: 2 * HOUR,
  /** Differences that are kept of one comparison; how many were left out is kept as well. */
  differencesKeptMax: 1_000,
  /** A year of accounts, and a month to close it. Totals stay for good. */
  eventsKeptForMs: 400 * DAY,
  /** A comparison that an admin asks for: a month, which is what books are closed by. */
  reconcileNowDays: 31,
  /** And so many payments: all of them are in memory while they are compared. */
  reconcileNowPaymentsMax: 50_000,
  /** So long the gateway is asked for it: somebody looks at a spinner. */
  reconcileNowMs: 15 * SECOND,
  /** One list of it: the other one has its turn as well. */
  reconcileNowListMs: 8 * SECOND,
  /** Then it is answered without it, below the 30 s of common proxies; it ends by itself, and is kept. */
  reconcileAnswerMs: 25 * SECOND,
  /** Its lease, renewed on the way: whoever died at it does not keep the others for long. */
  reconcileNowLeaseMs: MINUTE,
  /** It answers the same question for so long: two pages, and the file that is downloaded after one. */
  reconcileServesMs: 15 * MINUTE,
  /** One that is not complete: enough for the file beside the page, and the gateway may be back. */
  reconcilePartServesMs: 30 * SECOND,
  /** As the events they were found with. */
  reconciliationsKeptForMs: 400 * DAY,
  /** A guest's cart is not paid again after so long; a party is made anew by then. */
  guestPartiesKeptForMs: 90 * DAY,
  /** Operations on one page of the admin: what a screen shows, and some milliseconds of the database. */
  listPageMax: 100,
  /** How many there are is counted so far; nobody goes through more than this page by page. */
  listCountMax: 1_000,
  /** The story of one operation as it is shown; the longest has some dozens. */
  eventsShownMax: 500,
  /** What a person writes about a decision: a paragraph. */
  noteLengthMax: 1_000,
  /** Somebody moved the operation while it was decided about; it is read again so often. */
  resolveTries: 4,
  /** An admin confirms what another asked for within a day, or it is asked for anew. */
  secondAdminWithinMs: DAY,
  /** What one admin gives back or sends in parts counts as one: parts of a day are seen the next morning. */
  movedTogetherMs: DAY,
  /** Admins and programs that send money from one account at once: each round one of them has its turn. */
  moneyOutTries: 50,
  /** Rows that one nightly clearing takes at most, so that the first one ends as well. */
  prunedPerRunMax: 100_000,
} as const
