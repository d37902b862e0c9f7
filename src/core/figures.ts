/**
 * What a payment was worth to each side, as far as the gateway has said: for people to read, never
 * to decide by. All amounts are JSON numbers in major units. What is not known is null, never 0 and
 * never a guess about who bears the fees or in which currency a number counts. Money that has not
 * moved is null, too; while it still can move, fields of their own have the expected amounts.
 */
import { compareDecimals, decimalSum, majorNumber, moneyFromMajor, type Money } from "./money"
import { isMoneyOut, receivedOf, type Operation, type State } from "./operation"
import type { Figures } from "./schemas/figures"

/** What figures are made from. */
export const PRICED = [
  "type",
  "state",
  "amount",
  "collected",
  "moneyAt",
  "recordedAt",
  "takenBackAt",
  "feeBearer",
  "fees",
  "exchangeRate",
  "exchangeFrom",
  "exchangeTo",
  "payerAmount",
  "payerCurrency",
  "quotedPayerAmount",
  "payeeAmount",
  "payeeCurrency",
] as const
export type Priced = Pick<Operation, (typeof PRICED)[number]>

export function figuresOf(operation: Priced): Figures {
  const { amount } = operation
  const gross = movedOf(operation)
  const own = { ...operation, gross }
  const fees = gross === null ? null : operation.fees
  const [payer, payee] = [numberOf(operation.payerAmount), numberOf(operation.payeeAmount)]
  const isUnderWay = gross === null && UNDER_WAY.includes(operation.state)
  return {
    currency: amount.currency,
    gross: gross && majorNumber(gross),
    fee: feeOf(own),
    net: keptOf(own),
    fee_bearer: operation.feeBearer,
    platform_fee: numberOf(fees?.platform),
    gateway_fee: numberOf(fees?.gateway),
    fx_fee: numberOf(fees?.fx),
    payer_amount: gross && payer,
    payer_currency: operation.payerCurrency,
    quoted_payer_amount: numberOf(operation.quotedPayerAmount),
    payee_amount: gross && payee,
    payee_currency: operation.payeeCurrency,
    exchange_rate: numberOf(operation.exchangeRate),
    exchange_from: operation.exchangeFrom,
    exchange_to: operation.exchangeTo,
    expected_payer_amount: isUnderWay ? payer : null,
    expected_payee_amount: isUnderWay ? payee : null,
  }
}

const UNDER_WAY: readonly State[] = ["drafted", "submitted", "in_flight"]

/** What really moved: what the gateway took of a collection; of other money, what it completed. */
function movedOf(operation: Priced): Money | null {
  if (operation.type === "COLLECTION") return receivedOf(operation)
  return operation.state === "completed" ? sentOf(operation) : null
}

/**
 * What a completed refund, payout or transfer counts for: the asked amount. A payout or transfer
 * that an admin accepted although it moved another amount counts for what moved: the asked amount is
 * not between its two sides then, and the nearer side is taken.
 */
export function sentOf(operation: Priced): Money {
  const { amount } = operation
  const payer = ownMinor(operation, operation.payerAmount, operation.payerCurrency)
  const payee = ownMinor(operation, operation.payeeAmount, operation.payeeCurrency)
  if (!isMoneyOut(operation) || !payer || !payee || payer < 0n || payee < 0n) return amount
  const [least, most] = payer < payee ? [payer, payee] : [payee, payer]
  const minor = amount.minor < least ? least : amount.minor > most ? most : amount.minor
  return { ...amount, minor }
}

type WithGross = Priced & { readonly gross: Money | null }

/**
 * What the payer paid on top of what came in: the fee, where the payer bears it; else what a charge
 * in the same currency is above it, so that no receipt has two amounts without the reason.
 *
 * @param bearer as the gateway's receipt names it, if there is one
 */
export function payerFeeOf(operation: Priced, bearer: string | null): number | null {
  const gross = movedOf(operation)
  if (gross === null) return null
  const own = { ...operation, gross }
  const fee = bearer === "PAYER" ? feeOf(own) : null
  if (fee !== null) return fee
  const charged = ownMinor(own, operation.payerAmount, operation.payerCurrency)
  if (charged === undefined || charged <= gross.minor) return null
  return majorNumber({ minor: charged - gross.minor, currency: operation.amount.currency })
}

/** The fee that the gateway names in this currency; else what payer and payee differ by. */
function feeOf(operation: WithGross): number | null {
  const { fees, amount } = operation
  if (operation.gross === null) return null
  if (fees && (fees.currency ?? onlyCurrencyOf(operation)) === amount.currency) {
    const named = [fees.platform, fees.gateway].filter((fee) => fee !== null)
    if (named.length > 0) return numberOf(decimalSum(named))
  }
  const payer = ownMinor(operation, operation.payerAmount, operation.payerCurrency)
  const payee = ownMinor(operation, operation.payeeAmount, operation.payeeCurrency)
  if (payer === undefined || payee === undefined || payer < payee) return null
  return majorNumber({ minor: payer - payee, currency: amount.currency })
}

/** What the shop got, less the whole payment where its operator took that back. */
function keptOf(operation: WithGross): number | null {
  const { takenBackAt, gross, amount } = operation
  const got = gotOf(operation)
  const kept = got === null ? undefined : moneyFromMajor(got, amount.currency)
  if (takenBackAt === null || gross === null || !kept) return got
  return majorNumber({ ...kept, minor: kept.minor - gross.minor })
}

/** What a payment left to the shop, whatever became of it since; null: not known. */
export const leftOf = (operation: Priced) => gotOf({ ...operation, gross: movedOf(operation) })

/** What the gateway says the shop gets; else the total, if the payer bears the fees on top. */
function gotOf(operation: WithGross): number | null {
  const { gross, amount } = operation
  if (gross === null || operation.type !== "COLLECTION") return null
  const net = ownMinor(operation, operation.payeeAmount, operation.payeeCurrency)
  if (net !== undefined) return majorNumber({ minor: net, currency: amount.currency })
  if (operation.payeeAmount !== null) return null
  return operation.feeBearer === "PAYER" ? majorNumber(gross) : null
}

/** The currency of fees that name none: the payment's, if both sides have the same. */
function onlyCurrencyOf({ payerCurrency, payeeCurrency }: WithGross): string | null {
  return payerCurrency === payeeCurrency ? payeeCurrency : null
}

function ownMinor(
  { amount }: Priced,
  text: string | null,
  currency: string | null,
): bigint | undefined {
  return text !== null && currency === amount.currency
    ? moneyFromMajor(text, amount.currency)?.minor
    : undefined
}

/** A figure is for people, so the JSON number may lose digits that the text has. */
function numberOf(text: string | null | undefined): number | null {
  if (text === null || text === undefined || compareDecimals(text, "0") === undefined) return null
  return Number(text)
}
