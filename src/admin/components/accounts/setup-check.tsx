/** Whether everything is set up, kept up to date. What is wrong comes first; the rest is folded. */
import { StatusBadge } from "@medusajs/ui"
import { useState } from "react"
import { HEALTH_PATH, useHealth } from "../../lib/accounts"
import type { CheckLine, CheckStatus, HealthResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { CheckLines } from "./check-lines"
import { Button, Hint, Problem, Section, Waiting } from "../parts"

const COLOURS = { ok: "green", degraded: "orange", down: "red" } as const
const FIRST: Readonly<Record<CheckStatus, number>> = { failed: 0, warning: 1, ok: 2, skipped: 3 }
const isRight = ({ status }: CheckLine) => status === "ok" || status === "skipped"

export function SetupCheck() {
  const { say } = useWords()
  const { data, error, refetch, isFetching } = useHealth()
  if (!data && !error) return <Waiting rows={6} />
  return (
    <Section
      title={say("check.title")}
      beside={
        <span className="flex items-center gap-x-2">
          {data && (
            <StatusBadge color={COLOURS[data.status]} data-testid="health">
              {say(`check.${data.status}`)}
            </StatusBadge>
          )}
          <Button isLoading={isFetching} onClick={() => void refetch()}>
            {say("check.again")}
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-y-4 px-6 py-4">
        <Problem error={error} />
        {data && <Lines lines={worstFirst(data)} />}
        <Hint>{say("check.subtitle", { path: HEALTH_PATH })}</Hint>
      </div>
    </Section>
  )
}

function Lines({ lines }: { readonly lines: readonly CheckLine[] }) {
  const { say } = useWords()
  const [isOpen, setOpen] = useState(false)
  const wrong = lines.filter((line) => !isRight(line))
  const right = lines.filter(isRight)
  return (
    <>
      {wrong.length > 0 && <CheckLines lines={wrong} />}
      {right.length > 0 && (
        <div style={{ marginLeft: -8 }}>
          <Button variant="transparent" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {say(isOpen ? "check.hideRight" : "check.showRight", { count: right.length })}
          </Button>
        </div>
      )}
      {isOpen && <CheckLines lines={right} />}
    </>
  )
}

function worstFirst({ checks }: HealthResponse) {
  return [...checks].sort((one, other) => FIRST[one.status] - FIRST[other.status])
}
