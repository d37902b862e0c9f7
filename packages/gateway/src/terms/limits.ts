/**
 * Every number that limits something in the client, with its unit in its name and its reason beside
 * it. The plugin has its own numbers beside these, under the same name.
 */
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const LIMITS = {
  /** A call that moves money; the usual timeout of comparable systems. */
  executeDeadlineMs: 30 * SECOND,
  /** A refund's call moves money as well: the same deadline as a collection's. */
  refundDeadlineMs: 30 * SECOND,
  /** A call that only reads. */
  readDeadlineMs: 10 * SECOND,
  /** Until a connection stands: half of a read's deadline, so that a read can try once more. */
  connectDeadlineMs: 5 * SECOND,
  /** Until an answer's headers arrive, even where a call has longer: proxies give up at 30 s. */
  headDeadlineMs: 30 * SECOND,
  /** A body that pauses for this long will not continue. */
  bodyPauseDeadlineMs: 5 * SECOND,
  /** A call for a source, a gateway session or a payment account: a shopper is waiting. */
  recordDeadlineMs: 20 * SECOND,
  /** The largest answer is a receipt; a larger body is not an answer of this API. */
  bodyLimitBytes: 1_048_576,
  /**
   * A list that is kept whole: lists have no pages, so this guards the memory. A longer list of
   * sources is read while it arrives (`stream`).
   */
  listBodyLimitBytes: 16_777_216,
  /** A list may be megabytes over a slow line; only jobs and the admin ask for one. */
  listDeadlineMs: 30 * SECOND,
  /** Records of a streamed list that are held at once: some hundred kilobytes. */
  listBatchMax: 500,
  /**
   * A streamed list: no memory depends on it, but an answer without an end would hold its job and
   * its line. Some million sources of half a kilobyte.
   */
  streamedListLimitBytes: 2_147_483_648,
  /** A streamed list as a whole: 100,000 sources of a kilobyte take 26 minutes at 64 kB a second. */
  streamedDeadlineMs: 45 * MINUTE,
  /** Until a streamed list begins: the gateway may gather all of it first. Proxies wait a minute. */
  streamedHeadDeadlineMs: MINUTE,
  /** A streamed list in which no byte comes for so long will not continue. */
  streamedPauseDeadlineMs: 30 * SECOND,

  /** Tries of a read, which changes nothing: three outlive a short fault, within the deadline. */
  readTries: 3,
  /** Tries of a call that makes a record: it has no key, so only an unsent one is repeated. */
  recordTries: 2,
  /** Tries of a call that moves money: the ledger, not the client, decides on another sending. */
  moneyTries: 1,
  /** The first pause between tries; it doubles, with jitter. */
  backoffBaseMs: 500,
  /** The longest pause between tries; a longer one would use up the deadline. */
  backoffCapMs: 8 * SECOND,
  /** The shortest pause between tries; an immediate one meets the same fault. */
  backoffFloorMs: 250,
  /** The longest `Retry-After` that a job obeys; after this time it asks again. */
  retryAfterCapMs: 60 * SECOND,
  /** The longest `Retry-After` that a call obeys while a shopper waits for it. */
  retryAfterShopperCapMs: 3 * SECOND,

  /** Connections to one gateway at most: more than checks and shoppers need at once. */
  connectionsPerOrigin: 64,
  /** How long an idle connection is kept, to save a TLS handshake between a busy shop's calls. */
  keepAliveMs: 30 * SECOND,

  /** How often an odd form of answer is noted while it lasts; an old note shows that it ended. */
  formsNotedEveryMs: HOUR,
  /** The length of a gateway text in the ledger. */
  messageLengthMax: 500,
  /** The length of an id or number of the gateway; the longest known ones have 64 characters. */
  exactTextMax: 200,
  /** The length of the address of a gateway's page; browsers take hardly longer ones. */
  webAddressMax: 4_000,
  /** Unknown fields kept of one answer and of each object in it; answers have a dozen. */
  otherFieldsMax: 30,
  /** Unknown fields of one answer, as JSON: the event stays readable whatever the gateway says. */
  otherFieldsLengthMax: 2_000,
  /** The text or the name of one unknown field: an id or a sentence. */
  otherFieldLengthMax: 120,
  /** Refused fields that are kept of one answer. */
  fieldProblemsMax: 20,
  /** The digits of a phone number that are ever stored or displayed. */
  phoneDigitsShown: 3,

  /** Realtime channels of one process at once; further payments are checked without one. */
  realtimeChannelsMax: 200,
  /** A realtime channel that says nothing for so long is dead: three usual heartbeats. */
  realtimeSilentMs: 45 * SECOND,

  /** A token call: above the connect deadline, so that "could not connect" keeps its own error. */
  tokenDeadlineMs: 12 * SECOND,
  /** The gateway's advice: a new token when fewer than 5 minutes remain. */
  tokenRefreshBeforeMs: 5 * MINUTE,
  /** The same as a share of a token's life, for a token that lives hardly longer than that. */
  tokenRefreshBeforeFraction: 0.2,
  /** The shortest life of a token that is believed. */
  tokenMinutesMin: 1,
  /** The longest life of a token that is believed: a day. */
  tokenMinutesMax: 1_440,
  /** Used when `expires_in` is not believed: short enough to be safe, too long to loop. */
  tokenMinutesFallback: 5,
  /** How long a failed token call answers all callers, instead of each asking again. */
  tokenNegativeCacheMs: 2 * SECOND,
  /** Limits new tokens of a process for a gateway that answers 401 even to a new one. */
  tokenAfter401EveryMs: 10 * SECOND,
  /**
   * A 401 to a token younger than this may be a gateway whose servers do not all know the token
   * yet: another token would be unknown again, and may end this one. Replication takes seconds; a
   * read's whole deadline is 10 s.
   */
  tokenYoungMs: 8 * SECOND,
  /** The first pause before a young token is used again; it doubles, with jitter. */
  tokenPauseMs: 250,
  /** The longest pause of a young token: once it is valid, it waits no longer than this. */
  tokenPauseCapMs: 2 * SECOND,
  /** Requests of one call that hears 401: with a young token, after pauses, then with a new one. */
  tokenSendsPerCallMax: 16,
  /** How long one process alone may ask for a token; then another may: the first may be dead. */
  tokenTurnMs: 5 * SECOND,
  /** How often the other processes check for the token that this process got. */
  tokenTurnPollMs: 200,
  /** The longest wait for the place where tokens are shared: calls go on without it. */
  tokenStoreMs: 2 * SECOND,
  /** How long the shared store of tokens rests after a failure, so that not each call waits. */
  tokenStoreQuietMs: 10 * SECOND,
} as const
