/** One worker is struck every few seconds, and never both at the same time. */
import type { Dice } from "./dice"
import type { Strike, Fleet } from "./fleet"

const EVERY_MS = { least: 2_500, most: 5_500 }
const KINDS_OF_STRIKE: readonly Strike[] = [
  "SIGKILL",
  "SIGKILL",
  "SIGKILL",
  "SIGKILL",
  "SIGTERM",
  "SIGTERM",
  "SIGSTOP",
  "cut before",
  "cut after",
]

/** @returns ends it, and tells how many strikes fell */
export function beginStrikes(fleet: Fleet, dice: Dice): { end(): Promise<number> } {
  let strikes = 0
  let stop = () => {}
  let isOver = false
  const over = new Promise<void>((resolve) => (stop = resolve))
  const strikeOnAndOn = async () => {
    while (!isOver) {
      const pauseMs = dice.between(EVERY_MS.least, EVERY_MS.most)
      let timer: NodeJS.Timeout | undefined
      const paused = new Promise<void>((resolve) => (timer = setTimeout(resolve, pauseMs)))
      await Promise.race([over, paused])
      clearTimeout(timer)
      if (isOver) return
      await fleet.strike(dice.between(0, fleet.size - 1), dice.oneOf(KINDS_OF_STRIKE))
      strikes += 1
    }
  }
  const ended = strikeOnAndOn()
  return {
    async end() {
      isOver = true
      stop()
      await ended
      return strikes
    },
  }
}
