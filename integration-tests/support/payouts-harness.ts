/**
 * Payouts and transfers, for their suites: over a real ledger and the simulator, whose book says
 * what truly left the wallet. After each test the oracle is asked, of all that an admin was shown,
 * too.
 */
import { randomUUID } from "node:crypto"
import { checkNow } from "../../src/worker/check-due-operations"
import { resolveOperation } from "../../src/review/resolve"
import { payoutView, readPayout } from "../../src/payouts/payout-view"
import type { FlowDeps } from "../../src/engine/deps"
import { requestPayout, type PayoutRequest } from "../../src/payouts/request-payout"
import type { TransferRequest } from "../../src/payouts/request-transfer"
import { SECOND } from "./an-operation"
import { PHONE } from "./flows-harness"
import type { LedgerDatabase } from "./ledger-database"
import { breachesIn, forgetPlans, LOST, useFlowsHarness } from "./use-flows-harness"

export const PASSCODE = "CANARY-passcode-7731"
export const WRONG = "CANARY-wrong-passcode"
const ADMINS_PHONE = "231770000077"

export const passcodeOf = (code: string): PayoutRequest["passcode"] => ({
  token: { code, phone: ADMINS_PHONE },
  device: { name: "till", type: "SERVER", platform: "NODE", userAgent: "shop", clientIp: "::1" },
})

export function payoutOf(given: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    idempotencyKey: randomUUID(),
    amount: 12.5,
    currency: "usd",
    note: "for the carpenter",
    askedBy: "user_admin",
    name: "Ada Carpenter",
    phone: PHONE,
    countryCode: undefined,
    passcode: passcodeOf(PASSCODE),
    ...given,
  }
}

/** Payouts and transfers are off by default; with what else the account says of them. */
export const letMoneyOut = ({ sql }: Pick<LedgerDatabase, "sql">, policies: object = {}) =>
  sql("update mp_account set policies = $1", [JSON.stringify({ money_out: true, ...policies })])

/**
 * Registers the suite's hooks; the harness is there inside tests only.
 *
 * @param isLedgerWhole false: the suite plays backups back, so that the ledger lacks what was sent
 */
export function usePayoutsHarness({ isLedgerWhole = true } = {}) {
  const harness = useFlowsHarness({ passcode: PASSCODE }, ({ ledger }) => letMoneyOut(ledger))
  /** Whatever an admin was shown, beside what was logged. */
  const shown: string[] = []

  afterEach(async () => {
    const output = {
      texts: [...harness.logged, ...shown],
      secrets: ["simulator-secret", PASSCODE, WRONG],
      phones: [PHONE.slice(1), ADMINS_PHONE],
    }
    const breaches = await breachesIn(harness, { output })
    expect(breaches.filter((one) => isLedgerWhole || !LOST.test(one))).toEqual([])
    await harness.ledger.sql(
      "update mp_account set checks_paused_until = null, checks_left = checks_per_second_max",
    )
    forgetPlans(harness)
    harness.simulator.backOffice.setVerified(1, true)
  })

  const walletId = (currency = "USD") =>
    harness.simulator.book.wallets().find((one) => one.ownerId === 1 && one.currency === currency)
      ?.id ?? 0

  async function transferOf(given: Partial<TransferRequest> = {}): Promise<TransferRequest> {
    const { parties, counterparties } = harness.gateway
    const party = await parties.create({ fullname: "Branch", phone: PHONE.slice(1) })
    if (party.kind !== "done") throw party.error
    const made = await counterparties.create({
      relationshipType: "PARTNER",
      partyId: party.value.id,
    })
    if (made.kind !== "done") throw made.error
    const { idempotencyKey, note, askedBy } = payoutOf()
    return {
      idempotencyKey,
      note,
      askedBy,
      amount: "30.00",
      currency: "USD",
      fromWalletId: walletId(),
      toCounterpartyId: made.value.id,
      ...given,
    }
  }

  async function pay(request: PayoutRequest, deps: FlowDeps = harness.deps) {
    const view = payoutView(await requestPayout(deps, request))
    shown.push(JSON.stringify(view))
    return view
  }

  /** The code of its refusal, kept for the oracle word for word. */
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      (value) => value,
      (error: unknown) => {
        shown.push(`${String(error)} ${JSON.stringify(error)}`)
        return error instanceof Error && "code" in error ? error.code : String(error)
      },
    )

  async function under(key: string) {
    const [row] = await harness.ledger.sql(
      "select id, type from mp_operation where idempotency_key = $1",
      [key],
    )
    if (!row) return undefined
    const type = row["type"] === "TRANSFER" ? "TRANSFER" : "PAYOUT"
    return payoutView(await readPayout(harness.deps, type, String(row["id"])))
  }

  /**
   * So much time passes for the ledger's row, at the gateway as much as it needs to end what it
   * does.
   */
  async function checkAfter(key: string, afterMs: number, laterMs = Math.min(afterMs, 5 * SECOND)) {
    const found = await under(key)
    if (!found) throw new Error(`nothing was made under ${key}`)
    harness.later(laterMs)
    await harness.pass(found.id, afterMs)
    await checkNow(harness.deps, found.id)
    return under(key)
  }

  const bookOf = (reference: string | null | undefined) =>
    harness.simulator.book.moneyOut(reference ?? "")
  const sentIn = (book = harness.simulator.book) => book.payouts().length + book.transfers().length

  const decide = (view: { id: string } | undefined, action: "accept" | "refund" | "dismiss") =>
    resolveOperation(harness.deps, {
      operationId: view?.id ?? "",
      action,
      note: "looked it up in the portal",
      adminId: "user_ada",
    })

  return {
    harness,
    walletId,
    transferOf,
    pay,
    codeOf,
    under,
    checkAfter,
    bookOf,
    sentIn,
    decide,
  }
}
