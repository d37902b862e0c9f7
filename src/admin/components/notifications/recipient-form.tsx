/** One who is told: the address, what, and when. */
import { useState } from "react"
import { useShopZone } from "../../lib/accounts"
import {
  channelName,
  FEED,
  nameOf,
  notificationActs,
  type Recipient,
} from "../../lib/notifications"
import { UTC } from "../../lib/period"
import { useAct } from "../../lib/queries"
import type { NotificationsResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { asOptions, ChoiceField, FormDrawer, SwitchField, TextField } from "../fields"
import { Problem, Strong } from "../parts"
import { TestButton } from "./test-button"

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))
const USUAL_HOUR = 7

type Edit = (changed: Partial<Recipient>) => void
type Part = { readonly draft: Recipient; readonly edit: Edit }

export function RecipientForm(props: {
  readonly settings: NotificationsResponse
  readonly recipient: Recipient
  readonly onClose: () => void
}) {
  const { settings, recipient, onClose } = props
  const { say } = useWords()
  const [draft, setDraft] = useState(recipient)
  const edit: Edit = (changed) => setDraft((before) => ({ ...before, ...changed }))
  const isNew = !settings.recipients.some(({ id }) => id === recipient.id)
  const save = useAct(() => {
    const others = settings.recipients
    const recipients = isNew
      ? [...others, draft]
      : others.map((one) => (one.id === draft.id ? draft : one))
    return notificationActs.save({ ...settings, recipients })
  }, onClose)
  return (
    <FormDrawer
      title={isNew ? say("notifications.add") : nameOf(say, recipient)}
      submit={say("general.save")}
      isPending={save.isPending}
      isFilled={JSON.stringify(draft) !== JSON.stringify(recipient)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      above={<Problem error={save.error} />}
    >
      {draft.channel !== FEED && <Who settings={settings} draft={draft} edit={edit} />}
      <ChoiceField
        label={say("notifications.locale")}
        value={draft.locale}
        options={asOptions(settings.locales, (locale) => say(`notifications.locale_${locale}`))}
        onChange={(locale) => edit({ locale })}
      />
      <TestButton address={draft} />
      <What settings={settings} draft={draft} edit={edit} />
      <When draft={draft} edit={edit} />
    </FormDrawer>
  )
}

function Who({ settings, draft, edit }: Part & { readonly settings: NotificationsResponse }) {
  const { say, field } = useWords()
  const offered = settings.channels.filter((channel) => channel !== FEED)
  const channels = offered.includes(draft.channel) ? offered : [...offered, draft.channel]
  const kind =
    draft.channel === "email"
      ? "address_email"
      : ["sms", "whatsapp"].includes(draft.channel)
        ? "address_phone"
        : "address_other"
  return (
    <>
      <TextField
        label={say("notifications.name")}
        value={draft.name}
        maxLength={100}
        onChange={(name) => edit({ name })}
      />
      <ChoiceField
        {...field("notifications.channel")}
        value={draft.channel}
        options={asOptions(channels, (channel) => channelName(say, channel))}
        onChange={(channel) => edit({ channel })}
      />
      <TextField
        {...field(`notifications.${kind}`)}
        isRequired
        value={draft.address ?? ""}
        maxLength={200}
        onChange={(address) => edit({ address: address.trim() })}
      />
    </>
  )
}

function What({ settings, draft, edit }: Part & { readonly settings: NotificationsResponse }) {
  const { say } = useWords()
  return (
    <div className="flex flex-col gap-y-3" role="group" aria-label={say("notifications.what")}>
      <Strong>{say("notifications.what")}</Strong>
      {settings.kinds.map((kind) => (
        <SwitchField
          key={kind}
          label={say(`notifications.kind_${kind}`)}
          value={draft.kinds.includes(kind)}
          onChange={(isChosen) =>
            edit({
              kinds: settings.kinds.filter((one) =>
                one === kind ? isChosen : draft.kinds.includes(one),
              ),
            })
          }
        />
      ))}
    </div>
  )
}

function When({ draft, edit }: Part) {
  const { say, field } = useWords()
  const { schedule } = draft
  const time_zone = useShopZone() ?? UTC
  return (
    <>
      <ChoiceField
        {...field("notifications.when")}
        value={schedule.mode}
        options={asOptions(["at_once", "daily"], (mode) => say(`notifications.mode_${mode}`))}
        onChange={(mode) =>
          edit({
            schedule: mode === "at_once" ? { mode } : { mode, hour: USUAL_HOUR, time_zone },
          })
        }
      />
      {schedule.mode === "daily" && (
        <>
          <ChoiceField
            label={say("notifications.hour")}
            value={String(schedule.hour)}
            options={asOptions(HOURS, (hour) => `${hour.padStart(2, "0")}:00`)}
            onChange={(hour) => edit({ schedule: { ...schedule, hour: Number(hour) } })}
          />
          <TextField
            label={say("notifications.zone")}
            value={schedule.time_zone}
            maxLength={100}
            onChange={(zone) => edit({ schedule: { ...schedule, time_zone: zone.trim() } })}
          />
        </>
      )}
    </>
  )
}
