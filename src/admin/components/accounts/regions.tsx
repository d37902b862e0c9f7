/** The regions in which shoppers can choose the payment methods, with a button to enable them. */
import { Badge, Text, toast } from "@medusajs/ui"
import { accountActs, useAccountNames, useRegions } from "../../lib/accounts"
import type { RegionResponse } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem, Section, Strong, Waiting } from "../parts"

export function Regions() {
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
  const isAll = region.providers.every((provider) => provider.is_enabled)
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
          {!isAll && (
            <Button isLoading={enable.isPending} onClick={() => enable.mutate()}>
              {say("regions.enable")}
            </Button>
          )}
        </div>
      </div>
      <Problem error={enable.error} />
    </div>
  )
}
