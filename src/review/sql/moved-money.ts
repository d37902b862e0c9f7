/**
 * In SQL, what a row of `mp_operation` moved: the same rules as `receivedOf` and `signedFiguresOf`,
 * for statements that add up more operations than fit in memory. A test compares both. All amounts
 * are in the smallest unit of the row's currency.
 */
import { INTEGER_CURRENCIES } from "../../core/markets"

/** What the gateway took of a payment; null: nothing came in. */
export const RECEIVED_MINOR =
  "coalesce(collected_minor, case when state = 'completed' then amount_minor end)"

/** Whether the operation moved money. */
export const HAS_MOVED =
  "(state = 'completed' or (type = 'COLLECTION' and collected_minor is not null))"

/** What the operation moved, below zero where money went out. */
export const MOVED_MINOR = `case when type = 'COLLECTION' then ${RECEIVED_MINOR}
  when state = 'completed' then -amount_minor end`

const UNITS = `case when currency_code in (${[...INTEGER_CURRENCIES]
  .map((currency) => `'${currency}'`)
  .join(", ")}) then 1 else 100 end`

/** What the gateway says that it left of a payment, else the whole, if the payer bears the fees. */
export const LEFT_MINOR = `case when type <> 'COLLECTION' then null
  when payee_amount is null then case when fee_bearer = 'PAYER' then ${RECEIVED_MINOR} end
  when payee_amount >= 0 and upper(payee_currency) = currency_code
    then round(payee_amount * ${UNITS}) end`

/**
 * What a payment's fees took, zero or below, of a row with {@link MOVED_MINOR} and
 * {@link LEFT_MINOR}; null: of other money, and where the gateway has not said what it left. A rest
 * above what came in contradicts it, and is not known either. Above 10^15 no amount is exact as a
 * JSON number.
 */
export const FEE_MINOR = `case when left_minor <= moved_minor and left_minor < 1000000000000000
  then left_minor - moved_minor end`
