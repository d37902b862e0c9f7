/** The README's eight steps, read where a person reads them. */
import fs from "node:fs"
import path from "node:path"

const README = path.resolve(__dirname, "../../README.md")
const HEADING = "## Install it in a store"
const STEPS = 8

export type ReadmeStep = {
  /** All of it, without the indentation. */
  readonly text: string
  /** Its block of code; "" where it has none. */
  readonly code: string
  /** Words in quotation marks, in their order: what a person sees or presses. */
  readonly quoted: readonly string[]
}

export type Readme = {
  /** @param number from 1, as printed */
  step(number: number): ReadmeStep
  /** Names of the environment's variables, in the table below the steps. */
  readonly variables: readonly string[]
}

/** @throws where the README no longer has eight steps in this place */
export function readReadme(): Readme {
  const [, rest = ""] = fs.readFileSync(README, "utf8").split(`\n${HEADING}\n`)
  const section = rest.split("\n## ")[0] ?? ""
  const parts = section.split(/^\d+\. /m).slice(1)
  if (parts.length !== STEPS) throw new Error(`The README has ${parts.length} steps, not ${STEPS}.`)
  const steps = parts.map((part): ReadmeStep => {
    const text = part.replace(/^ {3}/gm, "")
    const [, code = ""] = /^```\w+\n([^]*?)^```/m.exec(text) ?? []
    return { text, code, quoted: [...text.matchAll(/"([^"\n]+)"/g)].map(([, word]) => word ?? "") }
  })
  return {
    step: (number) => {
      const step = steps[number - 1]
      if (!step) throw new Error(`The README has no step ${number}.`)
      return step
    },
    variables: [...section.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name ?? ""),
  }
}
