/**
 * The first setup as four steps: a key for secrets, an account that is tested, its currencies, and a
 * region's payment methods. Shown until a shopper can pay; each step says what is missing.
 */
import { CheckCircleSolid, CircleDottedLine } from "@medusajs/icons"
import { Heading, Container } from "@medusajs/ui"
import type { ReactNode } from "react"
import { accountActs, useRegions } from "../../lib/accounts"
import { setupOf, SETUP_STEPS, type Setup, type SetupStep } from "../../lib/first-setup"
import type { AccountResponse, AccountsResponse } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { CURRENCIES } from "../fields"
import { Button, Hint, Problem, Strong } from "../parts"

type Of = {
  readonly accounts: AccountsResponse
  /** Opens the form of an account; null: of a new one. */
  readonly onOpen: (account: AccountResponse | null) => void
}

export function FirstSetup(props: Of) {
  const { say } = useWords()
  const { data } = useRegions()
  if (!data) return null
  const setup = setupOf(props.accounts, data.regions)
  if (setup.isComplete) return null
  const next = SETUP_STEPS.find((step) => !setup.isDone[step])
  return (
    <Container className="flex flex-col gap-y-4 px-6 py-4" data-testid="first-setup">
      <div>
        <Heading level="h2">{say("setup.title")}</Heading>
        <Hint>{say("setup.text")}</Hint>
      </div>
      <ol className="flex flex-col gap-y-3">
        {SETUP_STEPS.map((step, index) => (
          <li
            key={step}
            className="flex items-start gap-x-3"
            data-done={setup.isDone[step]}
            aria-current={step === next ? "step" : undefined}
          >
            <Mark isDone={setup.isDone[step]} />
            <div className="flex min-w-0 flex-1 flex-col items-start gap-y-1">
              <Strong>
                {index + 1}. {say(`setup.${step}`)}
              </Strong>
              {!setup.isDone[step] && (
                <Missing {...props} step={step} setup={setup} isNext={step === next} />
              )}
            </div>
          </li>
        ))}
      </ol>
    </Container>
  )
}

/** What is missing of a step, and, for the next one, the button that does it. */
function Missing(
  props: Of & { readonly step: SetupStep; readonly setup: Setup; readonly isNext: boolean },
) {
  const { step, setup, isNext, onOpen } = props
  const { say } = useWords()
  const enable = useAct((regionId: string) => accountActs.enable(regionId), "setup.enabled")
  const { region, missing, hasRegion, isElsewhere } = setup
  const markets = { currencies: CURRENCIES.join(", ") }
  // The environment's account is changed where it is set.
  const own = props.accounts.accounts.filter(({ source }) => source === "admin")
  const isUsable = (one: AccountResponse) => one.state === "ready" && one.state_code === null
  const ready = own.find(isUsable)
  const unready = own.find((one) => !isUsable(one))
  const steps: Readonly<Record<SetupStep, readonly [text: string, button?: ReactNode]>> = {
    key: [say("setup.keyMissing")],
    account: [
      say(unready ? "setup.accountUnready" : "setup.accountMissing"),
      <Button key={step} onClick={() => onOpen(unready ?? null)}>
        {say(unready ? "setup.finishAccount" : "accounts.add")}
      </Button>,
    ],
    currencies: [
      isElsewhere
        ? say("setup.currenciesElsewhere", markets)
        : missing.length > 0
          ? say("setup.currenciesMissing", { currencies: missing.join(", ") })
          : say("setup.currenciesNone"),
      ready && !isElsewhere && (
        <Button key={step} onClick={() => onOpen(ready)}>
          {say("setup.addCurrency")}
        </Button>
      ),
    ],
    region: [
      region
        ? say("setup.regionMissing", { region: region.name })
        : say(hasRegion ? "setup.regionLater" : "setup.regionNone"),
      region && (
        <Button key={step} isLoading={enable.isPending} onClick={() => enable.mutate(region.id)}>
          {say("regions.enable")}
        </Button>
      ),
    ],
  }
  const [text, button] = steps[step]
  return (
    <>
      <Hint className="break-words">{text}</Hint>
      {isNext && button}
      <Problem error={enable.error} />
    </>
  )
}

function Mark({ isDone }: { readonly isDone: boolean }) {
  const { say } = useWords()
  const label = say(isDone ? "setup.done" : "setup.open")
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={isDone ? "text-ui-tag-green-icon" : "text-ui-fg-muted"}
    >
      {isDone ? <CheckCircleSolid /> : <CircleDottedLine />}
    </span>
  )
}
