/** What the admin's routes about accounts answer, for pages of the admin: types alone. */
export type * from "../../../../core/account-answers"
