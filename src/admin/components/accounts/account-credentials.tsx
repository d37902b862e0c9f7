/**
 * Credentials that an account used before. They stay for the payments made with them, until an
 * admin deletes them.
 */
import { StatusBadge, toast, usePrompt } from "@medusajs/ui"
import { accountActs } from "../../lib/accounts"
import type { AccountResponse, CredentialResponse } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem, Strong } from "../parts"

export function FormerCredentials({ account }: { readonly account: AccountResponse }) {
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
  const drop = useAct(
    () => accountActs.dropCredential(accountId, credential.id),
    () => toast.success(say("former.dropped")),
  )
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
