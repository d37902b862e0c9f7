/**
 * Every number that limits something, with its unit in its name and its reason beside it. Nothing but
 * this and the files of upkeep and of doors, which are part of it, holds such a number. Changing one
 * changes behaviour everywhere it applies.
 */
import { DOOR_LIMITS } from "./limits-of-doors"
import { UPKEEP_LIMITS } from "./limits-of-upkeep"
import { DAY, HOUR, MINUTE, SECOND } from "./time"

export const LIMITS = {
  /** A call that moves money. What comparable systems wait. */
  executeDeadlineMs: 30 * SECOND,
  /** As a collection's execution. */
  refundDeadlineMs: 30 * SECOND,
  /** A call that only reads. */
  readDeadlineMs: 10 * SECOND,
  /** Above the connect deadline, so that "could not connect" keeps its own error. */
  tokenDeadlineMs: 12 * SECOND,
  /** Half of a read's deadline: "could not connect" is known as such, and a read can try again. */
  connectDeadlineMs: 5 * SECOND,
  /** Where a caller sets a longer one for the whole: common proxies give up at 30 s, so nothing comes later. */
  headDeadlineMs: 30 * SECOND,
  /** A body that pauses for so long will not go on. */
  bodyPauseDeadlineMs: 5 * SECOND,
  /** Source, gateway session, payment account: a shopper is waiting. */
  recordDeadlineMs: 20 * SECOND,
  /** The whole of `start`; common proxies give up at 30 s. A slower execution goes on by itself. */
  shopperBudgetMs: 25 * SECOND,
  /** Whatever is left of the budget, a call gets at least this long. */
  shortestCallMs: SECOND,
  /** The largest answer is a receipt; anything above is not an answer of this API. */
  bodyLimitBytes: 1_048_576,
  /** A list has no pages: about 30,000 documents of half a kilobyte, the yield of some busy years. */
  listBodyLimitBytes: 16_777_216,
  /** Megabytes over a slow line; only jobs and the admin ask for lists. */
  listDeadlineMs: 30 * SECOND,

  /** A read changes nothing: two more tries outlive a hiccup and end before the deadline. */
  readTries: 3,
  /** Records (source, session, account) have no idempotency key: repeated only if never sent. */
  recordTries: 2,
  /** The ledger asks again, the client never does. */
  moneyTries: 1,
  /** The first pause between tries; it doubles, with jitter. */
  backoffBaseMs: 500,
  /** No pause is longer: it would eat the whole deadline. */
  backoffCapMs: 8 * SECOND,
  /** No pause is shorter: a retry at once meets the same fault. */
  backoffFloorMs: 250,
  /** How long `Retry-After` is obeyed by a job; longer ones are cut, and asked again. */
  retryAfterCapMs: 60 * SECOND,
  /** And by a call that a shopper waits for. */
  retryAfterShopperCapMs: 3 * SECOND,

  /** The gateway's own advice: a new token when fewer than 5 minutes remain. */
  tokenRefreshBeforeMs: 5 * MINUTE,
  /** For tokens that live so short that 5 minutes would be all of it. */
  tokenRefreshBeforeFraction: 0.2,
  /** Token lives outside of these are absurd, and not believed. */
  tokenMinutesMin: 1,
  /** A day. */
  tokenMinutesMax: 1_440,
  /** Taken when `expires_in` is absurd: short enough to be safe, long enough not to loop. */
  tokenMinutesFallback: 5,
  /** A failed token call answers everybody who waits for one, instead of each asking again. */
  tokenNegativeCacheMs: 2 * SECOND,
  /** A gateway that answers 401 to a new token would otherwise be asked for tokens without end. */
  tokenAfter401EveryMs: 10 * SECOND,
  /** After so many token failures in a row a new `start` is refused at once; checks go on. */
  tokenFailuresBeforeRefusal: 5,
  /** One shopper in so long finds out whether the token service is back. */
  breakerRetryMs: 10 * SECOND,

  /** More than checks and shoppers need at once; a bound, not an aim. */
  connectionsPerOrigin: 64,
  /** Lines of one document that are added side by side: one shopper must not take the whole pool. */
  linesInFlight: 8,
  /** Shoppers seldom come further apart in a busy shop; a kept connection saves the TLS handshake. */
  keepAliveMs: 30 * SECOND,

  /** Execute 30 s + token 12 s + status 10 s + slack; the cart lock's ttl is 120 s too. */
  leaseMs: 2 * MINUTE,
  /** Until `submitted`: a dead `start` must not hold the shopper for two minutes. */
  startLeaseMs: 35 * SECOND,
  /** A quote is shown for so long at most: the gateway binds itself to none. */
  quoteShownMs: 5 * MINUTE,
  /** Half of the shortest gap: a look is never later than this by the job's doing. */
  checkEveryMs: SECOND,
  /** What one claim takes at most, so that other workers find work, too. */
  checksPerRun: 50,
  /** Goes to what has been due longest, whoever waits on screen: slowly is not never. */
  byAgeFraction: 0.2,
  /** Questions at once to an account: half of the connections to its gateway, the other half is the shoppers'. */
  checksInFlight: 32,
  /** Payments that Medusa is told of at once: its workflows share the shop's ten database connections. */
  settlesInFlight: 8,
  /** Looks that changed nothing wait so long for others, to be written in one statement. */
  looksWrittenWithinMs: 50,
  /** A job that never ends would be mistaken for a hanging one; the next tick goes on. */
  passMs: 30 * SECOND,
  /** Checks that are still under way then go on by themselves: what is due meanwhile waits for none of them. */
  passLeavesAfterMs: SECOND,
  /** A call into Medusa. No workflow of its own takes so long; a shop's hook without a time limit may never end. */
  hostCallMs: MINUTE,
  /** Checks of a group that wait for Medusa beyond it: each holds memory and maybe a connection. */
  unansweredMax: 32,
  /** The lease of a check under way is kept so often: a quarter of it. */
  leaseKeptEveryMs: 30 * SECOND,
  /** Told to end, the process waits so long for the looks under way: a deploy kills after 10 s. */
  endWithinMs: 8 * SECOND,
  /** A look that begins later could outlive its lease: a quarter of it, and the shoppers come first. */
  beginLooksWithinMs: 30 * SECOND,
  /** Where learning begins; the account's own bound, 20 unless it says otherwise, is where it ends. */
  checksPerSecondFirst: 5,
  /** However often the gateway says 429: slower would leave payments unasked for too long. */
  checksPerSecondMin: 1,
  /** One more question a second after so long of full use: from 5 to 20 in two and a half minutes. */
  checksRaiseEveryMs: 10 * SECOND,
  /** The answers to what was asked before a halving are no reason for another; a read's deadline. */
  checksHalveEveryMs: 10 * SECOND,
  /** A worker's sign of life is written so often, and not each second, for the idle shop's sake. */
  heartbeatEveryMs: 10 * SECOND,
  /** Three signs of life missed: the worker counts as gone. */
  workerGoneAfterMs: 30 * SECOND,
  /** Processes seen side by side for longer are no restart and no rolling deploy. */
  workersTogetherMs: 2 * MINUTE,
  /** Until then a worker that is gone can still be named. */
  workerForgottenMs: DAY,

  /** A statement that surely did nothing (a deadlock, no connection) is tried so often. */
  databaseTries: 3,
  /** The ceiling of the first pause between them; it doubles, with full jitter. */
  databasePauseMs: 50,
  /** With the database away the pauses of the job double from a second up to this one. */
  databaseAwayCapMs: 15 * SECOND,

  /** Time to find the phone and the PIN; the account's option replaces it. */
  pushWindowMs: 30 * MINUTE,
  /** The page has more to read and to choose; the account's option replaces it. */
  hostedWindowMs: HOUR,
  /** Sent by message, read in the evening, paid the next day; seen closed a day before `collectionAskMs`. */
  linkWindowMs: 2 * DAY,
  /** A link may be paid at any moment of its days: its order must not wait for a gap that grew with its age. */
  linkCheckCapMs: 10 * MINUTE,
  /** Waited for who is at the same order or cart: Medusa needs about a second for it, and a person waits. */
  orderLockMs: 10 * SECOND,
  /** How often a lock that is taken is tried; Medusa's own workflows try a little less often. */
  lockRetryMs: 200,
  /** Medusa's lock of a cart while we read it: some reads, and then some. */
  cartReadLockMs: 30 * SECOND,
  /** A purchase that a worker changes in Medusa; renewed each third of it, so that two may be missed. */
  purchaseLeaseMs: MINUTE,
  /** Another worker is at it: Medusa's workflows take a second or two. */
  purchaseBusyMs: 2 * SECOND,
  /** The same link is sent once more at most so often: a second click is none. */
  linkResendEveryMs: MINUTE,

  /** A source with less time left is not tried again: a whole `start`, the phone and the PIN must fit. */
  sourceReuseLeftMs: 100 * SECOND,

  /** Second look after the first FAILED, before the collection is free again. */
  failedSecondLookMs: 5 * SECOND,
  /** The longest body of a request to a route of ours: as Medusa's own parser, far above what any needs. */
  requestBodyBytes: 102_400,
  /** Looks after `failed`: money that comes all the same is found. */
  failedWatchMs: [2 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY],
  /** Looks after `expired`, where it is less likely. */
  expiredWatchMs: [5 * MINUTE, HOUR, DAY, 3 * DAY],
  /** 404s alone end nothing; after so long without a trace the source is closed and decides. */
  neverLandedAfterMs: 15 * MINUTE,
  /** So long after the first sending the shopper is told, if nothing landed and the source can be closed. */
  landWithinMs: MINUTE,
  /** Two 404s so far apart send the same reference again if its source reads payable: above a usual lag. */
  absentWitnessedAfterMs: 5 * SECOND,
  /** Two 404s so far apart send the same reference again where no source bears witness. */
  absentConfirmAfterMs: MINUTE,
  /** Without a witness the same reference goes out at most so often. */
  resendEveryMs: MINUTE,

  /** Never asked more often than this while a shopper waits: the gateway's advice is 2 to 5 s. */
  waitingCheckFloorMs: 2 * SECOND,
  /** How long "at first" is, in that advice; most confirmations come within. */
  waitingEarlyMs: MINUTE,
  /** And never less often than this in it, whatever the shop's own history says. */
  waitingEarlyCapMs: 5 * SECOND,
  /** Later, however unlikely the confirmation has become: a shopper looks at the screen. */
  waitingCheckCapMs: 30 * SECOND,
  /** A run of the job that comes some milliseconds early counts as on time; else it is a second late. */
  tickSlackMs: 20,
  /** Confirmed payments that tell how long payers take; older ones are another season's. */
  historyPayments: 200,
  /** Nothing older: operators change. */
  historyForMs: 60 * DAY,
  /** How long a read of that history serves: it moves over days. */
  historyCacheMs: 15 * MINUTE,
  /** A shopper counts as on screen so long after the last sign of life. */
  waitingForgottenMs: 5 * MINUTE,
  /** How long a read of the account table serves. */
  accountsCacheMs: 5 * SECOND,
  /** Admins who make an account the default at the same moment: each round one of them has done it. */
  makeDefaultTries: 10,
  /** A connection test as a whole: a person looks at a spinner, and proxies give up at 30 s. */
  connectionTestMs: 15 * SECOND,
  /** The gateway's clock may differ so much: its `Date` has whole seconds, and the way there takes some. */
  clockDifferenceMs: 30 * SECOND,
  /** A token that lives shorter is asked for so often that an outage of the token service is felt. */
  tokenMinutesShort: 5,
  /** The same question while somebody types, or a page is drawn again. */
  quoteCacheMs: 15 * SECOND,
  /** Quotes kept at once: shoppers with carts of their own. */
  quotesKeptMax: 1_000,
  /** Rates move by the day; a page that is opened again asks for forty of them. */
  feesCacheMs: 5 * MINUTE,
  /** One for each account. */
  feesKeptMax: 50,
  /** All rates of one page: a person looks at a spinner. */
  feesDeadlineMs: 15 * SECOND,
  /** The setup check counts the gateway's errors over so long: some calls of a quiet shop are in it. */
  healthCallsWithinMs: 15 * MINUTE,
  /** Fewer calls than this say nothing about a share of them. */
  healthCallsMin: 10,
  /** One call in twenty that fails is trouble that shoppers notice. */
  healthErrorsFraction: 0.05,
  /** And at one in two hardly a payment comes through. */
  healthErrorsFailedFraction: 0.5,
  /** A payment that is due and not looked at for so long: the workers do not keep up. */
  healthOldestDueMs: MINUTE,
  /** How the gateway's calls went is written so often: an idle shop makes none, and writes nothing. */
  callCountsEveryMs: 10 * SECOND,
  /** And kept so long: a night without a payment still tells when the gateway last answered. */
  callCountsKeptForMs: DAY,
  /** That a shopper waits is written again after so long; the page asks more often. */
  waitingRefreshMs: 20 * SECOND,
  /** Nobody waiting: the gaps, by the age of the payment. */
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
  /** So that what began together is not asked for together. */
  checkJitterFraction: 0.1,
  /** The sum of the list above, roughly: then a person looks. */
  collectionAskMs: 3 * DAY,

  /** How long the gateway may execute a refund session: a quarter of an hour outlives any outage of ours. */
  refundSessionMs: 15 * MINUTE,
  /** So long after its session is over a refund must read 404 before it counts as never landed. */
  refundAbsentMs: 5 * MINUTE,
  /** From the reserve to the sending; opening the session takes 20 s at most. */
  refundDraftLeaseMs: 35 * SECOND,
  /** Medusa's own workflows wait for a refund: looked at after 1 s and 3 s, then so long at most. */
  refundAnswerMs: 20 * SECOND,
  /** The gaps between the looks at a refund, by its age; after the last a person looks. */
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
  /** The sum of the list above, roughly: then a person looks. */
  refundAskMs: 3 * DAY + 7 * HOUR,
  /** So soon after Medusa was told of a refund that it did not ask for first, its books are read. */
  refundAdoptedLookMs: 5 * SECOND,
  /** No fee takes more of a refund. USD, LRD and RWF that are mixed up are off by far more. */
  refundFeePercentMax: 50,
  /** Two clicks that read the same ledger: the second reads again, and one of them wins each time. */
  refundReserveTries: 20,
  /** Medusa's books are read so soon after a refund ended, and so often until Medusa has written it all. */
  refundHostLookMs: 5 * SECOND,
  /** So long after our answer Medusa has written row, transaction and credit line, or its process died. */
  refundHostQuietMs: MINUTE,
  /** A refund row of Medusa's that nobody asked for by then is of a process that died: five leases. */
  refundRowAbandonedMs: 10 * MINUTE,
  /** Sweeps look for such rows among those so young: a store that was down for a holiday. */
  refundRowsSweptMs: 7 * DAY,
  /** The refund workflow refused so often: an order that is being edited takes no credit line from it. */
  refundWorkflowTries: 3,
  /** Medusa said no to a refund that went back more often than settling tries: then every so long. */
  refundHostSlowRetryMs: 6 * HOUR,
  /** Taken where the gateway does not say how long a payout session lives: far longer than one call needs. */
  payoutSessionMs: HOUR,
  /** How long the gateway may execute a transfer session: as a refund's. */
  transferSessionMs: 15 * MINUTE,

  /** Nothing could be sent for a policy (the gateway was away); tried again so often, then left to a person. */
  policyRefundRetryMs: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY],

  /** Settling: Medusa said no or was not reachable; tried again so often, then stranded. */
  settleRetryMs: [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  /** Its payment session is missing: read again so often until it is surely gone (`sessionGoneAfterMs`). */
  sessionMissingRetryMs: 5 * SECOND,
  /** Missed longer ago than this, the session came back meanwhile: the minute begins anew. */
  sessionMissingForgottenMs: 10 * MINUTE,

  /** An unpaid order that can't be closed yet, because a source still moves, is looked at again. */
  orderCloseRetryMs: MINUTE,
  /** And then after a tenth of the time that it waits already: each look asks for all of its payments. */
  orderCloseBackoffFraction: 0.1,
  /** But never later than this: its stock is held as long. */
  orderCloseRetryCapMs: HOUR,

  /** A return visit may bring the next check forward, at most so often. */
  returnVisitEveryMs: 3 * SECOND,
  /** A cart edited again and again asks the gateway at most so often; as a return visit. */
  changeLookEveryMs: 3 * SECOND,
  /** A look that failed on our side (the database, the host) is begun again. */
  lookFailedRetryMs: 15 * SECOND,
  /** Gateway texts kept in the ledger. */
  messageLengthMax: 500,
  /** Fields that no contract names, kept of one answer and of each object in it; answers have a dozen. */
  otherFieldsMax: 30,
  /** All of them as JSON: an event that can be read, whatever the gateway writes. */
  otherFieldsLengthMax: 2_000,
  /** One of their texts, or a name: an id or a sentence. */
  otherFieldLengthMax: 120,
  /** Refused fields kept of one answer. */
  fieldProblemsMax: 20,
  /** All of a phone number that is ever kept or shown. */
  phoneDigitsShown: 3,
  /** After an end, a look that got no answer is repeated, so that an outage does not use the watch up. */
  watchRetryMs: 15 * MINUTE,
  /** And so long at most. */
  watchForMs: 7 * DAY,

  /** Events told to the shop's bus at once; a full helping is followed by another in the same pass. */
  announcedAtOnce: 100,
  /** A bus that has not taken them by then is away: the job has payments to look at. */
  announceWithinMs: 5 * SECOND,
  /** Claimed for so long: above what the bus is given, so that a live worker seldom tells twice. */
  announceLeaseMs: 30 * SECOND,

  /** How often a receipt is looked for: it is for reading, and its questions are the payments' as well. */
  receiptsEveryMs: 5 * SECOND,
  /** Receipts of one run: a worker asks for two a second at most, a tenth of the account's bound. */
  receiptsPerRun: 5,
  /** The gateway has none yet, or does not answer; tried again so often, then there is none. */
  receiptRetryMs: [15 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, 3 * DAY],

  ...DOOR_LIMITS,
  ...UPKEEP_LIMITS,
} as const
