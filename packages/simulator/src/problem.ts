/**
 * Every error answer of the API, as values that rules throw and the server sends. Texts and forms
 * are those of the specification, "Errors"; where it shows no body, `{ detail: text }`.
 */

export type DetailItem = { loc: (string | number)[]; msg: string; type: string }

/** An API error: its HTTP status and its JSON body. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: { detail: string | DetailItem[] },
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`HTTP ${status}`)
  }
}

export const notAuthenticated = () => new Problem(401, { detail: "Not authenticated" })

export const badCredentials = () => new Problem(401, { detail: "Could not validate credentials" })

export const notFound = (what: string) => new Problem(404, { detail: `${what} not found` })

/** 422 for one field: `refused(["body", "currency"], "…")`. */
export const refused = (loc: (string | number)[], msg: string, type = "value_error") =>
  new Problem(422, { detail: [{ loc, msg, type }] })

const ALREADY_REGISTERED = "value_error.already_registered"

/** 422 because there is such a record already. */
export const alreadyRegistered = (loc: (string | number)[], msg: string) =>
  refused(loc, msg, ALREADY_REGISTERED)

export const isAlreadyRegistered = ({ type }: DetailItem): boolean => type === ALREADY_REGISTERED

/** 422 because of a record's state. */
export const wrongState = (loc: (string | number)[], msg: string) =>
  refused(loc, msg, "state_error")
