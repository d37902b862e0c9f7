/**
 * How a list is found by what many operations share: type, state, flow, currency, account and
 * method. One index has all six and then the order of the list. Of a million rows there are some
 * hundred kinds, which are found by hopping through that index from one to the next; of each kind
 * that is asked for the newest rows are read, and the newest of those are the page.
 *
 * So any of the six together, with several values each, cost the same, and a pair that nothing has
 * in common ends as soon as a pair that everything has. An index for each of the six would not do
 * that: the server would walk down one of them and throw away a million rows of the others.
 */

/**
 * As the index `operation_by_kind` says it; a method of none is the empty text, or no row is beyond
 * it.
 */
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
