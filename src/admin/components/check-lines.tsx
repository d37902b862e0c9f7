/** Lines of a check: what is so, why it matters, what to do; from the setup check and the connection test. */
import {
  CheckCircleSolid,
  CircleMinusSolid,
  ExclamationCircleSolid,
  XCircleSolid,
} from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import type { CheckLine, CheckStatus } from "../lib/answers"
import { en, type WordKey } from "../i18n/words"
import { checkInFrench } from "../i18n/check-fr"
import { useWords, type Words } from "../lib/words"

const OPERATOR = "operator:"

export function CheckLines({ lines }: { readonly lines: readonly CheckLine[] }) {
  const words = useWords()
  return (
    <ul className="flex flex-col gap-y-3" data-testid="check-lines">
      {lines.map(({ name, status, message }) => (
        <li key={name} className="flex gap-x-3" data-status={status}>
          <Mark status={status} />
          <div className="min-w-0 flex-1">
            <Text size="small" weight="plus" leading="compact">
              {nameOf(words, name)}
            </Text>
            <Text size="small" className="text-ui-fg-subtle text-pretty break-words">
              <CheckText message={message} />
            </Text>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What the store says of its setup, in the admin's language; what is typed elsewhere stands out. */
export function CheckText({ message }: { readonly message: string }) {
  const { language } = useWords()
  const text = language === "fr" ? checkInFrench(message) : message
  return (
    <>
      {text.split("`").map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <code key={index} className="font-mono text-xs">
            {part}
          </code>
        ),
      )}
    </>
  )
}

function Mark({ status }: { readonly status: CheckStatus }) {
  const { say } = useWords()
  const label = say(`check.status_${status}`)
  const { Icon, colour } = MARKS[status]
  return (
    <span role="img" aria-label={label} title={label} className={colour}>
      <Icon />
    </span>
  )
}

const MARKS = {
  ok: { Icon: CheckCircleSolid, colour: "text-ui-tag-green-icon" },
  warning: { Icon: ExclamationCircleSolid, colour: "text-ui-tag-orange-icon" },
  failed: { Icon: XCircleSolid, colour: "text-ui-tag-red-icon" },
  skipped: { Icon: CircleMinusSolid, colour: "text-ui-fg-muted" },
} as const

type CheckName =
  Extract<WordKey, `checkName.${string}`> extends `checkName.${infer Name}` ? Name : never

/** An operator by its live name; a line that a later version has, by its code. */
function nameOf({ say }: Words, name: string): string {
  if (name.startsWith(OPERATOR)) return name.slice(OPERATOR.length)
  return isKnown(name) ? say(`checkName.${name}`) : name.replaceAll("_", " ")
}

function isKnown(name: string): name is CheckName {
  return Object.hasOwn(en.checkName, name)
}
