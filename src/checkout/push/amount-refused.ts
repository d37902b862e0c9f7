/**
 * The gateway refuses the amount. Another phone number would be refused as well, so the shopper is
 * told the operator's limit, as far as the refusal says it.
 */
import type { AccountId } from "../../core/ids"
import { majorNumber, moneyFromMajor, type CurrencyCode, type Money } from "../../core/money"
import { amountFact, refusal, type Amount, type Refusal } from "../../core/refusal"
import { isAboutAmount, type AmountLimit } from "../../core/said/amount-limit"
import type { Said } from "../../core/said/refused-words"
import type { FlowDeps } from "../../engine/deps"
import { learnLimit } from "../../engine/learn-limit"
import type { StartContext } from "../context"
import { isOfAmount, type StartRefusal } from "../start-refusal"
import type { Payer } from "./find-payer"

type Asked = {
  readonly accountId: AccountId
  /** The source's amount, which may be in another currency than the payer's. */
  readonly amount: Money
  readonly paymentMethod: string
  readonly payerCurrency: CurrencyCode
  /** What the payer would be charged, in major units of the payer's currency, where it is known. */
  readonly charged: number | undefined
}

/** @returns the refusal of the start, with the operator's limit if the gateway named it */
export async function withLimit(
  deps: Pick<FlowDeps, "database" | "logger">,
  { account, amount, request }: StartContext,
  payer: Payer,
  refused: StartRefusal,
): Promise<StartRefusal> {
  const { said } = refused
  if (!said || !isOfAmount(refused)) return refused
  const { paymentMethod, payerCurrency } = payer
  const own = payerCurrency === amount.currency ? majorNumber(amount) : undefined
  const charged = request.expectedPayerAmount ?? own
  const asked = { accountId: account.id, amount, paymentMethod, payerCurrency, charged }
  return { ...refused, refusal: (await amountRefused(deps, asked, said)) ?? refused.refusal }
}

/** @returns what the shopper is told; undefined if the gateway refused something else */
async function amountRefused(
  deps: Pick<FlowDeps, "database" | "logger">,
  asked: Asked,
  said: Said,
): Promise<Refusal | undefined> {
  if (!isAboutAmount(said)) return undefined
  return refusalFor(await learnLimit(deps, asked, said), asked)
}

/** Where both limits are known, one is named only if the charged amount is beyond it. */
function refusalFor(
  { least, most }: AmountLimit,
  { charged, payerCurrency: currency }: Asked,
): Refusal {
  const isBelow = charged !== undefined && least !== undefined && charged < Number(least)
  const isAbove = charged !== undefined && most !== undefined && charged > Number(most)
  if (least !== undefined && (isBelow || most === undefined)) {
    return refusal("gateway_refused.too_small", { least: factOf(least, currency) })
  }
  if (most !== undefined && (isAbove || least === undefined)) {
    return refusal("gateway_refused.too_large", { most: factOf(most, currency) })
  }
  return refusal("gateway_refused.amount")
}

function factOf(text: string, currency: CurrencyCode): Amount {
  const money = moneyFromMajor(text, currency)
  return money ? amountFact(money) : { amount: text, currency }
}
