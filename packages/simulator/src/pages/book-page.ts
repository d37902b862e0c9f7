/**
 * The book's page for a person: sources, movements of money, open payments, calls and scripted
 * faults. The lower part reloads every two seconds, but only if it changed and no text in it is
 * selected. Nothing in it takes the focus, so the reader is not interrupted.
 */
import type { WalletView } from "../book/money-out-view"
import type { DocumentView } from "../book/view"
import type { StruckFault } from "../faults"
import { faultForms, type FaultForms } from "./fault-forms"
import { html, script, type Html } from "./html"
import { page, shownAmount } from "./layout"

/** A collection, payout, transfer or refund. */
export type Movement = {
  reference: string
  type: string
  /** What it is for, and how it is paid: `ORD-2026-30001`, phone, method. */
  about: string
  origin: string
  status: string
  timesCalled: number
  createdAtMs: number
  payerAmount: string
  payerCurrency: string
}

export type SessionRow = { id: number; type: string; status: string; expiresAtMs: number }

/** Lists are newest first and cut; `counts` has the full numbers. */
export type Shown = {
  documents: readonly DocumentView[]
  movements: readonly Movement[]
  sessions: readonly SessionRow[]
  wallets: readonly WalletView[]
  calls: readonly { operation: string; times: number }[]
  struck: readonly StruckFault[]
  scripted: readonly { operation: string; call: number; fault: string }[]
  random: string | null
  counts: { documents: number; movements: number; sessions: number }
}

const REFRESH_MS = 2_000

export const bookPage = (shown: Shown, forms: FaultForms): string =>
  page({
    title: "Book",
    body: html`<h1>Book</h1>
      <p>What the gateway knows, and what goes wrong on purpose. It renews itself.</p>
      ${faultForms(forms)}
      <div id="book" data-testid="book">${bookList(shown)}</div>
      ${RENEWING}`,
  })

const RENEWING = html`<script>
  setInterval(async () => {
    const book = document.getElementById("book")
    const marked = getSelection()
    if (marked && !marked.isCollapsed && book.contains(marked.anchorNode)) return
    try {
      const answer = await fetch(${script("/book?fragment=1")})
      const text = await answer.text()
      if (answer.ok && text !== book.dataset.shown) {
        book.innerHTML = text
        book.dataset.shown = text
      }
    } catch {}
  }, ${REFRESH_MS})
</script>`

/** The part of the page that reloads itself. */
export const bookList = (shown: Shown): Html =>
  html`${list("Faults to come", "scripted", comingFaults(shown), "No fault is scripted.")}
  ${list("Faults that struck", "struck", shown.struck.map(struckRow), "None so far.")}
  ${list(
    `Sources (${shown.counts.documents})`,
    "sources",
    shown.documents.map(sourceRow),
    "There is no source yet.",
  )}
  ${list(
    `Money that moves (${shown.counts.movements})`,
    "movements",
    shown.movements.map(movementRow),
    "Nothing was executed yet.",
  )}
  ${list(
    `Sessions (${shown.counts.sessions})`,
    "sessions",
    shown.sessions.map(sessionRow),
    "No session was opened yet.",
  )}
  ${list("Wallets", "wallets", shown.wallets.map(walletRow), "There is no wallet.")}
  ${list("Calls", "calls", shown.calls.map(callRow), "The API was not called yet.")}`

const list = (title: string, testId: string, rows: readonly Html[], nothing: string): Html =>
  html`<h2>${title}</h2>
    <div class="card" data-testid="${testId}">
      ${rows.length > 0 ? rows : html`<span class="soft">${nothing}</span>`}
    </div>`

const comingFaults = ({ scripted, random }: Shown): Html[] => [
  ...(random === null
    ? []
    : [html`<div class="row" data-testid="random-fault"><span>By chance: ${random}</span></div>`]),
  ...scripted.map(
    ({ operation, call, fault }) =>
      html`<div class="row" data-testid="scripted-fault">
        <span>${operation}<br /><span class="soft">${whichCall(call)}</span></span>
        <code>${fault}</code>
      </div>`,
  ),
]

const whichCall = (call: number): string => (call === 1 ? "the next call" : `call ${call} from now`)

const struckRow = ({ operation, call, fault, origin }: StruckFault) =>
  html`<div class="row" data-testid="struck-fault">
    <span>
      ${operation}<br />
      <span class="soft">call ${call}, ${origin === "random" ? "by chance" : "by script"}</span>
    </span>
    <code>${fault}</code>
  </div>`

const overcharge = ({ charges }: DocumentView): Html | null =>
  charges > 1 ? html`<br /><b data-testid="overcharged">Charged ${charges} times</b>` : null

const sourceRow = (source: DocumentView) =>
  html`<div class="row" data-testid="source" data-source="${source.id}">
    <span>
      ${source.number}<br />
      <span class="soft">${source.referenceId ?? "no reference"}, ${source.partyPhone}</span>
      ${overcharge(source)}
    </span>
    <span class="sum">
      ${shownAmount(source.totalAmount, source.currency)}<br />
      <span class="tag ${source.status}">${source.status.toLowerCase()}</span>
    </span>
  </div>`

const timesText = ({ timesCalled }: Movement): string =>
  timesCalled > 1 ? `, called ${timesCalled} times` : ""

const movementRow = (movement: Movement) =>
  html`<div class="row" data-testid="movement" data-reference="${movement.reference}">
    <span>
      ${movement.type.toLowerCase()}: ${movement.about}<br />
      <span class="soft">
        <code>${movement.reference}</code><br />
        ${movement.origin}${timesText(movement)}
      </span>
    </span>
    <span class="sum">
      ${shownAmount(movement.payerAmount, movement.payerCurrency)}<br />
      <span class="tag ${movement.status}">${movement.status.toLowerCase()}</span>
    </span>
  </div>`

const sessionRow = ({ id, type, status, expiresAtMs }: SessionRow) =>
  html`<div class="row" data-testid="session">
    <span>
      ${id}, ${type.toLowerCase()}<br />
      <span class="soft">until ${new Date(expiresAtMs).toISOString()}</span>
    </span>
    <span class="sum"><span class="tag ${status}">${status.toLowerCase()}</span></span>
  </div>`

const holderText = ({ ownerId, partyId }: WalletView): string =>
  ownerId === null ? `party ${partyId ?? ""}` : `merchant ${ownerId}`

const walletRow = (wallet: WalletView) =>
  html`<div class="row" data-testid="wallet">
    <span>
      ${wallet.id}, of ${holderText(wallet)}<br />
      <span class="soft">${shownAmount(wallet.reserved, wallet.currency)} on its way out</span>
    </span>
    <span class="sum">
      ${shownAmount(wallet.balance, wallet.currency)}<br />
      <span class="tag ${wallet.state}">${wallet.state.toLowerCase()}</span>
    </span>
  </div>`

const callRow = ({ operation, times }: { operation: string; times: number }) =>
  html`<div class="row" data-testid="calls-${operation}">
    <span>${operation}</span><b>${times}</b>
  </div>`
