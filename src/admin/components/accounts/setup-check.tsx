/** Whether everything is set up, kept up to date. Problems come first; what is fine is one line. */
import { Button, StatusBadge } from "@medusajs/ui"
import { HEALTH_PATH, useHealth } from "../../lib/accounts"
import type { CheckStatus, HealthResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { CheckLines } from "./check-lines"
import { Hint, Problem, Section, Waiting } from "../parts"

const COLOURS = { ok: "green", degraded: "orange", down: "red" } as const
const FIRST: Readonly<Record<CheckStatus, number>> = { failed: 0, warning: 1, ok: 2, skipped: 3 }

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
          <Button
            size="small"
            variant="secondary"
            isLoading={isFetching}
            onClick={() => void refetch()}
          >
            {say("check.again")}
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-y-4 px-6 py-4">
        <Problem error={error} />
        {data && <CheckLines lines={worstFirst(data)} />}
        <Hint>{say("check.subtitle", { path: HEALTH_PATH })}</Hint>
      </div>
    </Section>
  )
}

function worstFirst({ checks }: HealthResponse) {
  return [...checks].sort((one, other) => FIRST[one.status] - FIRST[other.status])
}
