/** Settings: accounts, the setup check, and the regions. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCardRefresh } from "@medusajs/icons"
import { Badge, Container, Heading, StatusBadge, Text, toast, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { fitted } from "../../../components/fitted"
import { useWords } from "../../../lib/words"
import {
  HEALTH_PATH,
  accountActs,
  useAccountNames,
  useAccounts,
  useHealth,
  useRegions,
} from "../../../lib/accounts"
import type { CheckLine, CheckStatus, HealthResponse, RegionResponse } from "../../../lib/responses"
import { regionActsOf } from "../../../lib/first-setup"
import { useAct } from "../../../lib/queries"
import { Accounts } from "../../../components/accounts/accounts"
import { CURRENCIES } from "../../../components/fields"
import { Button, Hint, Problem, Section, Strong, Waiting } from "../../../components/parts"
import { CheckLines } from "../../../components/accounts/check-lines"
import { Notifications } from "../../../components/notifications/notifications"

const Settings = () => {
  const { say } = useWords()
  return (
    <div className="flex flex-col gap-y-3">
      <Container className="px-6 py-4">
        <Heading level="h1">{say("settings.title")}</Heading>
        <Hint>{say("settings.subtitle")}</Hint>
      </Container>
      <Accounts />
      <Regions />
      <Notifications />
      <SetupCheck />
    </div>
  )
}

/** The regions in which shoppers can choose the payment methods, with a button to enable them. */
function Regions() {
  const { say } = useWords()
  const { data, error, refetch } = useRegions()
  if (!data && !error) return <Waiting />
  return (
    <Section title={say("regions.title")}>
      <Problem isInset error={error} again={() => void refetch()} />
      {data?.regions.length === 0 && <Hint className="px-6 py-4">{say("regions.none")}</Hint>}
      {data?.regions.map((region) => (
        <OneRegion key={region.id} region={region} />
      ))}
    </Section>
  )
}

function OneRegion({ region }: { readonly region: RegionResponse }) {
  const { say } = useWords()
  const accounts = useAccountNames()
  const enable = useAct(
    () => accountActs.enable(region.id),
    () => toast.success(say("regions.enabled", { region: region.name })),
  )
  const currency = region.currency_code.toUpperCase()
  const hasAccount = region.account_id !== null
  const account =
    region.account_id === null
      ? say("regions.noAccount", { currency })
      : (accounts.get(region.account_id) ?? region.account_id)
  const { data } = useAccounts()
  const { canEnable, canDisable, missing } = regionActsOf(region, data?.accounts ?? [])
  return (
    <div className="flex flex-col gap-y-2 px-6 py-4" data-testid="region">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-col">
          <Strong>{region.name}</Strong>
          <Text
            size="small"
            className={hasAccount ? "text-ui-fg-subtle" : "text-ui-tag-orange-text"}
          >
            {currency} · {account}
          </Text>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {region.providers.map((provider) => (
            <Badge
              key={provider.provider_id}
              size="2xsmall"
              // No shopper can choose it while no account takes the currency.
              color={provider.is_enabled && hasAccount ? "green" : "grey"}
            >
              {say(`regions.${provider.flow}`)}
              {!provider.is_enabled && ` · ${say("regions.off")}`}
            </Badge>
          ))}
          {canEnable && (
            <Button isLoading={enable.isPending} onClick={() => enable.mutate()}>
              {say("regions.enable")}
            </Button>
          )}
          {canDisable && <Disable region={region} />}
        </div>
      </div>
      {data && missing === "currency" && (
        <Hint>{say("regions.missingCurrency", { currency })}</Hint>
      )}
      {data && missing === "market" && (
        <Hint>{say("regions.missingMarket", { currencies: CURRENCIES.join(", ") })}</Hint>
      )}
      {data && missing === "account" && <Hint>{say("regions.missingAccount", { account })}</Hint>}
      <Problem error={enable.error} />
    </div>
  )
}

/** Says what follows before it asks the store, which refuses while a payment needs the methods. */
function Disable({ region }: { readonly region: RegionResponse }) {
  const { say } = useWords()
  const prompt = usePrompt()
  const disable = useAct(
    () => accountActs.disable(region.id),
    () => toast.success(say("regions.disabled", { region: region.name })),
  )
  const ask = async () => {
    const isSure = await prompt({
      title: say("regions.disableTitle", { region: region.name }),
      description: say("regions.disableText"),
      confirmText: say("regions.disable"),
      cancelText: say("general.cancel"),
    })
    if (isSure) disable.mutate()
  }
  return (
    <>
      <Button variant="transparent" isLoading={disable.isPending} onClick={() => void ask()}>
        {say("regions.disable")}
      </Button>
      <Problem error={disable.error} />
    </>
  )
}

const COLOURS = { ok: "green", degraded: "orange", down: "red" } as const
const ORDER: readonly CheckStatus[] = ["failed", "warning", "note", "ok", "skipped"]
const isRight = ({ status }: CheckLine) => status === "ok" || status === "skipped"

/** The setup check, refreshed while the page is open. Problems come first; the rest is folded. */
function SetupCheck() {
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
  return [...checks].sort((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))
}

export const config = defineRouteConfig({
  label: "menu.payments",
  translationNs: "merchantPayments",
  icon: CreditCardRefresh,
})

export default fitted(Settings)
