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

const UNITS = `case when currency_code in (${[...INTEGER_CURRENCIES]
  .map((currency) => `'${currency}'`)
  .join(", ")}) then 1 else 100 end`

/** As `sentOf`: the asked amount of a payout or transfer, or its nearer side. */
const SENT_MINOR = `case when type in ('PAYOUT', 'TRANSFER')
    and payer_amount > 0 and upper(payer_currency) = currency_code
    and payee_amount > 0 and upper(payee_currency) = currency_code
  then greatest(least(amount_minor, round(greatest(payer_amount, payee_amount) * ${UNITS})),
                round(least(payer_amount, payee_amount) * ${UNITS}))
  else amount_minor end`

/** What the operation moved, below zero where money went out. */
export const MOVED_MINOR = `case when type = 'COLLECTION' then ${RECEIVED_MINOR}
  when state = 'completed' then -(${SENT_MINOR}) end`

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
