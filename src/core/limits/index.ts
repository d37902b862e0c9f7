/**
 * Every number that limits something, with its unit in its name and its reason beside it. Such
 * numbers stand in this folder, and those of the gateway's client in its `terms/limits.ts`. A
 * change applies everywhere.
 */
import { LIMITS as CLIENT_LIMITS } from "../../../packages/gateway/src/terms/limits"
import { NOTIFICATION_LIMITS } from "./notifications"
import { SHOPPER_LIMITS } from "./shoppers"
import { DAY, HOUR, MINUTE, SECOND } from "./time"
import { TOKEN_LIMITS } from "./tokens"
import { UPKEEP_LIMITS } from "./upkeep"

export const LIMITS = {
  /** The whole of `start`; proxies give up at 30 s. A slower execution continues on its own. */
  shopperBudgetMs: 25 * SECOND,
  /** The shortest deadline of a call, whatever is left of the budget. */
  shortestCallMs: SECOND,

  /** After this many token failures in a row a new `start` is refused at once; checks continue. */
  tokenFailuresBeforeRefusal: 5,
  /** After this time one shopper's `start` tries whether the token service is back. */
  breakerRetryMs: 10 * SECOND,
  /** How long texts are sent in plain form after the gateway refused one as it was written. */
  plainTextsMs: DAY,
  /** Lines of one source added in parallel; one shopper must not take the whole pool. */
  linesInFlight: 8,

  /** An operation's lease: execute 30 s, token 12 s, status 10 s, and a margin of their length. */
  leaseMs: 2 * MINUTE,
  /** A start's lease until `submitted`: a crash must not block the shopper for two minutes. */
  startLeaseMs: 35 * SECOND,
  /** How long a quote is displayed at most; the gateway is not bound by it. */
  quoteShownMs: 5 * MINUTE,
  /** The job's interval: half of the shortest gap, so that it delays no check by more than that. */
  checkEveryMs: SECOND,
  /**
   * How often Medusa's schedule gives a process the turn to run a job's passes. Medusa writes each
   * run of a schedule into the database, so it is asked once a minute and not once a pass.
   */
  turnEveryMs: MINUTE,
  /** How long a turn lasts: the next one may come late, because the shop's own jobs are before it. */
  turnMs: 90 * SECOND,
  /** Without a turn, a process runs a job whose last pass began here so many intervals ago. */
  passLateAfter: 2,
  /** How often the own clock looks for late passes: a fraction of the shortest interval. */
  ownTickMs: 250,
  /** How often a shop in which nobody pays is asked what is due: every second tick. */
  quietAskedEveryMs: 2 * SECOND,
  /** No check within this time: nobody pays just now. The gaps of open payments are shorter. */
  quietWithoutCheckMs: MINUTE,
  /** How long receipts and notifications trust what the checks have read: half their interval. */
  dueKnownForMs: 2_500,
  /** Operations of an account that one claim takes at most, so that other workers find work. */
  checksPerRun: 50,
  /** The share of a claim for the longest due operations, even while shoppers wait. */
  byAgeFraction: 0.2,
  /** Questions at once per account: half of its connections; shoppers have the other half. */
  checksInFlight: 32,
  /** Payments recorded at once: Medusa's workflows share the shop's ten connections. */
  settlesInFlight: 8,
  /** Checks without a change wait this long, so that several are written in one statement. */
  checksWrittenWithinMs: 50,
  /** The longest pass of the job; the next tick continues. A longer pass would seem to hang. */
  passMs: 30 * SECOND,
  /** A pass ends so long after its last claim; slow checks continue alone and delay no others. */
  passLeavesAfterMs: SECOND,
  /** The wait for Medusa's answer: its own workflows are faster; a shop's hook may never end. */
  medusaCallMs: MINUTE,
  /** Checks of a group that outlive their pass; each holds memory, maybe a connection. */
  unansweredMax: 32,
  /** How often the lease of a running check is renewed: a quarter of the lease. */
  leaseKeptEveryMs: 30 * SECOND,
  /** How long the process waits for running checks when it ends; a deploy kills it after 10 s. */
  endWithinMs: 8 * SECOND,
  /** No receipt of a claim begins later: it could outlive the claim, of which this is a quarter. */
  beginChecksWithinMs: 30 * SECOND,
  /** An account's bound by default: about a hundred payments a minute, a dozen questions each. */
  checksPerSecondMax: 20,
  /** How often a worker writes its sign of life, by a timer of its own. */
  heartbeatEveryMs: 5 * SECOND,
  /** After three missed signs of life a worker is silent: others may take what it holds. */
  workerSilentAfterMs: 15 * SECOND,
  /** A worker that is silent for so long counts as gone; so do passes that do not come. */
  workerGoneAfterMs: 30 * SECOND,
  /** Processes that run side by side for longer than this are no restart or rolling deploy. */
  workersTogetherMs: 2 * MINUTE,
  /** How long a worker that is gone is still listed. */
  workerForgottenMs: DAY,
  /** A worker that died is missed for as long: by then it was started again, or is not wanted. */
  workersExpectedMs: 10 * MINUTE,
  /** A monitor counts no further: by then the number says enough, and each row costs a read. */
  gaugesCountMost: 10_000,

  /** How often a statement is tried that certainly did nothing (a deadlock, no connection). */
  databaseTries: 3,
  /** The ceiling of the first pause between these tries; it doubles, with full jitter. */
  databasePauseMs: 50,
  /** When a request that met no database may be sent again: a failover takes some seconds. */
  databaseAwayMs: 5 * SECOND,
  /** While the database is down, the job's pauses double from a second up to this. */
  databaseAwayCapMs: 15 * SECOND,
  /** While tables are missing, how often statements ask again: a migration takes seconds. */
  tablesAskedEveryMs: 2 * SECOND,
  /** How long a probe's answer counts: anyone may ask, and each second is often enough. */
  readyKeptMs: SECOND,
  /** How long a probe waits for the database: less than what probes wait for an answer. */
  readyWithinMs: 800,
  /** Missing things that a line names; the number of the others stands beside. */
  tablesMissingShown: 8,

  /** How long a prompt can be paid: time for phone and PIN. The account's option replaces it. */
  pushWindowMs: 30 * MINUTE,
  /** How long a page can be paid: more to read and to choose. The account's option replaces it. */
  hostedWindowMs: HOUR,
  /** How long a link can be paid: many pay the next day. It ends before `collectionAskMs`. */
  linkWindowMs: 2 * DAY,
  /** The longest gap between checks of a link, which may be paid at any moment. */
  linkCheckCapMs: 10 * MINUTE,
  /** The wait for a shop's own check of a cart before it is paid; the shopper waits as long. */
  cartCheckMs: 10 * SECOND,
  /** The wait for another request with the same order or cart; Medusa needs about a second. */
  orderLockMs: 10 * SECOND,
  /** How often a taken lock is tried; Medusa's own workflows try a little less often. */
  lockRetryMs: 200,
  /** How long the plugin may hold Medusa's lock of a cart: for several reads, with a margin. */
  cartReadLockMs: 30 * SECOND,
  /** How long a change of a cart counts as under way; proxies give up at 30 s. */
  cartChangeMs: 30 * SECOND,
  /** How long a start waits for it: a change takes Medusa a fraction of a second. */
  cartChangeAwaitedMs: 8 * SECOND,
  /** The lease of a purchase; renewed after each third, so that two renewals may fail. */
  purchaseLeaseMs: MINUTE,
  /** The wait when another worker has the purchase: Medusa's workflows take a second or two. */
  purchaseBusyMs: 2 * SECOND,
  /** How often a link may be sent again, so that a second click does nothing. */
  linkResendEveryMs: MINUTE,

  /** With less time left a source is not reused: a whole `start`, phone and PIN must fit. */
  sourceReuseLeftMs: 100 * SECOND,

  /** From the first FAILED to the check that confirms it; then the shopper can pay again. */
  failedSecondCheckMs: 5 * SECOND,
  /** The longest request body: the limit of Medusa's own parser, far above any need. */
  requestBodyBytes: 102_400,
  /** What is read of a longer body, so that its sender hears the refusal; then it is cut. */
  requestBodyReadBytes: 1_048_576,
  /** The wait for the end of a request body: the longest body on a line of 4 kB a second. */
  requestBodyMs: 30 * SECOND,
  /**
   * Checks after `failed` while the shopper is still on the page, counted from the failure: the
   * page offers to pay again meanwhile, and a phone's late yes comes about a minute later.
   */
  failedOnScreenMs: [10 * SECOND, 20 * SECOND, 40 * SECOND, 70 * SECOND],
  /** Checks after `failed`, to find money that still comes. */
  failedWatchMs: [2 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY],
  /** Checks after `expired`, where late money is less likely. */
  expiredWatchMs: [5 * MINUTE, HOUR, DAY, 3 * DAY],
  /**
   * After this time without an end, each check asks about the payment's source, too, which costs
   * one more question. Two of three payers have answered by then.
   */
  sourceAskedAfterMs: 2 * MINUTE,
  /** How long a source may read paid ahead of its execution before an admin has to decide. */
  paidAheadMs: 2 * MINUTE,
  /** After this time without a trace of its execution a source is closed; a 404 ends nothing. */
  neverLandedAfterMs: 15 * MINUTE,
  /** The shopper hears after this time that nothing arrived, if the source can be closed. */
  landWithinMs: MINUTE,
  /** Two 404s this far apart send the same reference again if its source reads payable. */
  absentWitnessedAfterMs: 5 * SECOND,
  /** Two 404s this far apart send the same reference again where the source can't be read. */
  absentConfirmAfterMs: MINUTE,
  /** How long new credentials are not tried again for a payment that their answer contradicted. */
  contradictionForMs: MINUTE,
  /** Contradicted payments that are remembered; each further one costs a question at a check. */
  contradictionsMax: 10_000,
  /** How often the same reference is sent again where the source can't be read. */
  resendEveryMs: MINUTE,

  /** The shortest gap while a shopper waits: the gateway advises 2 to 5 s. */
  waitingCheckFloorMs: 2 * SECOND,
  /**
   * The gap while a shopper waits, by the age of the prompt: half of the payers confirm within
   * 25 s, and 19 of 20 within 4 minutes. The last gap holds while the shopper watches the screen.
   */
  waitingChecksMs: [
    { untilMs: 30 * SECOND, gapMs: 2_250 },
    { untilMs: MINUTE, gapMs: 2_750 },
    { untilMs: 3 * MINUTE, gapMs: 3_750 },
    { untilMs: 8 * MINUTE, gapMs: 5 * SECOND },
    { untilMs: Infinity, gapMs: 10 * SECOND },
  ],
  /** Two checks at most this far apart tell when the payer confirmed. */
  confirmedWithinMs: 5 * SECOND,
  /** A tick that is this early counts as on time; else its checks come a second late. */
  tickSlackMs: 20,
  /** How many of the last refunds tell how long one takes, and how few are enough to show it. */
  refundTimesOf: 20,
  refundTimesMin: 5,
  /** A shopper counts as waiting for this long after the last sign of life. */
  waitingForgottenMs: 5 * MINUTE,
  /** How long a read of the account table is used. */
  accountsCacheMs: 5 * SECOND,
  /** Tries when several admins make an account the default at once; each round one succeeds. */
  makeDefaultTries: 10,
  /** A whole connection test: an admin is waiting, and proxies give up at 30 s. */
  connectionTestMs: 15 * SECOND,
  /** The gateway's clock may differ by this: its `Date` has whole seconds and takes time. */
  clockDifferenceMs: 30 * SECOND,
  /** A token with a shorter life is renewed so often that an outage of tokens is felt. */
  tokenMinutesShort: 5,
  /** How long an equal quote is answered from memory: a shopper types, or a page reloads. */
  quoteCacheMs: 15 * SECOND,
  /** Quotes in memory, one per cart. */
  quotesKeptMax: 1_000,
  /** How long fee rates are kept: they change by the day, and opening the page asks for forty. */
  feesCacheMs: 5 * MINUTE,
  /** Fee rates in memory, one entry per account. */
  feesKeptMax: 50,
  /** All fee rates of one page: an admin is waiting. */
  feesDeadlineMs: 15 * SECOND,
  /** The setup check counts the gateway's errors over this time; a quiet shop has a few calls. */
  healthCallsWithinMs: 15 * MINUTE,
  /** Fewer calls than this say nothing about a rate of errors. */
  healthCallsMin: 10,
  /** The share of failed calls from which the setup check warns: shoppers notice it. */
  healthErrorsFraction: 0.05,
  /** The share of failed calls from which the setup check fails: hardly a payment succeeds. */
  healthErrorsFailedFraction: 0.5,
  /** A payment that has been due for this long shows that the workers do not keep up. */
  healthOldestDueMs: MINUTE,
  /** How often counts of the gateway's calls are written; an idle shop writes nothing. */
  callCountsEveryMs: 10 * SECOND,
  /** How long counts of calls are kept: a night without payments still shows the last answer. */
  callCountsKeptForMs: DAY,
  /** How often the ledger notes that a shopper waits; the page asks more often. */
  waitingRefreshMs: 20 * SECOND,
  /** The gaps while no shopper waits, by the age of the payment. */
  collectionChecksMs: [
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    30 * SECOND,
    MINUTE,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    DAY,
  ],
  /** Spreads checks of payments that began together. */
  checkJitterFraction: 0.1,
  /** How long a collection is checked, roughly the sum of its gaps; after it an admin decides. */
  collectionAskMs: 3 * DAY,

  /** How long a refund session may be executed; it outlives an outage of this server. */
  refundSessionMs: 15 * MINUTE,
  /** A refund must read 404 this long after its session ended before it counts as never arrived. */
  refundAbsentMs: 5 * MINUTE,
  /** A refund's lease from reserve to sending; opening its gateway session takes at most 20 s. */
  refundDraftLeaseMs: 35 * SECOND,
  /** How long Medusa's workflow waits for a refund; it is checked after 1 s and 3 s first. */
  refundResponseMs: 20 * SECOND,
  /** The gaps between the checks of a refund, by its age; after the last an admin decides. */
  refundChecksMs: [
    SECOND,
    2 * SECOND,
    3 * SECOND,
    6 * SECOND,
    8 * SECOND,
    MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    HOUR,
    6 * HOUR,
    DAY,
    DAY,
    DAY,
  ],
  /** How long a refund is checked, roughly the sum of the gaps above; after it an admin decides. */
  refundAskMs: 3 * DAY + 7 * HOUR,
  /** When Medusa's records are read after Medusa asked for a refund that was under way already. */
  refundAdoptedCheckMs: 5 * SECOND,
  /** The largest fee of a refund, in per cent. A mix-up of USD, LRD and RWF is off by far more. */
  refundFeePercentMax: 50,
  /** Tries of refunds that read the same ledger at once; each round one of them succeeds. */
  refundReserveTries: 20,
  /** How often Medusa's records are read after a refund, until all of the refund is written. */
  refundMedusaCheckMs: 5 * SECOND,
  /** A refund's row, transaction and credit line are written by then, or Medusa's process died. */
  refundMedusaQuietMs: MINUTE,
  /** A refund row of Medusa's without a request by then is of a dead process: five leases. */
  refundRowAbandonedMs: 10 * MINUTE,
  /** How old such an abandoned row may be for sweeps to find it: a store down for a holiday. */
  refundRowsSweptMs: 7 * DAY,
  /** Tries of Medusa's refund workflow: an order under edit takes no credit line from it. */
  refundWorkflowTries: 3,
  /** The gap after `settleRetryMs` if Medusa still refuses a refund that the gateway made. */
  refundMedusaSlowRetryMs: 6 * HOUR,
  /** A payout session's life where the gateway names none: far longer than a call needs. */
  payoutSessionMs: HOUR,
  /** How long a transfer session may be executed, the same as a refund's. */
  transferSessionMs: 15 * MINUTE,

  /** Gaps between tries of a refund by policy while the gateway is down; then an admin decides. */
  policyRefundRetryMs: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY],

  /** Gaps between tries to settle while Medusa can't be asked; after the last an admin decides. */
  settleRetryMs: [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  /** After so many refusals, or equal errors, of Medusa an admin decides; it takes a minute. */
  settleRefusedTries: 3,
  /** How often a missing session is read again, until `sessionGoneAfterMs` have passed. */
  sessionMissingRetryMs: 5 * SECOND,

  /** The next check of an unpaid order that a payable source still keeps open. */
  orderCloseRetryMs: MINUTE,
  /** Later gaps, as a share of the time that the order has waited; a check asks many questions. */
  orderCloseBackoffFraction: 0.1,
  /** The longest gap between checks of an unpaid order: the order holds its stock meanwhile. */
  orderCloseRetryCapMs: HOUR,

  /** How often a return visit may bring the next check forward. */
  returnVisitEveryMs: 3 * SECOND,
  /** How often edits of a cart may bring its check forward, as often as return visits may. */
  changeCheckEveryMs: 3 * SECOND,
  /** When a check is repeated that failed on this side (the database, Medusa). */
  checkFailedRetryMs: 15 * SECOND,
  /** The longest note on a source: a phone shows little more, and no length is documented. */
  sourceNoteMax: 100,
  /** The gap after an unanswered check of an ended payment: an outage uses up none of its list. */
  watchRetryMs: 15 * MINUTE,
  /** How long unanswered checks of an ended payment are repeated. */
  watchForMs: 7 * DAY,

  /** Announcements sent at once; a full batch is followed by another in the same pass. */
  announcedAtOnce: 100,
  /** An event bus that accepts no batch within this time is down; the job returns to payments. */
  announceWithinMs: 5 * SECOND,
  /** A batch's lease: longer than the bus may take, so a live worker seldom announces twice. */
  announceLeaseMs: 30 * SECOND,

  /** How often receipts are fetched: they are for reading, and use the same budget as payments. */
  receiptsEveryMs: 5 * SECOND,
  /** Receipts of one run: with one run a cluster, twice of ten payments a second. */
  receiptsPerRun: 100,
  /** Receipts that one worker fetches at once for an account, with two questions each. */
  receiptsAtOnce: 10,
  /** When a receipt is due again whose account has no question to spare for it. */
  receiptUnaskedMs: 5 * SECOND,
  /** When a receipt is asked for again that the gateway does not have: 404 is heard three times. */
  receiptMissingRetryMs: [2 * MINUTE, 6 * HOUR],
  /** Retries if the gateway does not answer; after the last there is none. */
  receiptRetryMs: [15 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, 3 * DAY],

  ...CLIENT_LIMITS,
  ...NOTIFICATION_LIMITS,
  ...SHOPPER_LIMITS,
  ...TOKEN_LIMITS,
  ...UPKEEP_LIMITS,
} as const
