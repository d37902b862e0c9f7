/**
 * What stands in the place of a part that doesn't fit the dashboard: which library is another copy,
 * and the version to set. It is plain HTML, because the dashboard's own parts may be what is wrong.
 */
import { dependencies } from "@medusajs/dashboard/package.json"
import { en, fr } from "../i18n/words"

/** Libraries that the pages share with the dashboard. */
const LIBRARIES = [
  "react-router-dom",
  "@tanstack/react-query",
  "react-i18next",
  "@medusajs/ui",
] as const

export type Library = (typeof LIBRARIES)[number]

type Given = {
  /** Those that are known to be another copy. */
  readonly missing: readonly Library[]
  readonly error?: unknown
}

export function DashboardMisfit({ missing, error }: Given) {
  const { misfit } = languageHere() === "fr" ? fr : en
  const isKnown = missing.length > 0
  return (
    <section
      role="alert"
      data-testid="dashboard-misfit"
      className="shadow-elevation-card-rest bg-ui-bg-base text-ui-fg-base rounded-lg px-6 py-4"
    >
      <h2 className="txt-compact-medium-plus">{misfit.title}</h2>
      <p className="txt-small pt-2">{isKnown ? misfit.copies : misfit.failed}</p>
      {!isKnown && <p className="txt-small break-words pt-2 font-mono">{messageOf(error)}</p>}
      <p className="txt-small pt-2">{isKnown ? misfit.versions : misfit.maybe}</p>
      <pre className="txt-small overflow-x-auto pt-2 font-mono">
        {(isKnown ? missing : LIBRARIES).map(entryOf).join(",\n")}
      </pre>
    </section>
  )
}

/** `"react-router-dom": "7.18.2"`: the version of the dashboard that the store is built with. */
const entryOf = (name: Library) => `"${name}": "${dependencies[name]}"`

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The dashboard's language, where it keeps it: its translations may be what is missing. */
function languageHere(): "en" | "fr" {
  try {
    const chosen = localStorage.getItem("lng") ?? navigator.language
    return chosen.startsWith("fr") ? "fr" : "en"
  } catch {
    return "en"
  }
}
