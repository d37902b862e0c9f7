/**
 * What is wrong with a variable of the environment or an option of the plugin. The log says it at
 * boot, and the setup check says it as long as the process runs: both from the same value.
 */
import { sentence, type HealthCode } from "../../core/messages"
import type { CheckLine } from "../schemas/health"

export type SettingProblem = {
  /** The variable, or `account.<option>`, or `account` for all options. */
  readonly setting: string
  /** `failed`: something that the shop was meant to offer is not offered because of it. */
  readonly status: "warning" | "failed"
  readonly code: HealthCode
  readonly facts: Readonly<Record<string, string>>
}

/** The sentence for the log. */
export const settingSentence = ({ code, facts }: SettingProblem): string =>
  sentence("health", code, facts)

/** Said in the log only: other lines of the setup check judge by what is there besides. */
const OF_LOG: ReadonlySet<HealthCode> = new Set<HealthCode>(["credentials_unset", "key_unset"])

/** The prefix of a line's name; the setting follows. */
const SETTING = "setting:"

export function settingLines(problems: readonly SettingProblem[]): CheckLine[] {
  const shown = problems.filter(({ code }) => !OF_LOG.has(code))
  if (shown.length === 0) {
    const code = "settings_right"
    return [{ name: "settings", status: "ok", code, message: sentence("health", code), facts: {} }]
  }
  return shown.map((problem) => {
    const { setting, status, code, facts } = problem
    return { name: `${SETTING}${setting}`, status, code, message: settingSentence(problem), facts }
  })
}
