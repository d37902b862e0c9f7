/** What a package manager says about peers, in its own words. */

const PEER = /\bpeer\b|unmet|doesn't provide|incorrectly met|ERESOLVE/i
const OURS = /merchant-payments/
const COLOURS = /\u001b\[[0-9;]*m/g
/** pnpm draws who wants a peer as a tree, whose last leaf has a cross. */
const BRANCH = /^([│├└─┬ ]*[├└]─[─┬]? )(.+)$/
/** Yarn's name of a complaint, which changes with what is installed. */
const YARN_CODE = / \(p[0-9a-f]+\)/
const CROSS = /^✕ /

export type Peers = {
  /** One line each, once each. */
  readonly lines: readonly string[]
  /** Those that one of our packages causes: it asks, or has brought who asks. */
  readonly ours: readonly string[]
}

/**
 * @param before what was said of Medusa alone: Yarn 4 hides our names behind "other dependencies",
 *   so what is new is ours
 */
export function peersIn(output: string, before?: readonly string[]): Peers {
  const lines = output.replace(COLOURS, "").split("\n")
  const path: { readonly depth: number; readonly name: string }[] = []
  const found = lines.flatMap((line): string[] => {
    const [, drawn, text = ""] = BRANCH.exec(line) ?? []
    if (drawn === undefined) return PEER.test(line) ? [line.trim()] : []
    while ((path.at(-1)?.depth ?? -1) >= drawn.length) path.pop()
    if (CROSS.test(text)) return [`${namesIn(path)}: ${text.replace(CROSS, "")}`]
    path.push({ depth: drawn.length, name: text.trim() })
    return []
  })
  const once = [...new Set(found.map((line) => line.replace(YARN_CODE, "")))]
  const known = before && new Set(before.map(complaintOf))
  return {
    lines: once,
    ours: once.filter((line) => OURS.test(line) || known?.has(complaintOf(line)) === false),
  }
}

/** Who misses which peer, without the way to it: pnpm names one of several ways, and not always one. */
const complaintOf = (line: string): string => line.split(" > ").at(-1) ?? line

const namesIn = (path: readonly { readonly name: string }[]): string =>
  path.map(({ name }) => name).join(" > ")
