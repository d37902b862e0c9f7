/** The kinds of processes: the shop has one for each request; a worker is one at a time. */
export type Worker = "A" | "B"
export type Kind = "shop" | Worker

export const KINDS = ["shop", "A", "B"] as const satisfies readonly Kind[]

/** How far a machine's clock is wrong at most, either way. */
export const AHEAD_MOST_MS = 10 * 60_000

/** Who presses what two admins have to agree on. */
export const ADMINS = ["user_ada", "user_bob"] as const

/** What may go out by a form: as a payout to a phone, or a transfer to a counterparty. */
export const MONEY_OUT = ["payout", "transfer"] as const
export type MoneyOut = (typeof MONEY_OUT)[number]

/** Money that is to go out once each, by the keys of its forms. */
export const PAYOUTS = ["rent", "wages"] as const
export type Payout = (typeof PAYOUTS)[number]
