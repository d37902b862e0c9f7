/**
 * Habits of a live gateway's wire that the contract does not show, and tempers, which are named
 * lists of them. They are the publicly known habits of payment APIs, of their back ends and of the
 * proxies before them. None of them makes a person read another amount or another state than the
 * true one, but for `ambiguous`, which is in no temper.
 *
 * Habits of one `group` exclude each other. If several of a group are on, each answer draws one of
 * them or the form of the contract.
 */

type HabitRow = {
  /** What the gateway does, for the table of the README. */
  readonly what: string
  readonly group?: HabitGroup
  /** The tempers that have it. */
  readonly in: readonly ("loose" | "odd")[]
}

export type HabitGroup =
  | "type"
  | "absent"
  | "payer_currency"
  | "dates"
  | "amounts"
  | "case"
  | "booleans"
  | "refusals"
  | "reasons"

const BOTH = ["loose", "odd"] as const
const ODD = ["odd"] as const

export const HABITS = {
  byte_order_mark: { in: BOTH, what: "a UTF-8 byte order mark before the JSON" },
  leading_blank_lines: { in: BOTH, what: "blank lines before the JSON" },
  html_type: { in: BOTH, group: "type", what: "JSON under the content type `text/html`" },
  plain_type: { in: BOTH, group: "type", what: "JSON under the content type `text/plain`" },
  pretty_printed: { in: BOTH, what: "JSON in lines, indented" },
  created_status: { in: BOTH, what: "201 for what was made, 202 for what was executed" },
  extra_fields: {
    in: BOTH,
    what: "fields that the contract has not, such as `success` and `message` about the call itself",
  },
  null_for_absent: {
    in: BOTH,
    group: "absent",
    what: "`null` for optional fields that are absent",
  },
  absent_for_null: { in: BOTH, group: "absent", what: "optional fields that are `null` left out" },
  empty_for_absent: {
    in: ODD,
    group: "absent",
    what: "an empty text for optional texts and dates that have no value",
  },
  not_available_for_absent: {
    in: ODD,
    group: "absent",
    what: "`N/A` for optional texts and dates that have no value",
  },
  relative_addresses: { in: ODD, what: "addresses of hosted pages without their origin" },
  payer_currency_absent: {
    in: ODD,
    group: "payer_currency",
    what: "no `payer_currency` in an execution's answer",
  },
  payer_currency_null: {
    in: ODD,
    group: "payer_currency",
    what: "`payer_currency` is `null` in an execution's answer",
  },
  reference_not_echoed: {
    in: ODD,
    what: "no `reference_id` in the answers of executions, statuses and `checkouts/create`",
  },
  is_active_absent: { in: ODD, what: "no `is_active` of a payment account" },
  dates_with_offset: {
    in: BOTH,
    group: "dates",
    what: "dates with microseconds and `+00:00` in the place of `Z`",
  },
  dates_without_zone: { in: ODD, group: "dates", what: "dates in UTC that do not say so" },
  amounts_as_text: { in: BOTH, group: "amounts", what: 'amounts as text: `"1250.5"`' },
  amounts_with_separators: {
    in: BOTH,
    group: "amounts",
    what: 'amounts as text with separators and two decimals: `"1,250.50"`',
  },
  amounts_with_blanks: {
    in: BOTH,
    group: "amounts",
    what: 'amounts as text with blanks between the thousands and around: `" 1 250.50 "`',
  },
  amounts_with_noise: {
    in: BOTH,
    group: "amounts",
    what: "amounts with the noise of added floats: `69.97000000000001`",
  },
  predictions_as_numbers: { in: BOTH, what: "amounts of predictions as JSON numbers" },
  integers_as_text: { in: BOTH, what: 'ids, quantities and lives as text: `"42"`' },
  words_lower: { in: BOTH, group: "case", what: "words of a list in lower case: `completed`" },
  words_capitalised: {
    in: BOTH,
    group: "case",
    what: "words of a list with one capital: `Completed`",
  },
  words_with_blanks: { in: BOTH, group: "case", what: "words of a list with blanks behind them" },
  currencies_lower: { in: BOTH, what: "currencies in lower case: `usd`" },
  booleans_as_text: { in: BOTH, group: "booleans", what: '`"true"` and `"false"`' },
  booleans_as_numbers: { in: BOTH, group: "booleans", what: "`1` and `0` for true and false" },
  other_words: {
    in: ODD,
    what: "other words for the same state, the same for one record: `SUCCESSFUL` and `SUCCESS`; `CANCELLED`, `EXPIRED`, `REJECTED`, `DECLINED` and `TIMED_OUT`; `IN_PROGRESS` and `AWAITING_APPROVAL`. Of money that goes back or out only those with one meaning",
  },
  reasons_as_codes: {
    in: ODD,
    group: "reasons",
    what: "machine codes for why money did not move: `PAYER_DECLINED`",
  },
  reasons_in_french: { in: ODD, group: "reasons", what: "French for why money did not move" },
  refusals_as_list: {
    in: BOTH,
    group: "refusals",
    what: "`detail` as a list in every refusal, not in 422 alone",
  },
  refusals_as_message: { in: ODD, group: "refusals", what: '`{ "message": … }` for a refusal' },
  refusals_as_error: { in: ODD, group: "refusals", what: '`{ "error": … }` for a refusal' },
  refusals_by_field: {
    in: ODD,
    group: "refusals",
    what: '`{ "message": …, "errors": { "field": [ … ] } }` for a refusal',
  },
  refusals_400: { in: ODD, what: "400 for invalid input in the place of 422" },
  conflicts_409: { in: ODD, what: "409 for what is registered already in the place of 422" },
  known_party_refused: {
    in: ODD,
    what: "a party is made once for a phone number; again it is refused as already registered",
  },
  known_wallet_refused: {
    in: ODD,
    what: "a payment account is made once for a party, a number and a method; again it is refused as already registered",
  },
  unknown_operators: {
    in: ODD,
    what: "the prediction knows no operator for one number in five, and answers 404",
  },
  predictions_down: {
    in: ODD,
    what: "predictions answer 503 or 429 for a few calls, now and then",
  },
  newest_ten: { in: ODD, what: "lists of orders and invoices show the newest ten, newest first" },
  plain_texts: { in: ODD, what: "the option `texts` is `plain`" },
  operator_limits: {
    in: ODD,
    what: "an execution below the least or above the most of an operator is refused on the amount; the refusal names the limit",
  },
  proxy_404: {
    in: ODD,
    what: "a proxy answers 404 with its page for a few calls, now and then; they do not reach the gateway",
  },
  ambiguous: {
    in: [],
    what: 'amounts as text with a point between the thousands and a comma before decimals: `"1.250"` is 1250, and a person may read 1.25. Beside `other_words`, `SUCCESS`, `EXPIRED` and `TIMED_OUT` also of money that goes back or out. For tests of what must not be believed',
  },
} as const satisfies Record<string, HabitRow>

export type Habit = keyof typeof HABITS
export type Temper = "tidy" | "loose" | "odd"

export const TEMPERS: readonly Temper[] = ["tidy", "loose", "odd"]
export const isHabit = (name: string): name is Habit => Object.hasOwn(HABITS, name)
const ALL = Object.keys(HABITS).filter(isHabit)

const row = (habit: Habit): HabitRow => HABITS[habit]
export const groupOf = (habit: Habit): HabitGroup | undefined => row(habit).group
export const membersOf = (group: HabitGroup): readonly Habit[] =>
  ALL.filter((habit) => groupOf(habit) === group)

/** The habits of a temper. */
export const habitsOf = (temper: Temper): readonly Habit[] =>
  ALL.filter((habit) => row(habit).in.some((name) => name === temper))

/**
 * Habits by which a call is not carried out, so that a caller has to ask again or go another way.
 */
export const TROUBLE_HABITS: readonly Habit[] = [
  "proxy_404",
  "predictions_down",
  "unknown_operators",
]
