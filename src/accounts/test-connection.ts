/**
 * Tests what works with an account's address and credentials. It makes only reading calls, so
 * nothing is written, and sends the secret to the token service only. What can't be known after a
 * failure is skipped, not guessed. The whole test takes no longer than its deadline.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { CurrencyCode } from "../core/money"
import { systemIds } from "../core/ports"
import { refusal, type Refusal } from "../core/refusal"
import { HARMLESS_QUESTIONS } from "../gateway"
import type { AmountAndFees, CallOptions, Gateway, Outcome } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import { operatorsNeeded, type NeededOperator } from "../core/account-operators"
import type { AccountId } from "../core/ids"
import type { AccountDeps } from "./deps"
import { callsWithin, gate } from "./gate"
import { openSecret, type OpenedSecret } from "./kept-secret"
import { storedAccount } from "./read-accounts"
import type { AccountBody, AccountState } from "./schemas/accounts"
import type { CheckLine, ConnectionTestResponse } from "./schemas/health"
import { NEW_ACCOUNT } from "./rules/account-settings"
import { checkLine, failed, type Line } from "./rules/health"
import { refuseOtherAddress, settingsOf } from "./save-account"
import {
  clockLine,
  credentialsLine,
  failedToReach,
  feesLine,
  lessonLine,
  NOT_ASKED,
  operatorLine,
  reachableLine,
  soldLine,
  tokenLine,
  verifiedLine,
  type SeenDate,
} from "./test-lines"

/** The id of an account that is not saved: everything comes in the body. */
const UNSAVED = "new"

/** Calls to the gateway at once, at most: a test must not cause a 429. */
const AT_ONCE = 2

/**
 * @param body typed values; the secret may be left out if one is kept for address and client
 * @throws Refusal `account_not_found`, `account_read_only`, `invalid_request`, `secret_required`
 */
export async function testConnection(
  deps: AccountDeps,
  id: AccountId,
  body: AccountBody,
): Promise<ConnectionTestResponse> {
  const dates: SeenDate[] = []
  const onDate = (date: string) => void dates.push({ date, seenAt: deps.clock.now() })
  const opened = await open(deps, id, body, onDate)
  const testedAt = deps.clock.now().toISOString()
  if ("line" in opened) return { lines: [opened.line], tested_at: testedAt }
  const { gateway, account } = opened
  try {
    return { lines: await linesOf(deps, gateway, account, dates), tested_at: testedAt }
  } finally {
    // Not awaited: closing waits for calls that are still under way.
    void gateway.close()
  }
}

type Opened =
  { readonly gateway: Gateway; readonly account: Account } | { readonly line: CheckLine }

async function open(
  deps: AccountDeps,
  id: AccountId,
  body: AccountBody,
  onDate: (date: string) => void,
): Promise<Opened> {
  const { environment } = deps
  if (id === environment.id) {
    const gateway = deps.openEnvironmentGateway(onDate)
    if (!environment.account || !gateway) throw secretRequired()
    const isTyped = [body.base_url, body.client_id, body.client_secret].some((one) => one)
    if (isTyped) {
      await gateway.close()
      throw refusal("account_read_only")
    }
    return { gateway, account: environment.account }
  }
  const stored = id === UNSAVED ? undefined : await storedAccount(deps, id)
  const typed = { ...body, label: stored?.account.label ?? "Unsaved", is_default: undefined }
  const settings = settingsOf(deps, stored?.account ?? NEW_ACCOUNT, typed)
  const account: Account = { ...settings, id, isDefault: false }
  const credential = stored?.credential ?? null
  refuseOtherAddress(account, body, credential)
  const clientId = body.client_id ?? credential?.clientId
  if (clientId === undefined) throw secretRequired()
  const opened: OpenedSecret =
    body.client_secret === undefined
      ? openSecret(deps.box, credential, account)
      : { state: "ready", secret: body.client_secret }
  if (opened.state === "no_secret") throw secretRequired()
  if (opened.state !== "ready") return { line: notOpened(opened.state) }
  const { secret: clientSecret } = opened
  const { baseUrl } = account
  return { gateway: deps.openGateway({ baseUrl, clientId, clientSecret }, onDate), account }
}

