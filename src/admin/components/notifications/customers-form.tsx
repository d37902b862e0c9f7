/** What the shop's customers are sent, by each channel that reaches them. */
import { useState } from "react"
import { channelName, FEED, notificationActs, type Customers } from "../../lib/notifications"
import { useAct } from "../../lib/queries"
import type { NotificationsResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { asOptions, ChoiceField, FormDrawer, SwitchField } from "../fields"
import { Hint, Problem, Strong } from "../parts"

export function CustomersForm(props: {
  readonly settings: NotificationsResponse
  readonly onClose: () => void
}) {
  const { settings, onClose } = props
  const { say } = useWords()
  const [draft, setDraft] = useState<Customers>(settings.customers)
  const save = useAct(() => notificationActs.save({ ...settings, customers: draft }), onClose)
  const used = draft.rules.map(({ channel }) => channel)
  const channels = [...new Set([...settings.channels, ...used])].filter((one) => one !== FEED)
  return (
    <FormDrawer
      title={say("notifications.customersForm")}
      submit={say("general.save")}
      isPending={save.isPending}
      isFilled={JSON.stringify(draft) !== JSON.stringify(settings.customers)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      above={<Problem error={save.error} />}
    >
      <Hint>{say("notifications.customersText")}</Hint>
      <ChoiceField
        label={say("notifications.locale")}
        value={draft.locale}
        options={asOptions(settings.locales, (locale) => say(`notifications.locale_${locale}`))}
        onChange={(locale) => setDraft({ ...draft, locale })}
      />
      {channels.length === 0 && <Hint>{say("notifications.customersNoChannel")}</Hint>}
      {channels.map((channel) => (
        <div
          key={channel}
          className="flex flex-col gap-y-3"
          role="group"
          aria-label={channelName(say, channel)}
        >
          <Strong>{channelName(say, channel)}</Strong>
          {settings.customer_kinds.map((kind) => (
            <SwitchField
              key={kind}
              label={say(`notifications.kind_${kind}`)}
              value={isChosen(draft, channel, kind)}
              onChange={(isOn) => setDraft(chosen(settings, draft, { channel, kind, isOn }))}
            />
          ))}
        </div>
      ))}
    </FormDrawer>
  )
}

type Kind = Customers["rules"][number]["kinds"][number]

const isChosen = ({ rules }: Customers, channel: string, kind: Kind): boolean =>
  rules.some((rule) => rule.channel === channel && rule.kinds.includes(kind))

/** A channel without a kind has no rule. */
function chosen(
  { customer_kinds: all }: NotificationsResponse,
  draft: Customers,
  {
    channel,
    kind,
    isOn,
  }: { readonly channel: string; readonly kind: Kind; readonly isOn: boolean },
): Customers {
  const kinds = all.filter((one) => (one === kind ? isOn : isChosen(draft, channel, one)))
  const others = draft.rules.filter((rule) => rule.channel !== channel)
  return { ...draft, rules: kinds.length > 0 ? [...others, { channel, kinds }] : others }
}
