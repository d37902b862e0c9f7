/** How often an open page reloads, and why no more often. Hidden tabs do not reload. */

/** A payment changes within seconds while a shopper pays; one page of the ledger costs little. */
export const LIST_EVERY_MS = 5_000

/** Sums over all pages of a list cost more than one page of it. */
export const TOTALS_EVERY_MS = 30_000

/** An admin who opened one payment waits for it. */
export const DETAIL_EVERY_MS = 3_000

/** Beside an order; payments that have ended rarely change. */
export const ORDER_EVERY_MS = 5_000

/** A customer may be paying with the link, or has the prompt before them. */
export const LINK_EVERY_MS = 3_000

/** The count in the menu, on every page and for every admin. */
export const COUNT_EVERY_MS = 30_000

/** The setup check reads the database's health; it changes slowly. */
export const HEALTH_EVERY_MS = 15_000

/** How long the passcode of payouts serves the next one: an admin may leave the screen. */
export const PASSCODE_KEPT_MS = 5 * 60_000
