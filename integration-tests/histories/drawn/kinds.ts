/** The kinds of processes: the shop has one for each request; a worker is one at a time. */
export type Worker = "A" | "B"
export type Kind = "shop" | Worker

export const KINDS = ["shop", "A", "B"] as const satisfies readonly Kind[]

/** How far a machine's clock is wrong at most, either way. */
export const AHEAD_MOST_MS = 10 * 60_000

/** Who presses what two admins have to agree on. */
export const ADMINS = ["user_ada", "user_bob"] as const

/** The payouts that are meant, by the keys of their forms. */
export const PAYOUTS = ["rent", "wages"] as const
export type Payout = (typeof PAYOUTS)[number]
