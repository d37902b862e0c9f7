/** The style of the page; its digest stands in the policy, so no other style is applied. */
import { createHash } from "node:crypto"

export const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f4f4f5; color: #18181b; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem; background: #fff; min-height: 100vh; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
p { margin: 0.5rem 0; }
a { color: #1d4ed8; }
.shop { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.quiet { color: #52525b; font-size: 0.875rem; }
.notice { padding: 0.5rem 0.75rem; border-left: 4px solid #b45309; background: #fffbeb; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.375rem 0; text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: #52525b; font-size: 0.875rem; border-bottom: 1px solid #d4d4d8; }
tbody th { overflow-wrap: anywhere; }
.number { padding-left: 0.75rem; text-align: right; font-variant-numeric: tabular-nums; }
tfoot tr:first-child > * { border-top: 1px solid #d4d4d8; font-weight: 600; }
dl { margin: 0.5rem 0; }
dl > div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.25rem 0; }
dt { color: #52525b; }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.entry { border-top: 1px solid #d4d4d8; }
.languages a { margin-right: 0.75rem; }
@media print {
  body { background: #fff; font-size: 11pt; }
  main { max-width: none; padding: 0; min-height: 0; }
  .screen { display: none; }
  tr, .entry { break-inside: avoid; }
}
`

const digest = createHash("sha256").update(STYLE).digest("base64")

/** Nothing is loaded, run, sent or framed; the one style is the page's own. */
export const PAPER_POLICY =
  `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'"
