/** Says at boot, one line each, what is wrong with the environment's variables and the options. */
import { settingSentence } from "../accounts/rules/setting-problems"
import { sentence, type HealthCode } from "../core/messages"
import type { AccountId } from "../core/ids"
import type { Logger } from "../core/ports"
import { ENVIRONMENT_ACCOUNT_ID, type Environment } from "./environment"
import { readKeys } from "./secrets/keys"

/** True only where no account is typed in the admin, which the database knows. */
const UNSET: HealthCode = "credentials_unset"

export function logSettings(
  logger: Pick<Logger, "warn" | "error">,
  { problems }: Pick<Environment, "problems">,
  variables: Parameters<typeof readKeys>[0],
): void {
  for (const problem of problems) {
    if (problem.code === UNSET) continue
    const text = `merchant payments: ${settingSentence(problem)}`
    if (problem.status === "failed") logger.error(text)
    else logger.warn(text)
  }
  // A missing key is reported where it is needed; an unreadable key is reported at boot.
  for (const code of readKeys(variables).problems) {
    logger.error(`merchant payments: ${sentence("health", code)}`)
  }
}

/** Says that nothing can be paid, where no account is set or typed in. */
export function logMissingAccounts(
  logger: Pick<Logger, "warn">,
  { problems }: Pick<Environment, "problems">,
  accounts: readonly { readonly id: AccountId }[],
): void {
  if (accounts.some(({ id }) => id !== ENVIRONMENT_ACCOUNT_ID)) return
  const unset = problems.find(({ code }) => code === UNSET)
  if (unset) logger.warn(`merchant payments: ${settingSentence(unset)}`)
}
