/** The compared days, when they were compared, and the buttons to compare again and to download. */
import { ArrowDownTray, ArrowPath } from "@medusajs/icons"
import { Alert, Container, DatePicker, Heading, Label } from "@medusajs/ui"
import type { ReconciliationResponse } from "../../lib/responses"
import { calendarDay, daysOf, pickedDay, presetOf, PRESETS, UTC, type Days } from "../../lib/period"
import { useSheet } from "../../lib/overview"
import { usePeriodFile, useCompareAgain } from "../../lib/reconciliation"
import { useWords } from "../../lib/words"
import { Ago, Button, Hint, Problem } from "../parts"

/** The width of a field for a date. */
const DATE = { width: 180 }

const LINK = "text-ui-fg-interactive focus-visible:shadow-borders-focus ml-1 rounded outline-none"

export function ReconciliationHead(props: {
  readonly days: Days
  /** The shop's time zone, or the browser's. */
  readonly ownZone: string
  readonly choose: (days: Days) => void
  readonly answer: ReconciliationResponse | undefined
}) {
  const { say, time } = useWords()
  const { days, choose, answer } = props
  const again = useCompareAgain(days)
  const file = usePeriodFile(days)
  const sheet = useSheet()
  const { compared_at: comparedAt, begun_at: begun } = answer ?? {}
  const other = days.time_zone === UTC ? props.ownZone : UTC
  return (
    <Container className="flex flex-col gap-y-4 px-6 py-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div>
          <Heading level="h1">{say("reconciliation.title")}</Heading>
          <Hint>{say("reconciliation.subtitle")}</Hint>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            isLoading={file.isPending}
            disabled={!answer}
            onClick={() => file.mutate(undefined)}
          >
            <ArrowDownTray /> {say("reconciliation.download")}
          </Button>
          <Button disabled={!answer || file.isPending} onClick={() => file.mutate("differences")}>
            {say("reconciliation.downloadDifferences")}
          </Button>
          <Button isLoading={sheet.isPending} onClick={() => sheet.mutate(days)}>
            <ArrowDownTray /> {say("home.sheet")}
          </Button>
          <Button
            isLoading={again.isPending || answer?.is_running}
            disabled={!answer}
            onClick={() => again.mutate()}
          >
            <ArrowPath /> {say("reconciliation.again")}
          </Button>
        </div>
      </div>
      <Period days={days} choose={choose} />
      <Hint>
        {comparedAt && (
          <>
            {say("reconciliation.comparedAt", { when: time(comparedAt) })} (
            <Ago at={comparedAt} />) ·{" "}
          </>
        )}
        {say("reconciliation.zone", { zone: days.time_zone })}
        {other !== days.time_zone && (
          <button type="button" className={LINK} onClick={() => choose(presetIn(days, other))}>
            {say("reconciliation.otherZone", { zone: other })}
          </button>
        )}
      </Hint>
      {begun && answer?.is_running && comparedAt && (
        <Alert variant="info">{say("reconciliation.running", { when: time(begun) })}</Alert>
      )}
      {begun && answer?.has_stopped && (
        <Alert variant="warning" data-testid="stopped">
          {say("reconciliation.stopped", { when: time(begun) })}
        </Alert>
      )}
      <Problem error={again.error ?? file.error ?? sheet.error} />
    </Container>
  )
}

/** The same days in another time zone. "Today" stays today, which may be another date there. */
function presetIn(days: Days, time_zone: string): Days {
  const preset = presetOf(days)
  return preset ? daysOf(preset, time_zone) : { ...days, time_zone }
}

function Period({ days, choose }: { readonly days: Days; readonly choose: (days: Days) => void }) {
  const { say } = useWords()
  const chosen = presetOf(days)
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <div className="flex flex-wrap gap-2" role="group" aria-label={say("reconciliation.title")}>
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            variant={preset === chosen ? "secondary" : "transparent"}
            aria-pressed={preset === chosen}
            onClick={() => choose(daysOf(preset, days.time_zone))}
          >
            {say(`reconciliation.${preset}`)}
          </Button>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Day
          label={say("reconciliation.from")}
          day={days.from}
          pick={(from) => choose({ ...days, from, to: from > days.to ? from : days.to })}
        />
        <Day
          label={say("reconciliation.to")}
          day={days.to}
          pick={(to) => choose({ ...days, from: to < days.from ? to : days.from, to })}
        />
      </div>
    </div>
  )
}

function Day(props: {
  readonly label: string
  readonly day: string
  readonly pick: (day: string) => void
}) {
  const { label, day, pick } = props
  return (
    <div className="flex flex-col gap-y-1" style={DATE}>
      <Label size="small" weight="plus">
        {label}
      </Label>
      <DatePicker
        size="small"
        aria-label={label}
        value={calendarDay(day)}
        onChange={(picked) => {
          // The picker also reports the value it was given. Clearing it changes nothing, because a
          // period needs a day.
          const isDay = picked !== null && !Number.isNaN(picked.getTime())
          if (isDay && pickedDay(picked) !== day) pick(pickedDay(picked))
        }}
      />
    </div>
  )
}
