/** An account of the environment, read-only, with the origin of each value. */
import { Drawer, Heading } from "@medusajs/ui"
import { SETTING_GROUPS, type SettingGroup } from "../../../core/account-settings"
import { draftOf, namesIn, SETTINGS, type DraftProblem } from "../../lib/account-draft"
import { accountName } from "../../lib/accounts"
import type { AccountResponse } from "../../lib/responses"
import { useWords, type Say, type Words } from "../../lib/words"
import { Button, Hint } from "../parts"

type Props = { readonly account: AccountResponse; readonly onClose: () => void }

export function AccountView({ account, onClose }: Props) {
  const words = useWords()
  const { say, coded } = words
  const sourceOf = (field: string) =>
    account.sources?.[`policies.${field}`] ?? account.sources?.[field]
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{accountName(say, account)}</Drawer.Title>
        </Drawer.Header>
        {/* Nothing inside takes the focus, so without `tabIndex` a keyboard can't scroll it. */}
        <Drawer.Body tabIndex={0} className="flex flex-col gap-y-6 overflow-y-auto">
          <Hint>{say("account.readOnly")}</Hint>
          {groupsOf(words, account).map(({ group, fields }) => (
            <section key={group} className="flex flex-col gap-y-3">
              <Heading level="h3">{say(`account.${group}`)}</Heading>
              <dl className="flex flex-col gap-y-3">
                {fields.map(([field, value]) => (
                  <div key={field} className="flex flex-col">
                    <dt className="txt-compact-small-plus text-ui-fg-subtle">
                      {coded(`account.${field}`)}
                    </dt>
                    <dd className="txt-compact-small break-words whitespace-pre-line">
                      {value || "–"}{" "}
                      <span className="text-ui-fg-subtle text-xs">
                        {sourceText(say, sourceOf(field))}
                      </span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </Drawer.Body>
        <Drawer.Footer>
          <Button onClick={onClose}>{say("general.close")}</Button>
        </Drawer.Footer>
      </Drawer.Content>
    </Drawer>
  )
}

/** The groups of an account's form, read only: each field, and its value. */
function groupsOf({ say, coded }: Words, account: AccountResponse) {
  const draft = draftOf(account)
  const yesOrNo = (is: boolean) => say(is ? "general.yes" : "general.no")
  const beside: { readonly [Group in SettingGroup]?: Readonly<Record<string, string>> } = {
    connection: { client_id: draft.client_id, client_secret: yesOrNo(account.has_secret) },
    payments: { is_default: yesOrNo(draft.is_default) },
  }
  const shown = (name: DraftProblem) => {
    const { holds } = SETTINGS[name]
    const value = name === "label" ? accountName(say, account) : draft[name]
    if (typeof value === "boolean") return yesOrNo(value)
    if (holds === "choice") return coded(`account.${name}_${value || "unset"}`)
    return value || (holds === "amounts" ? say("account.secondNever") : "")
  }
  return SETTING_GROUPS.map((group) => {
    const fields = namesIn(group).map((name): [string, string] => [name, shown(name)])
    return { group, fields: [...fields, ...Object.entries(beside[group] ?? {})] }
  })
}

const OPTION = "option "

/** @param from a variable's name, `option <name>` or `default`; undefined if the plugin set it */
function sourceText(say: Say, from: string | undefined): string {
  if (from === undefined) return say("account.fromPlugin")
  if (from === "default") return say("account.fromDefault")
  if (!from.startsWith(OPTION)) return say("account.from", { source: from })
  return say("account.fromOption", { source: from.slice(OPTION.length) })
}
