/**
 * What `medusa-config` says of the plugin that can't work: one half without the other, or a half
 * twice. Medusa itself is silent about it, or speaks of names that no configuration has.
 */
import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { SettingProblem } from "../accounts/rules/setting-problems"
import type { HealthCode } from "../core/messages"
import { isEntry, isOurPlugin, isOurProvider, paymentProvidersIn } from "./configured-parts"

/** The plugin's module among those that Medusa loads. */
const MODULE = "merchantPayments"

/** @param config Medusa's configuration with the modules of its plugins */
export function configurationProblems(config: unknown): readonly SettingProblem[] {
  const { plugins, modules } = isEntry(config) ? config : {}
  const named = Array.isArray(plugins) ? plugins.filter(isOurPlugin).length : 0
  const isLoaded = named > 0 || (isEntry(modules) && MODULE in modules)
  const providers = paymentProvidersIn(config).filter(isOurProvider).length
  return [
    ...(providers > 0 && !isLoaded ? [failed("plugin_missing")] : []),
    ...(providers === 0 && isLoaded ? [failed("providers_missing")] : []),
    ...(named > 1 ? [failed("plugin_twice")] : []),
    ...(providers > 1 ? [failed("providers_twice")] : []),
  ]
}

const failed = (code: HealthCode): SettingProblem => ({
  setting: "medusa-config",
  status: "failed",
  code,
  facts: {},
})

/** The configuration of this process. */
export const configurationHere = (): unknown =>
  container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
