/** The button for the accountant's sheet, with the periods to choose from. */
import { ArrowDownTray } from "@medusajs/icons"
import { Button, DropdownMenu } from "@medusajs/ui"
import type { useSheet } from "../../lib/overview"
import { lastMonth } from "../../lib/period"
import type { OverviewPeriod } from "../../lib/responses"
import { useWords } from "../../lib/words"

export function SheetMenu(props: {
  readonly sheet: ReturnType<typeof useSheet>
  readonly periods: readonly OverviewPeriod[]
  readonly zone: string
}) {
  const { say } = useWords()
  const { sheet, periods, zone } = props
  return (
    <DropdownMenu>
      {/* Medusa's own button: the menu stands where its trigger's ref is. */}
      <DropdownMenu.Trigger asChild>
        <Button size="small" variant="secondary" isLoading={sheet.isPending}>
          <ArrowDownTray /> {say("home.sheet")}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end">
        <DropdownMenu.Label>{say("home.sheetFormat")}</DropdownMenu.Label>
        {periods.map(({ period, from, to }) => (
          <DropdownMenu.Item
            key={period}
            onClick={() => sheet.mutate({ from, to, time_zone: zone })}
          >
            {say(`home.${period}`)}
          </DropdownMenu.Item>
        ))}
        <DropdownMenu.Item onClick={() => sheet.mutate(lastMonth(zone))}>
          {say("home.last_month")}
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu>
  )
}
