/**
 * The payer's phone. The list reloads every two seconds, but only if it changed and none of its
 * buttons has the focus, so that a person is not interrupted.
 */
import type { DocumentView, ExecutionView } from "../book/view"
import { html, script, type Html } from "./html"
import { page, shownAmount } from "./layout"

export type Prompt = { execution: ExecutionView; source: DocumentView; merchantName: string }

const REFRESH_MS = 2_000

const renewing = (fragment: string): Html =>
  html`<script>
    setInterval(async () => {
      const list = document.getElementById("prompts")
      if (list.contains(document.activeElement)) return
      try {
        const answer = await fetch(${script(fragment)})
        const text = await answer.text()
        if (answer.ok && text !== list.dataset.shown) {
          list.innerHTML = text
          list.dataset.shown = text
        }
      } catch {}
    }, ${REFRESH_MS})
  </script>`

const phoneField = (phone: string | undefined): Html =>
  html`<form method="get" action="/handset" class="card">
    <label for="phone">Show one phone only</label>
    <input
      id="phone"
      name="phone"
      inputmode="tel"
      autocomplete="off"
      value="${phone ?? ""}"
      placeholder="231770000003"
      data-testid="handset-phone"
    />
    <button class="plain" data-testid="handset-filter">Show</button>
  </form>`

export const handsetPage = (
  waiting: readonly Prompt[],
  recent: readonly Prompt[],
  phone: string | undefined,
): string => {
  const query = new URLSearchParams({ fragment: "1", ...(phone ? { phone } : {}) })
  return page({
    title: waiting.length > 0 ? `(${waiting.length}) Handset` : "Handset",
    body: html`<h1>Handset</h1>
      <div id="prompts" aria-live="polite">${promptList(waiting, recent, phone)}</div>
      ${phoneField(phone)} ${renewing(`/handset?${query.toString()}`)}`,
  })
}

/** The part of the page that reloads itself. */
export const promptList = (
  waiting: readonly Prompt[],
  recent: readonly Prompt[],
  phone: string | undefined,
): Html =>
  html`${
    waiting.length === 0
      ? html`<div class="card" data-testid="no-prompts">
          Nothing waits for an answer${phone ? html` on <code>${phone}</code>` : null}.
        </div>`
      : waiting.map((prompt) => waitingPrompt(prompt, phone))
  }
  ${
    recent.length > 0
      ? html`<h2>Recent</h2>
          <div class="card">${recent.map(recentPrompt)}</div>`
      : null
  }`

const waitingPrompt = ({ execution, source, merchantName }: Prompt, phone: string | undefined) =>
  html`<section class="card" data-testid="prompt" data-reference="${execution.reference}">
    <p class="soft">${execution.phone ?? ""}</p>
    <p>Pay <b data-testid="prompt-merchant">${merchantName}</b>?</p>
    <p data-testid="prompt-note">${source.note}</p>
    <div class="amount" data-testid="prompt-amount">
      ${shownAmount(execution.payerAmount, execution.payerCurrency)}
    </div>
    <p class="soft">${source.number}</p>
    <form method="post" action="/handset/answer">
      <input type="hidden" name="reference" value="${execution.reference}" />
      <input type="hidden" name="phone" value="${phone ?? ""}" />
      <div class="buttons">
        <button
          class="bad"
          name="answer"
          value="decline"
          data-testid="decline"
          aria-label="Decline ${execution.payerAmount} ${execution.payerCurrency}"
        >
          Decline
        </button>
        <button
          name="answer"
          value="approve"
          data-testid="approve"
          aria-label="Approve ${execution.payerAmount} ${execution.payerCurrency}"
        >
          Approve
        </button>
      </div>
    </form>
  </section>`

const recentPrompt = ({ execution }: Prompt) =>
  html`<div class="row" data-testid="recent-prompt" data-reference="${execution.reference}">
    <span>
      ${execution.phone ?? ""}<br />
      <span class="soft">${note(execution)}</span>
    </span>
    <span class="sum">
      ${shownAmount(execution.payerAmount, execution.payerCurrency)}<br />
      <span class="tag ${execution.status}">${execution.status.toLowerCase()}</span>
    </span>
  </div>`

const note = ({ origin, status }: ExecutionView): string =>
  status === "PROCESSING" || status === "PENDING" ? `${origin}: answers by itself or never` : origin
