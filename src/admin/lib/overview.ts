/** The home page's figures, and the accountant's sheet. */
import { useMutation } from "@tanstack/react-query"
import { downloadFrom } from "./endpoints"
import { TOTALS_EVERY_MS } from "./pauses"
import { ownZone } from "./period"
import { useRead } from "./queries"
import { useWords } from "./words"

/** By the days of the shop's time zone, where it has set one, else of the browser's. */
export function useOverview() {
  return useRead(
    "GET overview",
    { query: { otherwise: ownZone() } },
    { refetchInterval: TOTALS_EVERY_MS },
  )
}

/** Days, which are both included, or moments, of which the last is not. */
export type SheetPeriod = {
  readonly from: string
  readonly to: string
  readonly time_zone: string
}

/** The accountant's sheet of a period, in the language of the admin. */
export function useSheet() {
  const { language: locale } = useWords()
  return useMutation({
    mutationFn: (period: SheetPeriod) =>
      downloadFrom("GET sheet", { query: { ...period, locale, format: "csv" } }),
  })
}
