/** Changes of accounts that wait for a second admin, who agrees or refuses. */
import { usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { accountActs, agree } from "../../lib/accounts"
import { useAct, useAdminName, useOwnId } from "../../lib/queries"
import type { AccountsResponse, WaitingChangeResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { TextField } from "../fields"
import { Button, Hint, Problem, Strong } from "../parts"
import { ChangeLines } from "./account-events"

export function WaitingChanges({ accounts, waiting }: AccountsResponse) {
  const { say } = useWords()
  if (waiting.length === 0) return null
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4" data-testid="waiting-changes">
      <Strong>{say("waiting.title")}</Strong>
      <Hint>{say("waiting.text")}</Hint>
      <ul className="flex flex-col gap-y-6">
        {waiting.map((change) => (
          <OneChange
            key={change.id}
            change={change}
            version={accounts.find(({ id }) => id === change.account_id)?.version}
          />
        ))}
      </ul>
    </div>
  )
}

function OneChange(props: {
  readonly change: WaitingChangeResponse
  /** The version that the admin has seen: agreeing fails if it changed. Undefined: a new account. */
  readonly version: number | undefined
}) {
  const { change, version } = props
  const { say, time } = useWords()
  const prompt = usePrompt()
  const [secret, setSecret] = useState("")
  const who = useAdminName(change.asked_by) ?? ""
  const isOwn = useOwnId() === change.asked_by
  const asksForSecret = !isOwn && "client_secret" in change.changes
  const agreeing = useAct(() => agree(change, version, secret), "waiting.agreed")
  const refusing = useAct(() => accountActs.refuseChange(change.id), "waiting.refused")
  const title = say(`waiting.${change.name}`, { who, label: change.label })
  const ask = async () => {
    const isSure = await prompt({
      title,
      description: say("waiting.sure"),
      confirmText: say("waiting.agree"),
      cancelText: say("general.cancel"),
    })
    if (isSure) agreeing.mutate()
  }
  return (
    <li className="flex flex-col gap-y-3" data-testid="waiting-change">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col">
          <Strong>{title}</Strong>
          <Hint>{say("waiting.until", { when: time(change.ends_at) })}</Hint>
          <ChangeLines changes={change.changes} />
        </div>
        <div className="flex flex-wrap gap-2">
          {!isOwn && (
            <Button
              isLoading={agreeing.isPending}
              disabled={asksForSecret && secret === ""}
              onClick={() => void ask()}
            >
              {say("waiting.agree")}
            </Button>
          )}
          <Button
            variant="transparent"
            isLoading={refusing.isPending}
            onClick={() => refusing.mutate()}
          >
            {say(isOwn ? "waiting.withdraw" : "waiting.refuse")}
          </Button>
        </div>
      </div>
      {asksForSecret && (
        <TextField
          label={say("account.client_secret")}
          hint={say("waiting.secretHint")}
          type="password"
          value={secret}
          onChange={setSecret}
        />
      )}
      {isOwn && <Hint>{say("waiting.own")}</Hint>}
      <Problem error={agreeing.error ?? refusing.error} />
    </li>
  )
}
