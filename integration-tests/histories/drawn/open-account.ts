/** The account of a history, as an admin has saved it before: its rules, its client and its secret. */
import { sealedFor } from "../../../src/accounts/kept-secret"
import { adoptCredential } from "../../../src/ledger/accounts/credentials"
import { listAccounts } from "../../../src/ledger/accounts/find-accounts"
import { testBox } from "../../support/test-box"
import { CLIENT_ID, CLIENT_SECRET } from "../secrets"
import type { DrivenLedger } from "./ledger"
import type { Rules } from "./merchant-rules"

const RULE = `
  update mp_account
     set fee_bearer = $1, order_placement = $2, credential_id = $4, version = 1,
         policies = policies || '{"money_out": true}' || $3::jsonb`

const SECRET = `
  update mp_credential
     set secret_ciphertext = $2, key_id = $3, secret_saved_at = now() where id = $1`

export async function openAccount(ledger: DrivenLedger, rules: Rules): Promise<void> {
  const [account] = await listAccounts(ledger.database)
  if (!account) throw new Error("no account")
  const { id, baseUrl } = account
  // Each simulator is the same gateway, whatever its port.
  const made = await adoptCredential(ledger.database, {
    accountId: id,
    baseUrl,
    clientId: CLIENT_ID,
  })
  const sealed = testBox.seal(CLIENT_SECRET, sealedFor(made.id))
  await ledger.sql(SECRET, [made.id, sealed?.ciphertext, sealed?.keyId])
  const { feeBearer, orderPlacement, policies } = rules
  await ledger.sql(RULE, [feeBearer, orderPlacement, JSON.stringify(policies), made.id])
}
