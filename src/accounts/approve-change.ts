/**
 * A second admin approves a change of an account by the request's id, and enters nothing: the
 * secret was kept encrypted, for the address and client that it was entered for. What is saved is
 * what the admin was shown, or nothing.
 */
import { refusal } from "../core/refusal"
import { requestToApprove, type RequestAnswer } from "../ledger/ask-another-admin"
import { keyOf } from "../ledger/accounts/credentials"
import { findStoredAccount } from "../ledger/accounts/stored-accounts"
import { keptNote } from "../ledger/kept-note"
import { endedRefusal, findRequest, requestOfKind, type TwoAdminRequest } from "../ledger/requests"
import type { AccountDeps } from "./deps"
import type { Approval } from "./guard-account"
import { sealedFor } from "./kept-secret"
import { removeAccount } from "./remove-account"
import type { AccountBody } from "./schemas/accounts"
import { bodyOfChanges } from "./rules/body-of-changes"
import { changeAccount, createAccount } from "./save-account"

/**
 * @returns the request, approved now or by an earlier click
 * @throws Refusal as `requestToApprove`, and as the change itself, such as `changed_meanwhile`: the
 *   request then waits on
 */
export async function approveChange(
  deps: AccountDeps,
  answer: RequestAnswer,
): Promise<TwoAdminRequest> {
  const { database, people } = deps
  const { id, adminId, note } = answer
  const request = await requestToApprove(database, people, ["ACCOUNT"], answer)
  if (request.state === "approved") return request
  const { proposal } = request
  if (!proposal) throw endedRefusal({ ...request, state: "closed" })
  const use = { id, approvedBy: adminId, answer: note === undefined ? null : keptNote(note) }
  try {
    await carryOut(deps, { use, request: { ...request, proposal } })
  } catch (error) {
    // Another click was faster.
    if ((await findRequest(database, id))?.state !== "approved") throw error
  }
  return requestOfKind(database, id, ["ACCOUNT"])
}

async function carryOut(deps: AccountDeps, approval: Approval): Promise<void> {
  const { approvedBy } = approval.use
  const { accountId, name, changes } = approval.request.proposal
  if (name === "removed") return removeAccount(deps, accountId, approvedBy, approval)
  const stored = await findStoredAccount(deps.database, accountId)
  const body = bodyOfChanges(changes)
  const { baseUrl = "" } = stored?.account ?? {}
  const place = {
    accountId,
    baseUrl: body.base_url ?? baseUrl,
    clientId: body.client_id ?? stored?.credential?.clientId ?? "",
  }
  const whole = { ...body, ...secretIn(deps, approval, place) }
  if (name === "created") await createAccount(deps, whole, approvedBy, approval)
  else if (!stored) throw refusal("account_not_found")
  else
    await changeAccount(
      deps,
      accountId,
      { ...whole, version: stored.version },
      approvedBy,
      approval,
    )
}

/** @throws Refusal `request_ended` where its key is gone, or address or client are others now */
function secretIn(
  { box }: AccountDeps,
  { request }: Approval,
  place: Parameters<typeof keyOf>[0],
): Pick<AccountBody, "client_secret"> {
  if (!("client_secret" in request.proposal.changes)) return {}
  const secret = request.sealed && box.open(request.sealed, sealedFor(keyOf(place).id))
  if (!secret) throw endedRefusal({ ...request, state: "closed" })
  return { client_secret: secret }
}
