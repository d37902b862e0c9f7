/**
 * What it costs to learn that a payment was confirmed, beside the fixed schedules that comparable
 * plugins ask by: questions a payment, and the mean delay until we know. The same confirmations for
 * all of them (log-normal, median 25 s, 95% within 4 min), a shopper on screen, and for ours the
 * job that comes by once a second. A computation, so it repeats to the digit.
 *
 * No schedule is best in both: whoever asks less knows later. So for each other schedule it is also
 * said how many questions our list, made denser or sparser, needs for that one's own delay.
 */
import {
  callsForDelay,
  confirmations,
  cost,
  ours,
  PEERS,
  shop,
  type Cost,
} from "../../integration-tests/support/confirmation-simulation"
import type { Benchmark, Figure } from "../figure"

const PAYMENTS = 20_000

const SHOPS = {
  /** Median and 95%, in seconds. */
  quick: [10, 45],
  slow: [70, 500],
} as const

export const statusCallsPerPayment: Benchmark = {
  name: "status_calls_per_payment",
  on: "nothing",
  run: () => Promise.resolve(statusCalls()),
}

export const meanDelay: Benchmark = {
  name: "mean_delay_ms",
  on: "nothing",
  run: () => Promise.resolve(delays()),
}

function statusCalls(): Figure {
  const times = confirmations(PAYMENTS)
  const peers = Object.entries(PEERS).map(
    ([name, schedule]) => [name, cost(times, schedule)] as const,
  )
  const atTheirDelay = peers.flatMap(([name, { calls, delaySeconds }]) => [
    [`at_the_delay_of_${name}`, callsForDelay(times, delaySeconds)] as const,
    [`at_the_delay_of_${name}_limit`, calls] as const,
  ])
  return {
    value: cost(times, ours()).calls,
    unit: "calls",
    better: "lower",
    against: "every 3 s; the sparser ones ask less and know later, see at_the_delay_of_…",
    limit: cost(times, PEERS.every_3_s).calls,
    samples: PAYMENTS,
    ...Object.fromEntries(peers.map(([name, { calls }]) => [name, calls])),
    ...Object.fromEntries(atTheirDelay),
    ...shopsBy(({ calls }) => calls),
  }
}

function delays(): Figure {
  const times = confirmations(PAYMENTS)
  const ms = ({ delaySeconds }: Cost) => delaySeconds * 1_000
  const peers = Object.entries(PEERS).map(([name, schedule]) => [name, ms(cost(times, schedule))])
  return {
    value: ms(cost(times, ours())),
    unit: "ms",
    better: "lower",
    against: "every 3 s, which is the quickest of the fixed schedules",
    limit: ms(cost(times, PEERS.every_3_s)),
    samples: PAYMENTS,
    ...Object.fromEntries(peers),
    ...shopsBy(ms),
  }
}

/** Shops whose payers take another time. */
function shopsBy(of: (cost: Cost) => number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(SHOPS).flatMap(([name, [median, most]]) => {
      const times = confirmations(PAYMENTS, shop(median, most), 5)
      return [
        [`${name}_shop`, of(cost(times, ours()))],
        [`${name}_shop_every_3_s`, of(cost(times, PEERS.every_3_s))],
      ]
    }),
  )
}
