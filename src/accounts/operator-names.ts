/**
 * Whether shoppers read the operators' real names. The plugin's own names are neutral, such as
 * "Operator 1". An account's `wire_names` replace them; what the gateway calls an operator is
 * learned from its own predictions and proposed to an admin. Nothing is renamed by itself.
 */
import { operatorsNeeded } from "../core/account-operators"
import { OPERATORS } from "../core/markets"
import type { Account } from "../ledger/accounts/find-accounts"
import type { SaidOperator } from "../ledger/accounts/said-operators"
import type { LearnedNameResponse } from "./schemas/accounts"

type Named = Pick<Account, "id" | "baseUrl" | "wireNames">

const saidOf = ({ id }: Named, said: readonly SaidOperator[]) =>
  said.filter(({ accountId }) => accountId === id)

/** Names that the gateway uses and the account does not know, with what each may stand for. */
export function learnedNames(
  account: Named,
  said: readonly SaidOperator[],
): readonly LearnedNameResponse[] {
  const { wireNames } = account
  const known = new Set<string>([
    ...OPERATORS.map(({ method }) => method),
    ...Object.values(wireNames),
  ])
  const isFirst = (one: SaidOperator, at: number, all: readonly SaidOperator[]) =>
    all.findIndex((other) => other.paymentMethod === one.paymentMethod) === at
  return saidOf(account, said)
    .filter(({ paymentMethod }) => !known.has(paymentMethod))
    .filter(isFirst)
    .map(({ paymentMethod, carrier, currency }) => ({
      payment_method: paymentMethod,
      carrier,
      proposals: OPERATORS.filter(
        ({ method, currencies }) =>
          !Object.hasOwn(wireNames, method) && currencies.some((code) => code === currency),
      ).map(({ method, label }) => ({
        operator: label,
        wire_names: { [method]: paymentMethod, [`${method}.label`]: carrier },
      })),
    }))
    .filter(({ proposals }) => proposals.length > 0)
}

/** What the health page says of an account's names; undefined: shoppers read no neutral name. */
export type NeutralNames = {
  readonly account: string
  /** The neutral names that shoppers read. */
  readonly labels: readonly string[]
  /** What the gateway calls operators that the account has no name for. */
  readonly learned: readonly string[]
}

/**
 * A neutral name is right where the gateway itself uses it, as the simulator does. A gateway that
 * is not a simulator by its address, or one that uses another name for a wallet in the same currency,
 * has real operators, and none of those is called "Operator 1".
 *
 * @param sold the currencies of the regions that offer mobile money
 */
export function neutralNames(
  account: Account,
  sold: ReadonlySet<string>,
  said: readonly SaidOperator[],
): NeutralNames | undefined {
  if (!account.currencies.some((code) => sold.has(code))) return undefined
  const own = saidOf(account, said)
  const learned = learnedNames(account, said)
  // `parseBaseUrl` takes http towards a simulator only.
  const isElsewhere = account.baseUrl.startsWith("https:")
  const labels = operatorsNeeded(account, sold).flatMap(({ label, country, currencies }) => {
    const operator = OPERATORS.find((one) => one.label === label && one.country === country)
    if (!operator) return []
    const { method } = operator
    if (Object.hasOwn(account.wireNames, `${method}.label`)) return []
    if (own.some(({ paymentMethod }) => paymentMethod === method)) return []
    const words = learned.map(({ payment_method: word }) => word)
    const isOther = own.some(
      ({ paymentMethod, currency }) =>
        words.includes(paymentMethod) && currencies.includes(currency),
    )
    return isElsewhere || isOther ? [label] : []
  })
  if (labels.length === 0) return undefined
  return { account: account.label, labels, learned: learned.map(({ carrier }) => carrier) }
}
