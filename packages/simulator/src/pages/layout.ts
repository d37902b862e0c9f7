/** The frame and style that all pages share. Designed for a phone of 360 px first. */
import { Html, html } from "./html"

const STYLE = new Html(`
:root { color-scheme: light; --ink: #14213d; --soft: #5b6785; --line: #dfe4ee; --paper: #fff;
  --back: #eef2f8; --brand: #0b6e4f; --brand-deep: #084f39; --bad: #a4262c; --note: #fff7e0; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header.bar { background: var(--ink); color: #fff; padding: 12px 16px; }
header.bar a { color: #fff; text-decoration: none; font-weight: 600; }
header.bar span { display: block; font-size: 13px; color: #c3cce0; }
main { max-width: 560px; margin: 0 auto; padding: 16px; }
h1 { font-size: 22px; line-height: 1.25; margin: 8px 0 12px; }
h2 { font-size: 17px; margin: 24px 0 8px; }
p { margin: 0 0 12px; }
a { color: var(--brand-deep); }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 14px;
  padding: 16px; margin: 0 0 14px; box-shadow: 0 1px 2px rgb(20 33 61 / 6%); }
.soft { color: var(--soft); font-size: 14px; }
.amount { font-size: 28px; font-weight: 700; font-variant-numeric: tabular-nums; }
.row { display: flex; justify-content: space-between; gap: 12px; padding: 6px 0; }
.row + .row { border-top: 1px solid var(--line); }
.row b, .row .sum { font-variant-numeric: tabular-nums; white-space: nowrap; }
.row .sum { text-align: right; }
.row > code { flex: none; }
.row .value { text-align: right; overflow-wrap: anywhere; min-width: 0; }
.row span:first-child, .row .fact { overflow-wrap: anywhere; }
.row .fact { text-align: right; }
.buttons { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin-top: 12px; }
button, .button { display: block; width: 100%; min-height: 48px; padding: 11px 16px; border: 0;
  border-radius: 10px; background: var(--brand); color: #fff; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--brand-deep); }
.plain, .plain:hover { background: #fff; color: var(--ink); border: 1px solid var(--soft); }
.bad, .bad:hover { background: #fff; color: var(--bad); border: 1px solid var(--bad); }
.small { display: inline-block; width: auto; min-height: 44px; padding: 6px 14px; font-size: 14px; }
:focus-visible { outline: 3px solid #f4a300; outline-offset: 2px; }
label { display: block; font-weight: 600; margin-bottom: 4px; }
input, select { width: 100%; min-height: 48px; padding: 10px 12px; font: inherit; color: inherit;
  border: 1px solid var(--soft); border-radius: 10px; background: #fff; margin-bottom: 12px; }
.alert { background: #fdecea; border: 1px solid #f0b8b4; color: #7a1a1f; border-radius: 10px;
  padding: 10px 12px; margin-bottom: 14px; }
.note { background: var(--note); border: 1px solid #ecd9a0; border-radius: 10px;
  padding: 10px 12px; margin-bottom: 14px; font-size: 14px; }
.tag { display: inline-block; align-self: center; border-radius: 999px; padding: 1px 10px;
  font-size: 13px; background: #e6eaf3; }
.tag.COMPLETED, .tag.PAID { background: #d8f0e4; color: #084f39; }
.tag.FAILED, .tag.RESTRICTED, .tag.FROZEN, .tag.CLOSED { background: #fdecea; color: #7a1a1f; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th, td { text-align: left; vertical-align: top; padding: 7px 8px 7px 0;
  border-top: 1px solid var(--line); }
code { font-size: 14px; overflow-wrap: anywhere; }
ul { padding-left: 20px; margin: 0; }
.wait { width: 34px; height: 34px; border: 4px solid var(--line); border-top-color: var(--brand);
  border-radius: 50%; margin: 4px 0 12px; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .wait { animation: none; } }
`)

export type Page = {
  title: string
  body: Html
  /** Redirects there after `afterSeconds`. */
  next?: { url: string; afterSeconds: number }
}

/** A whole page. */
export function page({ title, body, next }: Page): string {
  const refresh = next
    ? html`<meta http-equiv="refresh" content="${next.afterSeconds};url=${next.url}" />`
    : null
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        ${refresh}
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <header class="bar">
          <a href="/">Gateway simulator</a><span>No real money moves here.</span>
        </header>
        <main>${body}</main>
      </body>
    </html>`.text
}

/** `USD 42.50`, `RWF 2,500`. */
export const shownAmount = (amount: string, currency: string): string => {
  const [whole = "", fraction] = amount.split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  return `${currency} ${grouped}${fraction === undefined ? "" : `.${fraction}`}`
}

/** `2 × T-shirt`; the name alone for a single one. */
export const lineName = (name: string, qty: number): string =>
  qty === 1 ? name : `${qty} × ${name}`
