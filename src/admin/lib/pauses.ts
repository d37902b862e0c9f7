/** How often an open page looks again, and why no oftener. Hidden tabs do not look at all. */

/** A payment changes within seconds while somebody pays; one page of the ledger costs little. */
export const LIST_EVERY_MS = 5_000

/** Whoever has one payment open waits for it. */
export const DETAIL_EVERY_MS = 3_000

/** Beside an order; what has ended changes rarely. */
export const ORDER_EVERY_MS = 5_000

/** A link that somebody may be paying with while it is looked at. */
export const LINK_EVERY_MS = 3_000

/** The count in the menu, on every page of the admin, for every admin. */
export const COUNT_EVERY_MS = 30_000

/** The setup check reads the database's health; nobody watches it like a payment. */
export const HEALTH_EVERY_MS = 15_000
