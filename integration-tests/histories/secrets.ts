/** What must be found nowhere: neither in the output of a process nor in a table. */
export const CLIENT_ID = "crash-client"
export const CLIENT_SECRET = "CANARY-crash-secret"
/** The same merchant's, once the first client was replaced and revoked. */
export const ROTATED_ID = "crash-client-rotated"
export const ROTATED_SECRET = "CANARY-crash-rotated"
/** An admin types it for each payout. */
export const PASSCODE = "CANARY-crash-passcode"
/** The shopper's wallet, as it is typed; its outcome is a plan's. */
export const PHONE = "+231770000042"
export const LATE_PHONE = "+231770000097"
export const PHONE_FORMS = ["231770000097", "231770000042", "770000042"]
