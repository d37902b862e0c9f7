/** Tabs between the pages of payments, with the number that need attention. */
import { Badge, clx } from "@medusajs/ui"
import { NavLink } from "react-router-dom"
import { LIST } from "../lib/filters"
import { LIST_EVERY_MS } from "../lib/pauses"
import { useAttentionCount } from "../lib/queries"
import { useWords } from "../lib/words"

export function SectionTabs() {
  const { say } = useWords()
  const count = useAttentionCount(LIST_EVERY_MS)
  return (
    <nav className="flex flex-wrap gap-2" aria-label={say("menu.payments")}>
      <Tab to="/merchant-payments" name={say("home.title")} />
      <Tab to={LIST} name={say("list.all")} />
      <Tab to="/merchant-payments/attention" name={say("menu.attention")} count={count} />
      <Tab to="/merchant-payments/reconciliation" name={say("menu.reconciliation")} />
    </nav>
  )
}

function Tab(props: { readonly to: string; readonly name: string; readonly count?: number }) {
  return (
    <NavLink
      to={props.to}
      end
      className={({ isActive }) =>
        clx(
          "txt-compact-small-plus focus-visible:shadow-borders-focus flex items-center gap-x-2",
          "rounded-full px-3 py-1.5 outline-none transition-colors",
          isActive
            ? "bg-ui-bg-base text-ui-fg-base shadow-elevation-card-rest"
            : "text-ui-fg-subtle hover:bg-ui-bg-base-hover",
        )
      }
    >
      {props.name}
      {!!props.count && (
        <Badge size="2xsmall" color="orange" rounded="full" data-testid="attention-count">
          {props.count}
        </Badge>
      )}
    </NavLink>
  )
}
