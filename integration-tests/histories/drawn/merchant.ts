/** What admins change of the account: its rules, and the secret of its client at the gateway. */
import { approveChange } from "../../../src/accounts/approve-change"
import { refuseChange } from "../../../src/accounts/guard-account"
import type { AccountDeps } from "../../../src/accounts/deps"
import { changeAccount } from "../../../src/accounts/save-account"
import { idFrom, type AccountId, type AdminId } from "../../../src/core/ids"
import { Refusal } from "../../../src/core/refusal"
import type { FlowDeps } from "../../../src/engine/deps"
import { listStoredAccounts } from "../../../src/ledger/accounts/stored-accounts"
import { findRequest, type TwoAdminRequest } from "../../../src/ledger/requests"
import { accountDepsOf, NO_ENVIRONMENT } from "../../support/account-deps"
import { CLIENT_ID } from "../secrets"
import type { Deeds } from "./commands"
import { ADMINS } from "./kinds"
import type { RuleChange } from "./merchant-rules"
import type { World } from "./world"

const NEWEST = `
  select id from mp_approval where kind = 'ACCOUNT' order by asked_at desc, id limit 1`

type Saved = RuleChange & { readonly client_id?: string; readonly client_secret?: string }
type Given = { readonly by: string; readonly isAgreed: boolean }

export function merchantIn(world: World): Deeds<"rules" | "agree" | "credentials"> {
  const { processes, ledger, secret, rules } = world
  const save = (change: Saved, { by, isAgreed }: Given) =>
    processes.launch(processes.serve("shop"), async (deps) => {
      const account = accountsIn(deps)
      try {
        await changed(account, change, by)
      } catch (error) {
        const id = requestIn(error)
        if (id === undefined || !isAgreed) throw error
        // The same may wait since another admin has asked for it.
        const { askedBy = by } = (await findRequest(deps.database, id)) ?? {}
        const other = ADMINS.find((one) => one !== askedBy) ?? by
        rules.approved(other, askedBy, change)
        await approveChange(account, { id, adminId: idFrom<AdminId>(other), note: undefined })
      }
      rules.saved(change)
    })
  return {
    rules({ to, by, isAgreed }) {
      rules.asked(by, to)
      save(to, { by, isAgreed })
    },
    async agree({ press, by }) {
      const [row] = await ledger.sql(NEWEST)
      const request = row && (await findRequest(ledger.database, String(row["id"])))
      if (!request) return
      const answer = { id: request.id, adminId: idFrom<AdminId>(by), note: undefined }
      const to = changeIn(request)
      if (press === "approve") rules.approved(by, request.askedBy, to)
      processes.launch(processes.serve("shop"), async (deps) => {
        if (press === "refuse") return refuseChange(deps, answer)
        await approveChange(accountsIn(deps), answer)
        rules.saved(to)
      })
    },
    credentials({ does, by, isAgreed }) {
      if (does === "replace") return secret.replace()
      const typed = does === "type" ? secret.now : `${secret.now}-mistyped`
      save({ client_id: CLIENT_ID, client_secret: typed }, { by, isAgreed })
    },
  }
}

/** The account is one that an admin made, and no variable of the environment. */
const accountsIn = (deps: FlowDeps): AccountDeps =>
  accountDepsOf(
    { deps },
    { box: deps.box, environment: { ...NO_ENVIRONMENT, id: idFrom<AccountId>("mpacc_variables") } },
  )

/** The admin's page knows the account as it was read; it is saved in that version. */
async function changed(deps: AccountDeps, change: Saved, by: string): Promise<void> {
  const [stored] = await listStoredAccounts(deps.database)
  if (!stored) throw new Error("no account")
  const { account, version } = stored
  await changeAccount(deps, account.id, { ...change, version }, idFrom<AdminId>(by))
}

function requestIn(error: unknown): string | undefined {
  if (!(error instanceof Refusal) || error.code !== "account_needs_second_admin") return undefined
  const { request_id: id } = error.details
  return typeof id === "string" ? id : undefined
}

const POLICY = "policies."

/** Which rules a request changes. */
function changeIn({ proposal }: TwoAdminRequest): RuleChange {
  const named = Object.entries(proposal?.changes ?? {})
    .filter(([name]) => name.startsWith(POLICY))
    .map(([name, { to }]) => [name.slice(POLICY.length), to])
  return { policies: Object.fromEntries(named) }
}
