/** Says at boot, one line each, what is wrong with the environment's variables and the options. */
import { settingSentence } from "../accounts/rules/setting-problems"
import { sentence } from "../core/messages"
import type { Logger } from "../core/ports"
import type { Environment } from "./environment"
import { readKeys } from "./secrets/keys"

export function logSettings(
  logger: Pick<Logger, "warn" | "error">,
  { problems }: Pick<Environment, "problems">,
  variables: Parameters<typeof readKeys>[0],
): void {
  for (const problem of problems) {
    const text = `merchant payments: ${settingSentence(problem)}`
    if (problem.status === "failed") logger.error(text)
    else logger.warn(text)
  }
  // A missing key is reported where it is needed; an unreadable key is reported at boot.
  for (const code of readKeys(variables).problems) {
    logger.error(`merchant payments: ${sentence("health", code)}`)
  }
}
