/** Limits of what shoppers and strangers may ask: starts, quotes, look-ups, guessed ids. */
import { DAY, HOUR, MINUTE, SECOND } from "./time"

export const SHOPPER_LIMITS = {
  /** Starts for one phone number at once: a wrong PIN or two, but never five prompts at once. */
  startsOfPhoneAtOnce: 3,
  /** A number earns a start back in this time: as fast as a shopper declines and presses again. */
  startOfPhoneBackMs: 30 * SECOND,
  /** Starts for one phone number in a row, for a merchant who tests the shop. */
  startsOfPhoneInARow: 20,
  /** A number earns a start in a row back in this time: a phone must not ring all day. */
  startInARowOfPhoneBackMs: 5 * MINUTE,
  /** Starts of one cart at once: each payment method, and back. */
  startsOfCartAtOnce: 6,
  /** A cart earns one start back in this time. */
  startOfCartBackMs: 30 * SECOND,
  /** A refused start is tried once more after this time, so that two clicks make one payment. */
  startHeldMs: SECOND,
  /**
   * Numbers of one network, or of one browser in it, that rang and were not approved. Once they
   * reach this and exceed the approved ones, no further phone rings. A village types two or three
   * wrong.
   */
  unapprovedNumbersMax: 9,
  /** A prompt counts as not approved after this; half of all approvals come within 25 s. */
  unapprovedAfterMs: 2 * MINUTE,
  /** Starts are judged for this long: after an operator's outage its towns may pay again. */
  startsJudgedForMs: 15 * MINUTE,
  /** The newest starts that are judged, which bounds the read. */
  startsJudgedMax: 2_000,
  /**
   * Starts of one network without an approval. A country behind one address has 300 a minute: about
   * 250 are under way, and a tenth, 450 in `startsJudgedForMs`, are never approved.
   */
  unapprovedStartsMax: 900,
  /** A network that is held may try again after this; most approvals have come by then. */
  networkHeldMs: MINUTE,
  /**
   * Prompts within `unpaidNumberMs` for a number that has never paid: a stranger could make it ring
   * day after day. Four of a family try three times each before the first of them pays.
   */
  promptsOfUnpaidNumberMax: 12,
  unpaidNumberMs: DAY,
  /**
   * Declined cards of one cart or customer. Once they reach this and exceed the paid ones, no
   * further card is asked about. A tester of stolen cards tries dozens. An honest shopper tries
   * two, each three times.
   */
  declinedCardsOfShopperMax: 6,
  /**
   * Declined cards of one network, or of one browser in it: forty in 94 s were seen. On a market
   * day one card in five of an address is declined, so that more are paid than declined.
   */
  declinedCardsOfNetworkMax: 12,
  /**
   * Declined cards of an account, from all networks: from here on only the captcha is asked for. No
   * quiet shop has so many in a quarter of an hour, and in a busy one more are paid.
   */
  declinedCardsOfAccountMax: 30,
  /** Card starts of one network at once: a burst has no answers yet, so it is judged too late. */
  cardStartsOfNetworkAtOnce: 20,
  /** A network earns a card start back in this time: a fifth of 300 shoppers a minute there. */
  cardStartOfNetworkBackMs: SECOND,
  /** A card start makes its calls in two seconds or so; a call may take 30 s without an answer. */
  cardTurnMs: MINUTE,
  /** How long others wait after a call without an answer: it may still reach the gateway. */
  cardDoubtMs: 10 * SECOND,
  /** How long a card start waits for its turn inside its request; its calls need the rest. */
  cardWaitsMs: 8 * SECOND,
  /** Card starts of a client that wait: as many as can have a turn in time, and a few that fail. */
  cardsWaitingMax: 10,
  /** A card start that has stopped asking for its turn holds up no other for longer than this. */
  cardPlaceMs: 3 * SECOND,
  /** When a refused card start may try again: by then the queue in front of it is over. */
  cardRetryMs: 5 * SECOND,
  /** The shop's own check of a captcha asks a service; the shopper waits with it. */
  captchaCheckMs: 5 * SECOND,
  /** How long starts are kept, for the setup check; no longer, because they are about people. */
  startsKeptForMs: HOUR,
  /** Fewer starts than this in the setup check's time say nothing about one network's part. */
  healthStartsMin: 20,
  /** Cancels of one payment at once; each asks the gateway. */
  cancelsOfPaymentAtOnce: 3,
  /** A payment earns one cancel back in this time, the same as for a return visit. */
  cancelOfPaymentBackMs: 3 * SECOND,
  /** The starts' part of the bound while the gateway complains; shoppers who paid have the rest. */
  startsFirstFraction: 0.75,
  /** How long starts take turns after a pause that the gateway asked for: it may ask again. */
  complaintHoldsMs: MINUTE,
  /** The most that one start holds up the queue, even with a hundred lines. */
  startTurnMaxMs: 20 * SECOND,
  /** How long a start waits for its turn inside its request; 17 s are left for its calls. */
  startWaitsMs: 8 * SECOND,
  /** Requests of one process that wait for a turn; each holds a connection and some kilobytes. */
  startsWaitingMax: 200,
  /** How long a turn is kept after its time, for a shopper whose phone was in a pocket. */
  turnKeptMs: 2 * MINUTE,
  /** Questions of a start: source, operator, session, account, execution. A page has as many. */
  questionsOfStart: 5,
  /** More questions of a start document first: contact, source, publishing. Each line adds one. */
  questionsOfSource: 5,
  /** How long a start waits for a number's operator that the shopper has named already. */
  operatorAskMs: 3 * SECOND,
  /** Refused starts are logged at most once in this time, per cause. */
  startsRefusedLoggedEveryMs: MINUTE,

  /** New quotes for one cart at once: each payment method in two currencies. */
  quoteAsksOfCart: 12,
  /** A cart earns one quote back in this time, for a shopper who compares. */
  quoteAskOfCartBackMs: 3 * SECOND,
  /** New quotes, or look-ups of numbers, of one network at once: half of what the store may. */
  asksOfNetwork: 20,
  /** A network earns one back a second, a fifth of the store's usual rate; others get the rest. */
  askOfNetworkBackMs: SECOND,
  /** New quotes, or look-ups of numbers, of all processes at once: a rush after an advertisement. */
  asksOfStore: 40,
  /**
   * The store earns back of each this share of what its largest account may ask a second: five a
   * second as a rule. Most of the gateway is kept for payments.
   */
  asksShare: 0.25,
  /** Unknown ids that one network may ask for at once: some stale tabs of a busy household. */
  missesAtOnce: 30,
  /** A network earns an unknown id back in this time: a tab with an old id is never refused. */
  missEarnedBackMs: SECOND,
  /** Networks whose requests are counted; they need about two megabytes. */
  networksMax: 10_000,
  /** How often the ledger is read, for all open pages together. */
  streamsReadEveryMs: SECOND / 2,
  /** What was written so long ago is read once more: a write may be seen after a later one. */
  streamsOverlapMs: SECOND,
  /** Events of one reading; with more, every open page's payment is read instead. */
  streamsEventsMax: 2_000,
  /** How often a stream without news says that it is alive; proxies close silent streams. */
  streamHeartbeatMs: 15 * SECOND,
  /** A browser whose stream broke asks again after this time. */
  streamRetryMs: 2 * SECOND,
  /** Streams of one payment session, network and process at once: each holds a connection. */
  streamsOfSessionMax: 500,
  streamsOfNetworkMax: 1_000,
  streamsMax: 5_000,
  /**
   * Bytes that may wait for a browser that does not read, before its stream is ended: some ten
   * events. All streams together then hold 80 megabytes at most.
   */
  streamUnreadBytesMax: 16 * 1024,
  /** When a refused realtime key is asked for again. A key's shorter life counts as this long. */
  realtimeRetryMs: MINUTE,
  /** The longest life of a realtime key that is believed. */
  realtimeKeyMs: HOUR,
  /** Ids found lately, answered even to a network that guesses; more than are paid at once. */
  foundSessionsMax: 10_000,
} as const
