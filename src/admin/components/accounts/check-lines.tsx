/** Lines of the setup check and the connection test: the state, why it matters, what to do. */
import {
  CheckCircleSolid,
  CircleMinusSolid,
  ExclamationCircleSolid,
  InformationCircleSolid,
  XCircleSolid,
} from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import type { CheckLine, CheckStatus } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Hint } from "../parts"

/**
 * The prefixes of a connection test's line about an operator, whose payment method follows, and of
 * the setup check's line about a variable or an option, whose name follows.
 */
const NAMED = /^(?:operator|setting):/

export function CheckLines({ lines }: { readonly lines: readonly CheckLine[] }) {
  const { coded } = useWords()
  return (
    <ul className="flex flex-col gap-y-3" data-testid="check-lines">
      {lines.map((line) => (
        <li key={line.name} className="flex gap-x-3" data-status={line.status}>
          <Mark status={line.status} />
          <div className="min-w-0 flex-1">
            <Text size="small" weight="plus" leading="compact">
              {NAMED.test(line.name)
                ? (line.facts["label"] ?? line.name.replace(NAMED, ""))
                : coded(`checkName.${line.name}`)}
            </Text>
            <Hint className="break-words">
              <CheckText {...line} />
            </Hint>
          </div>
        </li>
      ))}
    </ul>
  )
}

type Coded = {
  readonly code: string | null
  readonly message: string | null
  readonly facts?: CheckLine["facts"]
}

/** A check's sentence in the admin's language; text in backticks is displayed as code. */
export function CheckText({ code, message, facts }: Coded) {
  const { coded } = useWords()
  const text = code === null ? "" : coded(`health.${code}`, facts, message)
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
  note: { Icon: InformationCircleSolid, colour: "text-ui-tag-blue-icon" },
  warning: { Icon: ExclamationCircleSolid, colour: "text-ui-tag-orange-icon" },
  failed: { Icon: XCircleSolid, colour: "text-ui-tag-red-icon" },
  skipped: { Icon: CircleMinusSolid, colour: "text-ui-fg-muted" },
} as const
