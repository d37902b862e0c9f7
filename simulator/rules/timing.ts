/**
 * How long checkout sessions live and how far reads stay behind what was carried out. No contract names
 * either, so both can be set, also while the simulator runs. Milliseconds of the simulator's clock.
 */
import { WrongControl } from "../control/wrong-control"
import type { World } from "../world"

export type Timing = {
  /** Of a checkout session, from its opening. */
  sessionLifeMs: number
  /** For so long after it was carried out an execution's status is that of an unknown reference. */
  statusLagMs: number
  /** A source's status is what it was so long ago. */
  sourceLagMs: number
}

export type TimingControl = {
  read(): Timing
  /** Holds for sessions opened and statuses read from now on. Throws on what is no time. */
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
