import { perStore } from "../ledger/per-store"

/** A store's live streams in this process, counted by what limits them; `all` of them together. */
export const streamsOf = perStore(() => new Map<string, number>())

export const openStreams = (deps: Parameters<typeof streamsOf>[0]): number =>
  streamsOf(deps).get("all") ?? 0
