/**
 * What the example programs share: how they end, what they print, and where the client comes from.
 *
 *   0   done: paid, refunded, paid out
 *   1   not done, for good; another try is another journal (a refund: another key)
 *   2   not known yet: run the same command again
 *   64  wrong use; nothing was asked of the gateway
 */
import {
  createGateway,
  Invalid,
  InvalidConfiguration,
  majorText,
  moneyFromMajor,
  parseCurrency,
} from "merchant-payments-gateway"
import type { Gateway, Money, Outcome } from "merchant-payments-gateway"

export const END = { done: 0, notDone: 1, notKnown: 2, wrongUse: 64 } as const
export type End = (typeof END)[keyof typeof END]

/** Ends the program. */
export class Stop extends Error {
  constructor(
    readonly end: End,
    message: string,
  ) {
    super(message)
  }
}

/** Prints a line of JSON. An error of the client shows neither secrets nor whole phone numbers. */
export function say(what: string, facts: object = {}): void {
  console.log(JSON.stringify({ what, ...facts }))
}

/** Runs a program with a client and sets the exit code. */
export function run(program: (gateway: Gateway) => Promise<End>): void {
  // Whatever ends it early, out of memory for one, must look like neither "paid" nor "not paid".
  process.exitCode = END.notKnown
  withGateway(program).then(
    (end) => {
      process.exitCode = end
    },
    (error: unknown) => {
      say("stopped", { why: error instanceof Error ? error.message : "unknown" })
      if (error instanceof Stop) process.exitCode = error.end
      if (error instanceof InvalidConfiguration) process.exitCode = END.wrongUse
    },
  )
}

async function withGateway(program: (gateway: Gateway) => Promise<End>): Promise<End> {
  const gateway = createGateway({
    baseUrl: environment("MERCHANT_PAYMENTS_BASE_URL"),
    clientId: environment("MERCHANT_PAYMENTS_CLIENT_ID"),
    clientSecret: environment("MERCHANT_PAYMENTS_CLIENT_SECRET"),
  })
  try {
    return await program(gateway)
  } finally {
    await gateway.close()
  }
}

export function environment(name: string): string {
  const value = process.env[name]
  if (!value) throw new Stop(END.wrongUse, `Set ${name}.`)
  return value
}

/**
 * An amount as its currency is written: `42.50` USD, `7666` RWF. Anything else would be rounded.
 */
export function moneyIn(amount: string, currencyText: string): Money {
  const currency = parseCurrency(currencyText)
  const money = currency && moneyFromMajor(amount, currency)
  if (money && majorText(money) === amount) return money
  throw new Stop(END.wrongUse, "Write the amount as 42.50 USD or 7666 RWF.")
}

/** The answer of a call that moves no money, or the end of the program. */
export function valueOf<T>(outcome: Outcome<T>): T {
  switch (outcome.kind) {
    case "done":
      return outcome.value
    case "refused":
    case "not_sent":
      // A wrong request stays wrong. Credentials, permissions, limits and networks may change.
      throw new Stop(
        outcome.error instanceof Invalid ? END.notDone : END.notKnown,
        JSON.stringify(outcome.error),
      )
    case "unknown":
      // Perhaps it was made. The next run looks before it makes another one.
      throw new Stop(END.notKnown, JSON.stringify(outcome.error))
  }
}
