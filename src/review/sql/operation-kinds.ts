/**
 * Finds a list by what many operations share: type, state, flow, currency, account and method. One
 * index has all six, then the order of the list. A million rows have some hundred kinds, which are
 * found by hopping through that index; the newest rows of each wanted kind make the page.
 *
 * So any combination of the six costs the same. With an index for each of them the server would
 * walk down one and throw away a million rows of the others.
 */

/** As in the index `operation_by_kind`. No method is the empty text, as nothing is beyond null. */
const KEY = ["type", "state", "flow", "currency_code", "account_id", "coalesce(payment_method, '')"]
const METHOD = "payment_method"

const keyOf = (row: string) =>
  KEY.map((key) => key.replace(/^(coalesce\()?(\w+)/, `$1${row}.$2`)).join(", ")

const NAMES = [...KEY.slice(0, -1), METHOD].join(", ")

/** Every kind that there is, one hop each: a relation `kind`, to stand after `with recursive`. */
export const KINDS = `
  kind (${NAMES}) as (
    (select ${keyOf("o")} from mp_operation o order by ${keyOf("o")} limit 1)
    union all
    select next.* from kind k cross join lateral (
      select ${keyOf("o")} from mp_operation o where (${keyOf("o")}) > (${keyOf("k")})
       order by ${keyOf("o")} limit 1) next
  )`

/** That the row `o` is of the kind `k`. */
export const IS_OF_KIND = `(${keyOf("o")}) = (${keyOf("k")})`
