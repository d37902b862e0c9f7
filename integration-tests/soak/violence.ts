/** One worker is struck every few seconds, and never both at the same time. */
import type { Dice } from "./dice"
import type { Blow, Fleet } from "./fleet"

const EVERY_MS = { least: 2_500, most: 5_500 }
const BLOWS: readonly Blow[] = [
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

/** @returns ends it, and tells how many blows fell */
export function beginViolence(fleet: Fleet, dice: Dice): { end(): Promise<number> } {
  let blows = 0
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
      await fleet.strike(dice.between(0, fleet.size - 1), dice.oneOf(BLOWS))
      blows += 1
    }
  }
  const ended = strikeOnAndOn()
  return {
    async end() {
      isOver = true
      stop()
      await ended
      return blows
    },
  }
}
