/** The tempers of the simulator's wire, for tests that are played in each of them. */
import {
  habitsOf,
  TEMPERS,
  TROUBLE_HABITS,
  type SimulatorOptions,
  type Temper,
} from "../../packages/simulator/src"

export { TEMPERS, type Temper }

/** A simulator of this temper. */
export const ofTemper = (wire: Temper): SimulatorOptions => ({ wire })

/** The same without the habits by which a single call fails; they are for tests of whole flows. */
export const calmOf = (temper: Temper): SimulatorOptions => ({
  habits: habitsOf(temper).filter((habit) => !TROUBLE_HABITS.includes(habit)),
})
