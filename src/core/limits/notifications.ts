/** Limits of what is told to people. No payment waits for any of it. */
import { DAY, HOUR, MINUTE, SECOND } from "./time"

export const NOTIFICATION_LIMITS = {
  /** Test messages of the shop: as many at once as there are channels to try, then one each so often. */
  testMessagesAtOnce: 5,
  testMessageEveryMs: 20 * SECOND,
  /** How often events are turned into notifications and due ones are sent: people wait seconds. */
  notifyEveryMs: 5 * SECOND,
  /** Events turned into notifications by one statement; a full batch is followed by another. */
  notifiedAtOnce: 100,
  /** Notifications of one channel that are sent side by side: a provider's usual rate is higher. */
  notificationsAtOnce: 5,
  /** Batches of one channel in one run; the rest of a burst follows in the next one. */
  notificationBatchesPerRun: 20,
  /** A provider that has not answered within this time counts as late: calls take a second or two. */
  notifyWithinMs: 10 * SECOND,
  /** A sender's claim: longer than Medusa and a provider may take, so that two never send one. */
  notificationLeaseMs: 2 * MINUTE,
  /** Gaps between tries; the last one goes on until the notification is given up. */
  notificationRetryMs: [
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
  ],
  /** News older than a day is in the admin anyway. A row given up is shown in the settings. */
  notificationGivenUpMs: DAY,
  /** How long news of money waits for its order's number: orders are made within seconds. */
  notificationOrderWaitMs: 30 * SECOND,
  /**
   * How long news of a payment waits while all of it is to go back: a refund without an answer is
   * given to an admin after three days, who may take days to decide.
   */
  notificationRefundWaitMs: 7 * DAY,
  /** How long a question waits for an account's rule to answer it: a rule is applied in seconds. */
  notificationRuleWaitMs: 2 * MINUTE,
  /** How long what was told is kept: long enough to answer "why did I get this message". */
  notificationsKeptForMs: 90 * DAY,
  /** Notifications that were not told, as the settings list them. */
  notificationProblemsShown: 20,
  /** Changes of the settings that are shown. */
  notificationChangesShown: 20,
  /** Recipients of a shop: its people, each by a few channels. Each event makes a row for each. */
  notificationRecipientsMax: 30,
  /** The length of a provider's own words in the ledger. */
  notificationProblemLength: 300,
  /**
   * An operator's tries that count: began within this time. Shorter, and a shop with a sale each
   * minute never has enough of them; longer, and the trouble is told when it is over.
   */
  operatorTroubleWithinMs: 30 * MINUTE,
  /** How long shoppers are told what a process has read of it: less than it takes to see it. */
  disruptedKeptMs: 5 * SECOND,
  /** A hidden method is offered to one more cart each so often, so that it is tried: of all carts. */
  disruptedTriedEveryMs: 30 * SECOND,
  /** How long that cart goes on being offered it: a shopper who reads the page anew still sees it. */
  disruptedOfferKeptMs: 15 * MINUTE,
  /** How often each worker compares the operators: it reads all payments of half an hour. */
  operatorWatchEveryMs: MINUTE,
  /** Fewer ended tries prove nothing: two shoppers with bad luck are no outage. */
  operatorTroubleLeast: 5,
  /** More than half of the ended tries failed for the operator's own reason. */
  operatorTroubleShare: 0.5,
  /** The trouble is over below this share: not the one above, or a share of half would flap. */
  operatorRecoveredShare: 0.25,
  /** How often each process looks whether the job still runs. */
  jobWatchEveryMs: MINUTE,
  /** A job without a sign of life for so long is told; a deployment takes less. */
  jobGoneAfterMs: 5 * MINUTE,
} as const
