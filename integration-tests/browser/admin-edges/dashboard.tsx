/**
 * As much of a dashboard as puts the extension's parts on the screen: a menu with their icons,
 * breadcrumbs, a page for each route, and an order's page with the widgets. Like Medusa's, it has no
 * boundary around an icon, a breadcrumb or a widget.
 */
import { TooltipProvider } from "@medusajs/ui"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import i18n from "i18next"
import { version, type ComponentType, type ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { initReactI18next } from "react-i18next"
import { createMemoryRouter, Outlet, RouterProvider, useMatches } from "react-router-dom"
import type { SmallDashboard } from "./window"
import translations from "../../../src/admin/i18n"

type Part = {
  readonly default: ComponentType<{ readonly data: object }>
  readonly config?: { readonly icon?: ComponentType }
  readonly handle?: { readonly breadcrumb?: (match: object) => ReactNode }
}

declare global {
  interface ImportMeta {
    glob(pattern: string, options: { readonly eager: true }): Record<string, Part>
  }
}

const ROUTES = import.meta.glob("../../../src/admin/routes/**/page.tsx", { eager: true })
const WIDGETS = Object.values(import.meta.glob("../../../src/admin/widgets/*.tsx", { eager: true }))
const ICONS = Object.values(ROUTES).flatMap(({ config }) => config?.icon ?? [])

/** `/merchant-payments/:id`, as Medusa makes addresses of files. */
const pathOf = (file: string) =>
  file
    .replace(/^.*\/routes/, "")
    .replace(/\/page\.tsx$/, "")
    .replaceAll(/\[(\w+)\]/g, ":$1")

function Layout() {
  const crumbs = useMatches().flatMap(({ handle }) => (handle as Part["handle"])?.breadcrumb ?? [])
  return (
    <>
      <nav>
        <p>Orders</p>
        {ICONS.map((Icon, at) => (
          <span key={at} data-testid="icon">
            <Icon />
          </span>
        ))}
      </nav>
      <header>{crumbs.map((crumb) => crumb({}))}</header>
      <main>
        <Outlet />
      </main>
    </>
  )
}

const Order = () => (
  <>
    <h1>Order 7</h1>
    {WIDGETS.map(({ default: Widget }, at) => (
      <Widget key={at} data={{ id: "order_7" }} />
    ))}
  </>
)

const pages = Object.entries(ROUTES).map(([file, { default: Page, handle }]) => ({
  path: pathOf(file),
  element: (
    <>
      <h1>{pathOf(file)}</h1>
      <Page data={{}} />
    </>
  ),
  ...(handle && { handle }),
}))
const router = createMemoryRouter([
  {
    path: "/",
    element: <Layout />,
    children: [{ path: "/orders/7", element: <Order /> }, ...pages],
  },
])

const dashboard: SmallDashboard = {
  react: version,
  paths: ["/orders/7", ...pages.map(({ path }) => path)],
  open: (path) => router.navigate(path.replace(":id", "mpop_1")),
}
window.dashboard = dashboard

await i18n.use(initReactI18next).init({ lng: "en", fallbackLng: "en", resources: translations })
createRoot(document.getElementById("root") as HTMLElement).render(
  <QueryClientProvider client={new QueryClient()}>
    <TooltipProvider>
      <RouterProvider router={router} />
    </TooltipProvider>
  </QueryClientProvider>,
)
