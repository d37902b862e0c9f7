/**
 * The edge between the dashboard and each part that it takes from the plugin. A store can install
 * another copy of the dashboard's libraries, by pinning a version: our hooks then throw, and the
 * dashboard has no boundary around a menu icon, so every page would go blank. Here a part that
 * doesn't fit is replaced alone. The edge needs React and nothing else of the dashboard.
 */
import { QueryClientContext } from "@tanstack/react-query"
import { Component, useContext, type ComponentType, type ReactNode } from "react"
import { getI18n, I18nContext } from "react-i18next"
import { useInRouterContext } from "react-router-dom"
import { DashboardMisfit, type Library } from "./dashboard-misfit"

type Misfit = { readonly missing: readonly Library[]; readonly error?: unknown }

/** Nothing to see, where a sentence has no place. */
export const Nothing = () => null

/**
 * Wraps a page, a widget, a menu icon or a breadcrumb.
 *
 * @param Otherwise what is shown where it doesn't fit
 */
export function fitted<Props extends object>(
  Shown: ComponentType<Props>,
  Otherwise: ComponentType<Misfit> = DashboardMisfit,
): ComponentType<Props> {
  const Checked = (props: Props) => {
    const missing = useMissing()
    return missing.length > 0 ? <Otherwise missing={missing} /> : <Shown {...props} />
  }
  return (props) => (
    <Boundary otherwise={(error) => <Otherwise missing={[]} error={error} />}>
      <Checked {...props} />
    </Boundary>
  )
}

/** The libraries whose copy here isn't the dashboard's: nothing of the dashboard is in it. */
function useMissing(): readonly Library[] {
  const isRouted = useInRouterContext()
  const client = useContext(QueryClientContext)
  const translated = useContext(I18nContext) as unknown
  const i18n = (translated ?? getI18n()) as unknown
  return [
    ...(isRouted ? [] : ["react-router-dom" as const]),
    ...(client ? [] : ["@tanstack/react-query" as const]),
    ...(i18n ? [] : ["react-i18next" as const]),
  ]
}

type BoundaryProps = {
  readonly children: ReactNode
  readonly otherwise: (error: unknown) => ReactNode
}

class Boundary extends Component<BoundaryProps, { readonly failed: { error: unknown } | null }> {
  override state: { readonly failed: { error: unknown } | null } = { failed: null }

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  override render() {
    const { children, otherwise } = this.props
    return this.state.failed ? otherwise(this.state.failed.error) : children
  }
}
