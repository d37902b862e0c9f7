/** Run inside of a process of its own: plays its part of what `run-together.ts` was asked for. */
import type { Verdict } from "./play"
import { runHistories, type Broken, type Given } from "./run-histories"

/** Every so-many-th history, from which one on. */
export type Part = Given & { readonly every: number; readonly from: number }

export type Told =
  | { readonly kind: "verdict"; readonly index: number; readonly verdict: Verdict }
  | { readonly kind: "over"; readonly broken: Broken | undefined }

/** From there on nothing has to be played any more: an earlier one is broken. */
export type Until = { readonly until: number }

async function playPart({ every, from, ...given }: Part): Promise<void> {
  let until = Number.POSITIVE_INFINITY
  process.on("message", (message: Until) => void (until = message.until))
  const tell = (told: Told) => new Promise((resolve) => process.send?.(told, resolve))
  const { broken } = await runHistories({
    ...given,
    isPlayed: (index) => index % every === from && index < until,
    onVerdict: (verdict, index) => void tell({ kind: "verdict", index, verdict }),
  })
  await tell({ kind: "over", broken })
}

playPart(JSON.parse(process.argv[2] ?? "") as Part).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
