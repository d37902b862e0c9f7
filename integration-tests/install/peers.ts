/** What a package manager says about peers, in its own words. */

const PEER = /\bpeer\b|unmet|doesn't provide|incorrectly met|ERESOLVE/i
const OURS = /merchant-payments/
const COLOURS = /\u001b\[[0-9;]*m/g
/** pnpm draws who wants a peer as a tree, whose last leaf has a cross. */
const BRANCH = /^([│├└─┬ ]*[├└]─[─┬]? )(.+)$/
const CROSS = /^✕ /

export type Peers = {
  /** One line each, once each. */
  readonly lines: readonly string[]
  /** Those that one of our packages causes: it asks, or has brought who asks. */
  readonly ours: readonly string[]
}

export function peersIn(output: string): Peers {
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
  const once = [...new Set(found)]
  return { lines: once, ours: once.filter((line) => OURS.test(line)) }
}

const namesIn = (path: readonly { readonly name: string }[]): string =>
  path.map(({ name }) => name).join(" > ")
