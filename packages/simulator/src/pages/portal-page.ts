/**
 * The merchant portal: what a merchant can see and do without the API. Only the portal shows the
 * payment intent id of a payment on the hosted page, which a refund needs (contract notes, section
 * 3). Actions of the gateway's staff are marked as the simulator's own.
 */
import type { WalletView } from "../book/money-out-view"
import { WALLET_STATES } from "../book/money-records"
import type { MerchantView } from "../control/back-office"
import { html, type Html } from "./html"
import { page, shownAmount } from "./layout"
import { copied, COPYING, transactionList, type Transaction } from "./portal-transactions"

export type Portal = {
  merchant: MerchantView
  wallets: readonly WalletView[]
  /** Newest first, cut to one page. */
  transactions: readonly Transaction[]
  /** The search text; empty for all. */
  find: string
  /** How many more transactions match. */
  hidden: number
  /** Displayed once, right after a rotation. */
  newSecret: { clientId: string; clientSecret: string } | null
}

/** Choosing a merchant is the whole login. */
export const logInPage = (merchants: readonly MerchantView[]): string =>
  page({
    title: "Merchant portal",
    body: html`<h1>Merchant portal</h1>
      <p>Whose portal? There is no password in the simulator.</p>
      ${merchants.map(
        ({ ownerId, name }) =>
          html`<p>
            <a class="button" href="/portal/${ownerId}" data-testid="log-in-${ownerId}"
              >${name} (${ownerId})</a
            >
          </p>`,
      )}`,
  })

export const unknownMerchantPage = (): string =>
  page({
    title: "Merchant portal",
    body: html`<h1>No such merchant</h1>
      <p><a href="/portal">Choose one that is there</a></p>`,
  })

export const portalPage = (portal: Portal): string => {
  const { merchant, wallets, newSecret } = portal
  const path = `/portal/${merchant.ownerId}`
  return page({
    title: `${merchant.name}: merchant portal`,
    body: html`<h1 data-testid="portal-merchant">${merchant.name}</h1>
      <p class="soft">
        Merchant id <code data-testid="merchant-id">${merchant.ownerId}</code>,
        <code data-testid="merchant-type">${merchant.type}</code>.
        <a href="/portal" data-testid="log-out">Log out</a>
      </p>
      <p>
        <a href="#transactions" data-testid="to-transactions">Transactions</a> ·
        <a href="#wallets" data-testid="to-wallets">Wallets</a> ·
        <a href="#keys" data-testid="to-keys">API keys</a>
      </p>
      ${newSecret && secretNote(newSecret)} ${verification(merchant, path)}
      <h2 id="wallets">Wallets</h2>
      ${wallets.map((wallet) => walletCard(wallet, path))}
      <h2 id="keys">API keys</h2>
      ${merchant.clientIds.map((clientId) => keyCard(clientId, path))}
      <h2 id="transactions">Transactions</h2>
      ${findForm(portal, path)} ${transactionList(portal)} ${COPYING}`,
  })
}

const secretNote = ({ clientId, clientSecret }: NonNullable<Portal["newSecret"]>): Html =>
  html`<div class="note" role="status">
    The new secret of <code>${clientId}</code>, shown this once:<br />
    ${copied("new secret", "new-secret", clientSecret)}<br />
    The former secret and its tokens are void.
  </div>`

const verification = ({ isVerified }: MerchantView, path: string): Html =>
  html`<section class="card" aria-labelledby="verification">
    <h2 id="verification" style="margin-top: 0">Verification</h2>
    <p>
      <span class="tag ${isVerified ? "COMPLETED" : "FAILED"}" data-testid="verification"
        >${isVerified ? "verified" : "not verified"}</span
      >
    </p>
    <p class="soft">
      Until it is verified, payouts, transfers, refunds, payment links and hosted pages answer 403.
    </p>
    <form method="post" action="${path}/verified">
      <button
        class="plain"
        name="isVerified"
        value="${isVerified ? "false" : "true"}"
        data-testid="set-verified"
      >
        ${isVerified ? "Take the verification away" : "Verify this merchant"}
      </button>
    </form>
  </section>`

const walletCard = (wallet: WalletView, path: string): Html => {
  const { id, currency, state, balance, reserved, available } = wallet
  const field = `state-${id}`
  return html`<section
    class="card"
    data-testid="wallet-${currency}"
    aria-label="Wallet ${currency}"
  >
    <div class="row">
      <span class="amount" data-testid="available">${shownAmount(available, currency)}</span>
      <span class="tag ${state}" data-testid="wallet-state">${state.toLowerCase()}</span>
    </div>
    <p class="soft">
      Wallet <code data-testid="wallet-id">${id}</code>. Balance
      <span data-testid="balance">${shownAmount(balance, currency)}</span>, on its way out
      <span data-testid="reserved">${shownAmount(reserved, currency)}</span>.
    </p>
    <details>
      <summary>Change its state</summary>
      <form method="post" action="${path}/wallets/${id}/state">
        <label for="${field}">State of the ${currency} wallet</label>
        <select id="${field}" name="state" data-testid="${field}">
          ${WALLET_STATES.map((one) => {
            const selected = one === state ? html` selected` : null
            return html`<option value="${one}" ${selected}>${one}</option>`
          })}
        </select>
        <button class="plain" data-testid="set-${field}">Set the state</button>
      </form>
    </details>
  </section>`
}

const keyCard = (clientId: string, path: string): Html =>
  html`<section class="card" data-testid="api-key">
    <p>Client id <code>${clientId}</code></p>
    <form method="post" action="${path}/rotate-key">
      <input type="hidden" name="clientId" value="${clientId}" />
      <button class="bad" data-testid="rotate-key" aria-label="Rotate the key of ${clientId}">
        Rotate: new secret, the old one is void
      </button>
    </form>
  </section>`

const findForm = ({ find }: Portal, path: string): Html =>
  html`<form method="get" action="${path}" class="card" role="search">
    <label for="find">Find by payment intent, reference, number or phone</label>
    <input id="find" name="find" value="${find}" autocomplete="off" data-testid="find" />
    <button class="plain" data-testid="find-button">Find</button>
  </form>`