async function linesOf(
  deps: AccountDeps,
  gateway: Gateway,
  account: Account,
  dates: readonly SeenDate[],
): Promise<CheckLine[]> {
  const options = callsWithin(deps.clock, LIMITS.connectionTestMs)
  const sold = await soldIn(deps)
  const token = await gateway.token.check(options())
  const unreached = failedToReach(token, account)
  const inTurn = gate(AT_ONCE)
  /** Without a token no other call can be made. */
  const asked = (line: () => Promise<Line>) => (token.kind === "done" ? inTurn(line) : NOT_ASKED)
  const lines: readonly (readonly [name: string, line: Line | Promise<Line>])[] = [
    ["reachable", unreached ?? reachableLine(account)],
    ["credentials", unreached ? NOT_ASKED : credentialsLine(token)],
    ["token_lifetime", unreached ? NOT_ASKED : tokenLine(token)],
    ["clock", clockLine(dates.at(0))],
    ["verified", asked(async () => verifiedLine(await gateway.links.pay(NO_SOURCE, options())))],
    ["fees", asked(async () => feesLine(await gateway.fees.tiers(options())))],
    ...(sold ? [["sold", soldLine(account, sold)] as const] : []),
    ...operatorsNeeded(account, sold).map((operator) => {
      const line = async () => operatorLine(operator, await askAbout(gateway, operator, options))
      return [`operator:${operator.payment_method}`, asked(line)] as const
    }),
    ...lessonsOf(gateway, operatorsNeeded(account, sold), options).map(
      ([name, line]) => [name, asked(line)] as const,
    ),
  ]
  return Promise.all(lines.map(async ([name, line]) => checkLine(name, await line)))
}

/** No source has this number. The gateway refuses an unverified merchant before it searches. */
const NO_SOURCE = { sourceType: "ORDER", sourceNumber: "connection-test" } as const

/** What the regions sell in, as Medusa has it; undefined: it can't be read just now. */
async function soldIn({ setup, logger }: AccountDeps): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await setup.read()).regions.map(({ currency }) => currency))
  } catch (error) {
    logger.warn(`merchant payments: the regions could not be read: ${errorText(error)}`)
    return undefined
  }
}

/** One unit of a currency with cents, such as a dollar; a hundred units of one without. */
const ONE_UNIT_MINOR = 100n

/** The questions that a live suite asks too; an account that needs no operator asks none. */
function lessonsOf(
  gateway: Gateway,
  operators: readonly NeededOperator[],
  options: () => CallOptions,
): (readonly [name: string, line: () => Promise<Line>])[] {
  const [operator] = operators
  const [currency] = operator?.taken ?? []
  if (!operator || !currency) return []
  const about = {
    prediction: predictionOf(operator, currency),
    unusedReference: systemIds.reference(),
  }
  return Object.entries(HARMLESS_QUESTIONS).map(([name, ask]) => [
    name,
    async () => lessonLine(await ask(gateway, about, options())),
  ])
}

function predictionOf(operator: NeededOperator, currency: CurrencyCode) {
  return {
    baseAmount: { minor: ONE_UNIT_MINOR, currency },
    targetCurrency: currency,
    paymentMethod: operator.payment_method,
    provider: operator.provider,
    operationType: "COLLECTION",
    feeBearer: "PAYEE",
  } as const
}

/** Asks for predictions of payments through this operator, one by one; no payment is made. */
async function askAbout(gateway: Gateway, operator: NeededOperator, options: () => CallOptions) {
  const asked: [CurrencyCode, Outcome<AmountAndFees>][] = []
  for (const currency of operator.taken) {
    const request = predictionOf(operator, currency)
    asked.push([currency, await gateway.predictions.amountAndFees(request, options())])
  }
  return asked
}

function secretRequired(): Refusal {
  return refusal("secret_required", {}, { field: "client_secret" })
}

function notOpened(state: AccountState): CheckLine {
  const isChanged = state === "address_changed"
  const code = isChanged ? "secret_address_changed" : "secret_unreadable"
  const found = failed(code, { state: isChanged ? state : "secret_unreadable" })
  return checkLine("credentials", found)
}
