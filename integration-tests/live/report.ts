/**
 * The report of a run, as JSON and as a page. Nothing in it is free text of the gateway: a lesson
 * holds names, kinds and plain words. As a second guard every known secret is masked, and every
 * text that is not a reference of this run is redacted.
 */
import fs from "node:fs"
import path from "node:path"
import { redact, type Lesson } from "merchant-payments-gateway"

/** A movement of money or a source that this run made. */
export type Made = {
  readonly kind: "collection" | "refund" | "source"
  /** Our own UUID, under which the gateway has it. */
  readonly reference: string
  readonly amount: string
  /** `open`: what became of it is not known, or a payment may still come. */
  state: "open" | "completed" | "failed" | "canceled" | "not sent"
}

export type Report = {
  readonly startedAt: string
  endedAt: string | null
  /** Why the run ended before its last question; null if it did not. */
  ended: string | null
  readonly lessons: Lesson[]
  readonly made: Made[]
  spent: Readonly<Record<string, string>>
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The report without anything that must not be shown. */
export function redacted(report: Report, secrets: readonly string[]): Report {
  const text = JSON.stringify(report, (key, value: unknown) => {
    if (typeof value !== "string") return value
    if ((key === "reference" && UUID.test(value)) || /At$/.test(key)) return value
    return redact(secrets.reduce((rest, one) => rest.replaceAll(one, "•••"), value))
  })
  return JSON.parse(text) as Report
}

/** Writes whole files or none: a run that is killed leaves the former report. */
export function writeReport(folder: string, report: Report, secrets: readonly string[]): void {
  const safe = redacted(report, secrets)
  fs.mkdirSync(folder, { recursive: true })
  const stem = path.join(folder, `live-${safe.startedAt.replace(/[:.]/g, "-")}`)
  const files = { [`${stem}.json`]: JSON.stringify(safe, null, 2), [`${stem}.md`]: pageOf(safe) }
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(`${name}.part`, `${text}\n`, { mode: 0o600, flush: true })
    fs.renameSync(`${name}.part`, name)
  }
}

function pageOf({ startedAt, endedAt, ended, lessons, made, spent }: Report): string {
  const row = (cells: readonly (string | null)[]) => `| ${cells.map(cell).join(" | ")} |`
  const sums = Object.entries(spent).map(([code, sum]) => `${sum} ${code}`)
  return [
    "# What the gateway answered",
    `Begun ${startedAt}, ended ${endedAt ?? "not yet"}. ${ended ?? "All was asked."}`,
    `Counted as spent, at most: ${sums.join(", ")}.`,
    "## Questions",
    [
      "| Question | Call | Field | Answer | Why not |\n| --- | --- | --- | --- | --- |",
      ...lessons.map((one) => row([one.question, one.call, one.field, one.learned, one.why])),
    ].join("\n"),
    "## What was made",
    [
      "| Kind | Reference | Amount | State |\n| --- | --- | --- | --- |",
      ...made.map((one) => row([one.kind, one.reference, one.amount, one.state])),
    ].join("\n"),
  ].join("\n\n")
}

const cell = (text: string | null) => (text ?? "").replaceAll("|", "\\|")
