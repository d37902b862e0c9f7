/** Types of the routes about accounts, for the admin's pages. */
export type * from "../../../../accounts/rules/account-responses"
