/** The limits of what strangers may ask: starts, quotes, look-ups of numbers, ids that they guess. */
import { MINUTE, SECOND } from "./time"

export const DOOR_LIMITS = {
  /** Starts for one phone number at once: a wrong PIN or two, and no phone rings five times. */
  startsOfPhoneAtOnce: 3,
  /** And then one in so long: as fast as somebody can decline and press again. */
  startOfPhoneBackMs: 30 * SECOND,
  /** And so many in a row: somebody tries out the shop. */
  startsOfPhoneInARow: 20,
  /** Then one in so long, day and night: a stranger's number is no toy. */
  startInARowOfPhoneBackMs: 5 * MINUTE,
  /** Starts of one cart at once: each way to pay, and back. */
  startsOfCartAtOnce: 6,
  /** And then one in so long. */
  startOfCartBackMs: 30 * SECOND,
  /** A start that is refused for now is tried once more after so long: two clicks are one payment. */
  startHeldMs: SECOND,
  /** Starts of one network at once: a village behind one address of its operator, on market day. */
  startsOfNetworkAtOnce: 20,
  /** And then fifteen a minute: one network takes at most half of what starts may at first. */
  startOfNetworkBackMs: 4 * SECOND,
  /** Times that a shopper gives one payment up at once; each asks the gateway. */
  cancelsOfPaymentAtOnce: 3,
  /** And then one in so long; as a return visit. */
  cancelOfPaymentBackMs: 3 * SECOND,
  /** What starts may ask of the gateway, beside what the checks of the account may: half as much. */
  startsBudgetFraction: 0.5,
  /** So much of it may be asked at once: a rush after an advertisement, thirty starts at first. */
  startsBudgetMs: MINUTE,
  /** One start, of a cart with a hundred lines, counts for no more of it than this. */
  startsBudgetOfOneMs: 20 * SECOND,
  /** Questions of one start: source, operator, session, account, execution; those of a page, and closing it. */
  questionsOfStart: 5,
  /** And of one that is made document first, beside one for each line: contact, document, publishing. */
  questionsOfDocument: 5,
  /** That starts are refused is said in the log at most so often, for each cause. */
  startsRefusedSaidEveryMs: MINUTE,

  /** New questions about one cart at once: a page that shows each way to pay, in two currencies. */
  quoteAsksOfCart: 12,
  /** And then one in so long: somebody compares. */
  quoteAskOfCartBackMs: 3 * SECOND,
  /** Carts that are counted: two megabytes. */
  quoteCartsMax: 10_000,
  /** New quotes of one network at once, and look-ups of numbers: half of what the process may. */
  asksOfNetwork: 20,
  /** And then one a second: a fifth, so that the others find the rest. */
  askOfNetworkBackMs: SECOND,
  /** New quotes of one process at once, and look-ups: a rush after an advertisement. */
  asksOfProcess: 40,
  /** And then five a second of each: most of what the gateway takes is kept for payments. */
  askOfProcessBackMs: SECOND / 5,
  /** Ids that one network may ask for in vain at once: some stale tabs of a busy household. */
  missesAtOnce: 30,
  /** And then one in so long: a tab that keeps asking for what is gone is never refused. */
  missEarnedBackMs: SECOND,
  /** Networks that are counted: two megabytes. */
  networksMax: 10_000,
  /** Ids found lately, answered whatever others in the network do; more than are paid at a time. */
  foundSessionsMax: 10_000,
} as const
