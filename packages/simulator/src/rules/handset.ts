/**
 * The payer's phone: prompts that wait for a person, and the answers. Prompts of scenarios that
 * answer by themselves are listed too, but a person can't answer those.
 */
import type { Execution } from "../book/records"
import type { World } from "../world"
import { completedStep, DECLINED, failedStep, stepAt } from "./timeline"

/** A prompt, by its execution's reference, or the oldest one that waits on a phone (digits). */
export type PromptKey = { reference: string } | { phone: string }

/** No prompt waits under this key. */
export class NoPrompt extends Error {
  constructor(message = "Nothing waits for an answer on this handset.") {
    super(message)
  }
}

export const isWaiting = (world: World, execution: Execution): boolean =>
  execution.waitsForHandset && stepAt(execution.steps, world.time.nowMs()).status === "PROCESSING"

/** Prompts that wait for a person, oldest first. */
export const waitingPrompts = (world: World, phone?: string): Execution[] =>
  promptsOf(world, phone).filter((execution) => isWaiting(world, execution))

/** Every execution that rang a phone, oldest first. */
export const promptsOf = (world: World, phone?: string): Execution[] =>
  [...world.book.executions.values()].filter(
    (execution) => execution.phone !== null && (phone === undefined || execution.phone === phone),
  )

/** Answers a prompt now. Throws `NoPrompt`. */
export function answerPrompt(world: World, key: PromptKey, isApproved: boolean): Execution {
  const prompt =
    "reference" in key
      ? world.book.executions.get(key.reference)
      : waitingPrompts(world, key.phone)[0]
  if (!prompt || !isWaiting(world, prompt)) throw new NoPrompt()
  const nowMs = world.time.nowMs()
  const step = isApproved ? completedStep(nowMs) : failedStep(nowMs, DECLINED)
  return world.book.update(prompt, { steps: [...prompt.steps, step] })
}
