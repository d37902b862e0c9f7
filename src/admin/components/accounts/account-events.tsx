/**
 * The changes of an account, and those that wait for a second admin; read when the list is opened.
 */
import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useAccountEvents } from "../../lib/accounts"
import type { AccountEventResponse } from "../../lib/responses"
import { useAdminName } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem, Waiting } from "../parts"

export function AccountEvents({ accountId }: { readonly accountId: string }) {
  const { say } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-y-3">
      <div>
        <Button variant="transparent" onClick={() => setOpen(!isOpen)}>
          {say(isOpen ? "accountEvents.hide" : "accountEvents.show")}
        </Button>
      </div>
      {isOpen && <Opened accountId={accountId} />}
    </div>
  )
}

function Opened({ accountId }: { readonly accountId: string }) {
  const { say } = useWords()
  const { data, error, refetch } = useAccountEvents(accountId)
  if (error) return <Problem error={error} again={() => void refetch()} />
  if (!data) return <Waiting />
  if (data.events.length === 0) return <Hint>{say("accountEvents.none")}</Hint>
  return (
    <ol className="flex flex-col gap-y-3" data-testid="account-events">
      {data.events.map((event) => (
        <Happened key={event.id} event={event} />
      ))}
    </ol>
  )
}

function Happened({ event }: { readonly event: AccountEventResponse }) {
  const { say, time } = useWords()
  const who = useAdminName(event.by) ?? ""
  const first = useAdminName(event.asked_by)
  return (
    <li className="flex flex-col">
      <Text size="small" weight="plus">
        {say(`accountEvents.${event.name}`, {
          who: event.by === "environment" ? say("accounts.environment") : who,
        })}
        {first && ` ${say("accountEvents.askedBy", { who: first })}`}
      </Text>
      <Text size="xsmall" className="text-ui-fg-subtle">
        {time(event.at)}
      </Text>
      <ChangeLines changes={event.changes} />
    </li>
  )
}

/** The former and the new value of each field. */
export function ChangeLines({ changes }: Pick<AccountEventResponse, "changes">) {
  const { say, coded } = useWords()
  return Object.entries(changes).map(([field, { from, to }]) => (
    <Text key={field} size="small" className="text-ui-fg-subtle break-words">
      {coded(`account.${field.replace("policies.", "")}`)}:{" "}
      {field === "client_secret" ? say("accountEvents.typed") : changed(from, to)}
    </Text>
  ))
}

const changed = (from: unknown, to: unknown) =>
  from === null ? textOf(to) : `${textOf(from)} → ${textOf(to)}`

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "–"
  return typeof value === "string" ? value : JSON.stringify(value)
}
