/**
 * How long checkout sessions live, and how far reads lag behind. The contract names neither, so
 * both can be set, also while the simulator runs. Milliseconds of the simulator's clock.
 */
import { WrongControl } from "../control/wrong-control"
import type { World } from "../world"

export type Timing = {
  /** Of a checkout session, from its opening. */
  sessionLifeMs: number
  /** For this long after an execution its status answers like an unknown reference. */
  statusLagMs: number
  /** A source's status is the one from this long ago. */
  sourceLagMs: number
}

export type TimingControl = {
  read(): Timing
  /** Applies to sessions opened and statuses read from now on. Throws on an invalid time. */
  set(timing: Partial<Timing>): Timing
}

export function timingOf({ settings }: World): TimingControl {
  const read = (): Timing => {
    const { sessionLifeMs, statusLagMs, sourceLagMs } = settings
    return { sessionLifeMs, statusLagMs, sourceLagMs }
  }
  return {
    read,
    set(timing) {
      const wanted = { ...read(), ...timing }
      const isTime = Object.values(wanted).every((ms) => ms >= 0 && Number.isFinite(ms))
      if (!isTime || wanted.sessionLifeMs === 0) throw new WrongControl("That is no time.")
      Object.assign(settings, wanted)
      return read()
    },
  }
}
