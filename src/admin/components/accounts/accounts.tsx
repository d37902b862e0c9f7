/** The accounts that take the money, with their actions. */
import { Alert, Badge, StatusBadge, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { accountActs, accountName, useAccounts } from "../../lib/accounts"
import type {
  AccountResponse,
  ConnectionTestResponse,
  CredentialResponse,
} from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { AccountEvents } from "./account-events"
import { AccountForm } from "./account-form"
import { AccountView } from "./account-view"
import { CheckLines, CheckText } from "./check-lines"
import { FirstSetup } from "./first-setup"
import { LearnedNames } from "./learned-names"
import { RequestList } from "../requests"
import { Button, Hint, Problem, Section, Strong, Waiting } from "../parts"

/** Undefined: no form is open. Null: the form of a new account. */
type Open = AccountResponse | null | undefined

const COLOURS = {
  ready: "green",
  refused: "red",
  no_currency: "orange",
  no_secret: "orange",
  secret_unreadable: "red",
  key_missing: "red",
  address_changed: "red",
} as const

export function Accounts() {
  const { say } = useWords()
  const { data, error, refetch } = useAccounts()
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  if (!data && !error) return <Waiting />
  const key = data?.encryption
  return (
    <>
      {data && <FirstSetup accounts={data} onOpen={setOpen} />}
      <Section
        title={say("accounts.title")}
        beside={data && <Button onClick={() => setOpen(null)}>{say("accounts.add")}</Button>}
      >
        <Problem isInset error={error} again={() => void refetch()} />
        {key && key.message !== null && (
          <div className="px-6 py-4">
            <Alert variant={key.has_key ? "error" : "warning"} data-testid="encryption">
              <span className="flex flex-col gap-y-1">
                <span className="font-medium">{say("accounts.noKey")}</span>
                <span className="break-words">
                  <CheckText code={key.code} message={key.message} />
                </span>
              </span>
            </Alert>
          </div>
        )}
        {data && <RequestList requests={data.waiting} />}
        {data?.accounts.length === 0 && (
          <div className="px-6 py-6">
            <Strong>{say("accounts.empty")}</Strong>
            <Hint>{say("accounts.emptyText")}</Hint>
          </div>
        )}
        {data?.accounts.map((account) => (
          <OneAccount key={account.id} account={account} onOpen={() => setOpen(account)} />
        ))}
        {open?.source === "environment" && <AccountView account={open} onClose={close} />}
        {open !== undefined && open?.source !== "environment" && (
          <AccountForm account={open} onClose={close} />
        )}
      </Section>
    </>
  )
}

function OneAccount(props: { readonly account: AccountResponse; readonly onOpen: () => void }) {
  const { account } = props
  const { say, day } = useWords()
  const prompt = usePrompt()
  const [tested, setTested] = useState<ConnectionTestResponse | null>(null)
  const [testedVersion, setTestedVersion] = useState(account.version)
  const test = useAct(() => accountActs.test(account.id, {}), setTested)
  // A result belongs to the account as it was tested.
  if (testedVersion !== account.version) {
    setTestedVersion(account.version)
    setTested(null)
  }
  const testNow = () => {
    setTested(null)
    test.mutate()
  }
  const remove = useAct(() => accountActs.remove(account.id), "accounts.removed")
  const ask = async () => {
    const isSure = await prompt({
      title: say("accounts.removeTitle", { label: account.label }),
      description: say("accounts.removeText"),
      confirmText: say("accounts.remove"),
      cancelText: say("general.cancel"),
    })
    if (isSure) remove.mutate()
  }
  const isOurs = account.source === "admin"
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4" data-testid="account">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-y-1">
          <div className="flex flex-wrap items-center gap-2">
            <Strong>{accountName(say, account)}</Strong>
            <StateBadge account={account} />
            {account.is_default && <Badge size="2xsmall">{say("accounts.isDefault")}</Badge>}
            {!isOurs && <Badge size="2xsmall">{say("accounts.environment")}</Badge>}
          </div>
          <Hint className="break-words">{account.base_url}</Hint>
          <Hint>
            {account.currencies.join(", ") || say("accounts.noCurrencies")}
            {account.secret_saved_at &&
              ` · ${say("accounts.secretSaved", { when: day(account.secret_saved_at) })}`}
          </Hint>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button isLoading={test.isPending} onClick={testNow}>
            {say("accounts.test")}
          </Button>
          <Button onClick={props.onOpen}>{say(isOurs ? "accounts.edit" : "accounts.view")}</Button>
          {isOurs && (
            <Button variant="transparent" isLoading={remove.isPending} onClick={() => void ask()}>
              {say("accounts.remove")}
            </Button>
          )}
        </div>
      </div>
      {account.state_message && (
        <Alert variant="warning">
          <CheckText code={account.state_code} message={account.state_message} />
        </Alert>
      )}
      <Problem error={test.error ?? remove.error} />
      {tested && <CheckLines lines={tested.lines} />}
      <LearnedNames account={account} />
      <FormerCredentials account={account} />
      <AccountEvents accountId={account.id} />
    </div>
  )
}

function StateBadge({ account }: { readonly account: AccountResponse }) {
  const { say } = useWords()
  const { state, state_code: problem, currencies } = account
  const isReady = state === "ready"
  const name =
    isReady && problem !== null
      ? "refused"
      : isReady && currencies.length === 0
        ? "no_currency"
        : state
  return <StatusBadge color={COLOURS[name]}>{say(`accounts.state_${name}`)}</StatusBadge>
}

/**
 * Credentials that an account used before. They stay for the payments made with them, until an
 * admin deletes them.
 */
function FormerCredentials({ account }: { readonly account: AccountResponse }) {
  const { say } = useWords()
  const former = account.credentials.filter(({ status }) => status === "draining")
  if (former.length === 0) return null
  return (
    <div className="flex flex-col gap-y-3" data-testid="former-credentials">
      <div className="flex flex-col">
        <Strong>{say("former.title")}</Strong>
        <Hint>{say("former.text")}</Hint>
      </div>
      <ul className="flex flex-col gap-y-3">
        {former.map((credential) => (
          <Former key={credential.id} accountId={account.id} credential={credential} />
        ))}
      </ul>
    </div>
  )
}

function Former(props: { readonly accountId: string; readonly credential: CredentialResponse }) {
  const { accountId, credential } = props
  const { say, day } = useWords()
  const prompt = usePrompt()
  const drop = useAct(() => accountActs.dropCredential(accountId, credential.id), "former.dropped")
  const ask = async () => {
    const isSure = await prompt({
      title: say("former.dropTitle", { client: credential.client_id }),
      description: say("former.dropText"),
      confirmText: say("former.drop"),
      cancelText: say("general.cancel"),
    })
    if (isSure) drop.mutate()
  }
  const facts = [
    credential.has_secret
      ? say("accounts.secretSaved", { when: day(credential.secret_saved_at) })
      : say("former.noSecret"),
    credential.owner_id !== null && say("former.merchant", { id: String(credential.owner_id) }),
  ].filter(Boolean)
  return (
    <li className="flex flex-col gap-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-y-1">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-xs break-words">{credential.client_id}</span>
            <StatusBadge color="orange">{say("former.state")}</StatusBadge>
          </div>
          <Hint>{facts.join(" · ")}</Hint>
        </div>
        <Button
          variant="transparent"
          aria-label={`${say("former.drop")}: ${credential.client_id}`}
          isLoading={drop.isPending}
          onClick={() => void ask()}
        >
          {say("former.drop")}
        </Button>
      </div>
      <Problem error={drop.error} />
    </li>
  )
}
