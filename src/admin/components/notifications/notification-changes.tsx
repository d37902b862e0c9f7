/** Who changed the settings of notifications, and what. */
import { useState } from "react"
import { channelName, FEED } from "../../lib/notifications"
import { useAdminName } from "../../lib/queries"
import type { NotificationsResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Button, Hint } from "../parts"

type Change = NotificationsResponse["changes"][number]

export function NotificationChanges({ changes }: { readonly changes: readonly Change[] }) {
  const { say } = useWords()
  const [isOpen, setOpen] = useState(false)
  if (changes.length === 0) return null
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div style={{ marginLeft: -8 }}>
        <Button variant="transparent" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {say(isOpen ? "notifications.changesHide" : "notifications.changesShow")}
        </Button>
      </div>
      {isOpen && (
        <ol className="flex flex-col gap-y-2" data-testid="notification-changes">
          {changes.map((change) => (
            <OneChange key={change.at} change={change} />
          ))}
        </ol>
      )}
    </div>
  )
}

function OneChange({ change }: { readonly change: Change }) {
  const { say, time } = useWords()
  const who = useAdminName(change.by) ?? ""
  const what = change.changes.map(({ what: kind, name, channel }) =>
    say(`notifications.change_${kind}`, {
      name: channel === FEED ? say("notifications.everyone") : name,
      channel: channelName(say, channel),
    }),
  )
  return (
    <li>
      <Hint className="break-words">
        {time(change.at)} · {who} {what.join(", ")}
      </Hint>
    </li>
  )
}
