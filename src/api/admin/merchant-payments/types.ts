/** What the admin's routes answer, for pages of the admin: types alone, and nothing of the server. */
export type * from "../../../core/desk-answers"
