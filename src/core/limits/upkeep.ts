/** Limits of the work beside payments: sweeps, reconciliation, retention, and the admin's lists. */
import { DAY, HOUR, MINUTE, SECOND } from "./time"

export const UPKEEP_LIMITS = {
  /** How often each worker checks whether a sweep, a reconciliation or a clean-up is due. */
  upkeepEveryMs: MINUTE,
  /** The gap between sweeps. Comparable plugins take a quarter of an hour to an hour. */
  reconcileEveryMs: 15 * MINUTE,
  /**
   * The lease of a sweep or a reconciliation, renewed on the way: the longest list. When it ends
   * after a crash, another worker begins the task anew, or an admin's page says that it stopped.
   */
  taskLeaseMs: 5 * MINUTE,
  /** Medusa replaces a session in two steps; a session that is missing after this is gone. */
  sessionGoneAfterMs: MINUTE,
  /** Rows of one page or of one statement: some milliseconds of the database. */
  upkeepRowsMax: 500,
  /** Sources that one sweep closes per account; the next sweep closes more. */
  sourcesClosedMax: 100,
  /**
   * Only an older order can be a stray: no completion lasts so long, and Medusa would still link
   * or undo an order that it is making.
   */
  strayOrderAfterMs: 10 * MINUTE,
  /**
   * How far a sweep looks back for stray orders: settling is tried for 1.5 hours. The daily
   * comparison looks back as far as it compares.
   */
  strayOrdersSweptMs: 3 * HOUR,
  /** The order's time is its server's, the payment's the database's; clocks may differ so much. */
  strayOrderClocksMs: 5 * SECOND,
  /** How far the daily comparison looks back: a week's holiday. */
  reconcileDaysMs: 7 * DAY,
  /** Longer than a restart of all processes: the database may then be one from a backup. */
  databaseSilentMs: 5 * MINUTE,
  /** Above the steps in which a clock is kept right, and a minute below what delays a payment. */
  clockPutBackMs: 10 * SECOND,
  /** How long the health page says that the database's clock was put back. */
  clockPutBackShownMs: DAY,
  /** Gaps between looks of a rule, or of the comparison, while the database may lack something. */
  rulesHeldRetryMs: MINUTE,
  /** The hour (UTC) of the daily comparison: night in Liberia and in Rwanda. */
  reconcileAtUtcHour: 2,
  /** A comparison picks sources by the gateway's times; its clock may be off by this much. */
  gatewayClockSlackMs: DAY,
  /** If the gateway could not be read, the comparison is repeated after this. */
  reconcileRetryMs: HOUR,
  /** Questions beyond the lists, per account and comparison: minutes at the account's bound. */
  reconcileQuestionsMax: 500,
  /** A source that was older than this when a list began is missing if the list lacks it. */
  unlistedAfterMs: 10 * MINUTE,
  /**
   * Completed payments asked about again per account and comparison, with two questions each:
   * minutes at the account's bound. The others have their turn on another night.
   */
  completedAskedMax: 1_000,
  /** After so many unanswered in a row the gateway counts as down; the next comparison goes on. */
  completedSilentMax: 5,
  /** Sources asked one by one where a list lacks them: minutes at the account's bound. */
  reconcileOwnSourcesMax: 2_000,
  /** Tries to record a payment in Medusa take 1.5 hours; one unrecorded later is a difference. */
  unrecordedAfterMs: 2 * HOUR,
  /** Differences stored of one comparison, with the number of omitted ones. */
  differencesKeptMax: 1_000,
  /** How long events are kept: a year of accounts and a month to close it. Totals stay for good. */
  eventsKeptForMs: 400 * DAY,
  /** Days of a comparison that an admin asks for: a month, as accounts are closed. */
  reconcileNowDays: 31,
  /** Payments of a comparison that an admin asks for; all are in memory while it runs. */
  reconcileNowPaymentsMax: 100_000,
  /** How long an admin's comparison is returned again: two pages, and the file after one. */
  reconcileServesMs: 15 * MINUTE,
  /** How long an incomplete comparison is returned again; the gateway may be back soon. */
  reconcilePartServesMs: 30 * SECOND,
  /** How long comparisons are kept: as long as the events that they were made from. */
  reconciliationsKeptForMs: 400 * DAY,
  /** A receipt's link works for so long after the order's money last moved: a quarter's returns. */
  receiptLinkForMs: 90 * DAY,
  /**
   * STATUS gives a guest the receipt's link for so long after the payment was recorded: as long as
   * the page that paid may be open. A session's id stands in addresses and logs, and opens nothing
   * personal later.
   */
  receiptShownForMs: 30 * MINUTE,
  /** An ended link says for so long how to get the receipt; then it is unknown. */
  receiptLinksKeptForMs: 400 * DAY,
  /** A guest's cart is not paid again after this; the gateway's party is then made anew. */
  guestPartiesKeptForMs: 90 * DAY,
  /** How long digests of payers' numbers are kept: as long as the payments made with them. */
  payersKeptForMs: 400 * DAY,
  /** How long a limit in an operator's refusal is believed: limits change without notice. */
  operatorLimitKeptMs: 30 * DAY,
  /** The newest operations in which the gateway's own names of operators are searched: some ms. */
  operatorsSaidOf: 2_000,
  /** Names of operators that are read of all accounts: a country has some operators. */
  operatorsSaidMax: 100,
  /** An odd form of answer not met for so long has ended, or its operation is not used. */
  gatewayFormKeptMs: 30 * DAY,
  /**
   * Odd forms of answers kept per account. A gateway of another API would be odd in each field of
   * each of 59 operations; a gateway of this API has some dozens at most.
   */
  gatewayFormsMax: 200,
  /** Odd forms that the setup check names; the number of the others stands beside. */
  gatewayFormsShown: 5,
  /** Operations on one page of the admin: one screen, and some milliseconds of the database. */
  listPageMax: 100,
  /** Payments that one statement reads for the shop's own code, which may ask for all of an order. */
  queryPageMax: 1_000,
  /** Payments that the shop's own code gets if it names no number: Medusa's lists give 15. */
  queryPageUsual: 15,
  /** Operations are counted up to this; no admin pages through more. */
  listCountMax: 1_000,
  /** Results of a search that are sorted; with more, reading the list in order meets some soon. */
  listCandidatesMax: 5_000,
  /** Operations whose totals are added up for a page: some tenths of a second. */
  listTotalsMax: 10_000,
  /** Operations in one file of a list: a year of a busy shop, and some minutes. */
  listFileMax: 200_000,
  /** Events of one operation that are returned; the longest history has some dozens. */
  eventsShownMax: 500,
  /** The admin's note on a decision: a paragraph. */
  noteLengthMax: 1_000,
  /** How often a decision is retried when the operation changed in the meantime. */
  resolveTries: 4,
  /** A second admin confirms within this time, or the first one must ask again. */
  secondAdminWithinMs: DAY,
  /** What one admin refunds or sends in parts within this time counts as one sum. */
  movedTogetherMs: DAY,
  /** Tries when several admins or programs send from one account; each round one succeeds. */
  moneyOutTries: 50,
  /**
   * How long one nightly clean-up begins new statements. A day of ten payments a second takes a
   * part of it; what is left of a first one waits for the next night.
   */
  pruneWithinMs: 6 * HOUR,
} as const
