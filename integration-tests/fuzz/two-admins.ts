/** What waits for a second admin: money out, a refund and a change of an account. */
import { randomUUID } from "node:crypto"
import { anotherAdmin } from "../http/support/second-admin"
import { expectOk } from "../http/support/shop"
import type { Harness } from "../http/support/harness"
import type { Fixture } from "./fixture"
import type { Rows } from "./rows"

const ROOT = "/admin/merchant-payments"
const SECOND_ADMIN = { email: "second@example.com", password: "another-password" }
/** Typed by admins; no answer may hold it. */
export const PAYEE = "+231770000042"
export const PASSCODE = "CANARY-passcode-5519"

/** Some are sent by one admin; what comes later is above the limit of a day. */
const SENDING = { money_out: true, money_out_by_api_key: true }
const RULES = {
  money_out_second_admin_above: { USD: 20 },
  refund_second_admin_above: { USD: 5 },
}

export const payoutBody = (key: string, amount: string) => ({
  idempotency_key: key,
  amount,
  currency: "USD",
  name: "Ada Carpenter",
  phone: PAYEE,
  passcode: PASSCODE,
})

export const transferBody = (key: string, amount: string, wallets: Fixture["wallets"]) => ({
  idempotency_key: key,
  amount,
  currency: "USD",
  ...wallets,
})

/** One that needs no second admin: it takes no currency, and sends nothing. */
export const anotherAccount = (label: string, secret: string) => ({
  label,
  base_url: "http://localhost:9",
  client_id: randomUUID(),
  client_secret: secret,
  currencies: [],
})

/** For a while one admin is enough, and then two are asked for again. */
export async function askForSecondAdmin({ sql }: Harness, isAsked: boolean): Promise<void> {
  const rules = Object.keys(RULES).map((name) => `- '${name}'`)
  await sql(`update mp_account set policies = policies ${rules.join(" ")} || $1::jsonb`, [
    JSON.stringify({ ...SENDING, ...(isAsked && RULES) }),
  ])
}

/** @returns the second admin's token */
export async function tokenOfSecond(harness: Harness): Promise<string> {
  await anotherAdmin(harness, SECOND_ADMIN)
  const { token } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", SECOND_ADMIN),
  )
  return token
}

/** One of each is asked for again, in the place of those that were answered since. */
export async function askForTwo(
  { admin }: Harness,
  { payments }: Rows,
  wallets: Fixture["wallets"],
): Promise<void> {
  const asked = () => `fuzz-${randomUUID()}`
  await Promise.all([
    admin.call("POST", `${ROOT}/payouts`, payoutBody(asked(), "21.00")),
    admin.call("POST", `${ROOT}/transfers`, transferBody(asked(), "21.00", wallets)),
    admin.call("POST", `${ROOT}/accounts`, {
      ...anotherAccount(asked(), "of-another-client"),
      policies: { money_out: true },
    }),
    ...payments
      .slice(0, 2)
      .map((id) => admin.call("POST", `/admin/payments/${id}/refund`, { amount: 6 })),
  ])
}

const BROKEN = `
  select id || ' was approved by who asked for it, or by no user' as told from mp_approval a
   where a.approved_by is not null
     and (a.approved_by = a.asked_by or not exists (select from "user" u where u.id = a.approved_by))`

/** Whether each approval is of two people, however often and at once it was asked for. */
export async function breachesOfTwo({ sql }: Harness): Promise<string[]> {
  return (await sql<{ told: string }>(BROKEN)).map(({ told }) => told)
}
