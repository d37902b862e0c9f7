/** Who is told what: the admin's own list, people, customers, and what could not be told. */
import { Badge, Text, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { useShopZone } from "../../lib/accounts"
import {
  channelName,
  FEED,
  nameOf,
  newId,
  notificationActs,
  problemText,
  useNotificationSettings,
  type Recipient,
} from "../../lib/notifications"
import { UTC } from "../../lib/period"
import { useAct } from "../../lib/queries"
import type { NotificationsResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem, Section, Strong, Waiting } from "../parts"
import { CustomersForm } from "./customers-form"
import { NotificationChanges } from "./notification-changes"
import { RecipientForm } from "./recipient-form"
import { TestButton } from "./test-button"

type Open = Recipient | "customers" | undefined

export function Notifications() {
  const { say } = useWords()
  const { data, error, refetch } = useNotificationSettings()
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  if (!data && !error) return <Waiting />
  return (
    <Section
      title={say("notifications.title")}
      beside={
        data && (
          <Button onClick={() => setOpen(emptyRecipient(data))}>{say("notifications.add")}</Button>
        )
      }
    >
      <Problem isInset error={error} again={() => void refetch()} />
      <Hint className="px-6 py-4">{say("notifications.subtitle")}</Hint>
      {data?.recipients.map((one) => (
        <OneRecipient key={one.id} settings={data} recipient={one} onOpen={() => setOpen(one)} />
      ))}
      {data && <CustomersRow settings={data} onOpen={() => setOpen("customers")} />}
      {data && <NotTold settings={data} />}
      {data && <NotificationChanges changes={data.changes} />}
      {data && open === "customers" && <CustomersForm settings={data} onClose={close} />}
      {data && typeof open === "object" && (
        <RecipientForm settings={data} recipient={open} onClose={close} />
      )}
    </Section>
  )
}

function emptyRecipient({ recipients, channels }: NotificationsResponse): Recipient {
  return {
    id: newId(recipients.map(({ id }) => id)),
    name: "",
    channel: channels.find((channel) => channel !== FEED) ?? "email",
    address: "",
    locale: "en",
    kinds: ["money_received", "decision_needed"],
    schedule: { mode: "at_once" },
  }
}

function OneRecipient(props: {
  readonly settings: NotificationsResponse
  readonly recipient: Recipient
  readonly onOpen: () => void
}) {
  const { settings, recipient } = props
  const { say } = useWords()
  const prompt = usePrompt()
  const name = nameOf(say, recipient)
  const isFeed = recipient.channel === FEED
  const remove = useAct(() => {
    const recipients = settings.recipients.filter(({ id }) => id !== recipient.id)
    return notificationActs.save({ ...settings, recipients })
  }, "notifications.saved")
  const ask = async () => {
    const isSure = await prompt({
      title: say("notifications.remove"),
      description: say("notifications.removeSure", { name }),
      confirmText: say("notifications.remove"),
      cancelText: say("general.cancel"),
    })
    if (isSure) remove.mutate()
  }
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4" data-testid="recipient">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-y-1">
          <span className="flex flex-wrap items-center gap-2">
            <Strong className="break-words">{name}</Strong>
            <ChannelBadge settings={settings} channel={recipient.channel} />
          </span>
          <Hint>{isFeed ? say("notifications.everyoneText") : (recipient.address ?? "")}</Hint>
          <Hint>
            {recipient.kinds.map((kind) => say(`notifications.kind_${kind}`)).join(" · ") ||
              say("notifications.nothing")}
          </Hint>
          <Hint>{useSchedule(recipient)}</Hint>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={props.onOpen}>{say("notifications.edit")}</Button>
          {!isFeed && (
            <Button variant="transparent" isLoading={remove.isPending} onClick={() => void ask()}>
              {say("notifications.remove")}
            </Button>
          )}
        </div>
      </div>
      <TestButton address={recipient} />
      <Problem error={remove.error} />
    </div>
  )
}

function useSchedule({ schedule }: Recipient): string {
  const { say } = useWords()
  const shopZone = useShopZone()
  if (schedule.mode === "at_once") return say("notifications.atOnce")
  const hour = `${String(schedule.hour).padStart(2, "0")}:00`
  return say("notifications.dailyAt", { hour, zone: schedule.time_zone || shopZone || UTC })
}

function ChannelBadge(props: {
  readonly settings: NotificationsResponse
  readonly channel: string
}) {
  const { say } = useWords()
  const isServed = props.settings.channels.includes(props.channel)
  return (
    <>
      <Badge size="2xsmall" color={isServed ? "grey" : "orange"}>
        {channelName(say, props.channel)}
      </Badge>
      {!isServed && (
        <Text size="xsmall" className="text-ui-tag-orange-text">
          {say("notifications.noProvider")}
        </Text>
      )}
    </>
  )
}

function CustomersRow(props: {
  readonly settings: NotificationsResponse
  readonly onOpen: () => void
}) {
  const { customers } = props.settings
  const { say } = useWords()
  return (
    <div
      className="flex flex-wrap items-start justify-between gap-3 px-6 py-4"
      data-testid="customers"
    >
      <div className="flex min-w-0 flex-col gap-y-1">
        <Strong>{say("notifications.customers")}</Strong>
        <Hint>{say("notifications.customersText")}</Hint>
        {customers.rules.length === 0 && <Hint>{say("notifications.customersNone")}</Hint>}
        {customers.rules.map(({ channel, kinds }) => (
          <Hint key={channel}>
            {channelName(say, channel)}:{" "}
            {kinds.map((kind) => say(`notifications.kind_${kind}`)).join(" · ")}
          </Hint>
        ))}
      </div>
      <Button onClick={props.onOpen}>{say("notifications.edit")}</Button>
    </div>
  )
}

function NotTold({ settings }: { readonly settings: NotificationsResponse }) {
  const { say, shortTime } = useWords()
  const { waiting, not_told: notTold } = settings
  if (waiting === 0 && notTold.length === 0) return null
  return (
    <div className="flex flex-col gap-y-2 px-6 py-4" data-testid="not-told">
      {waiting > 0 && <Hint>{say("notifications.waiting", { count: waiting })}</Hint>}
      {notTold.length > 0 && <Strong>{say("notifications.notTold")}</Strong>}
      <ul className="flex flex-col gap-y-1">
        {notTold.map((one, at) => (
          <li key={at}>
            <Hint className="break-words">
              {shortTime(one.at)}:{" "}
              {say(`notifications.notTold_${one.state}`, {
                kind: say(`notifications.kind_${one.kind}`),
                who:
                  one.recipient === "customer"
                    ? say("notifications.customer")
                    : one.recipient || say("notifications.everyone"),
                channel: channelName(say, one.channel),
                problem: problemText(say, one.problem),
              })}
            </Hint>
          </li>
        ))}
      </ul>
    </div>
  )
}
