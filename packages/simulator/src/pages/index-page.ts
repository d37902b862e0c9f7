/** The front page: what the simulator is, where its pages are, and what each phone number does. */
import {
  MONEY_OUT_SCENARIOS,
  OTHER_MONEY_OUT,
  OTHER_NUMBERS,
  SCENARIOS,
  type Scenario,
} from "../scenarios"
import { OPERATORS } from "../rules/operators"
import { html } from "./html"
import { page } from "./layout"

const row =
  (kind: string) =>
  ({ endsWith, description }: Scenario) =>
    html`<tr data-testid="${kind}-${endsWith || "other"}">
      <td><code>${endsWith || "any other"}</code></td>
      <td>${description}</td>
    </tr>`

export const indexPage = (baseUrl: string): string =>
  page({
    title: "Gateway simulator",
    body: html`<h1>Gateway simulator</h1>
      <p>
        It plays the Merchant Payments API at <code>${baseUrl}</code>, keeps its own book of
        payments, and moves no money.
      </p>
      <div class="card">
        <a class="button" href="/handset" data-testid="to-handset">Open the handset</a>
        <p class="soft" style="margin: 8px 0 0">
          The payer's phone: approve or decline what waits there.
        </p>
      </div>
      <div class="card">
        <a class="button" href="/book" data-testid="to-book">Open the book</a>
        <p class="soft" style="margin: 8px 0 0">
          What the gateway knows, live, and faults to script.
        </p>
      </div>
      <div class="card">
        <a class="button" href="/portal" data-testid="to-portal">Open the merchant portal</a>
        <p class="soft" style="margin: 8px 0 0">
          Transactions with their payment intents, wallets, verification, API keys.
        </p>
      </div>
      <h2>What a phone number does</h2>
      <div class="card">
        <table>
          <thead>
            <tr>
              <th scope="col">Ends in</th>
              <th scope="col">The payment is</th>
            </tr>
          </thead>
          <tbody>
            ${[...SCENARIOS, OTHER_NUMBERS].map(row("scenario"))}
          </tbody>
        </table>
      </div>
      <h2>What happens to refunds, payouts and transfers</h2>
      <div class="card">
        <table>
          <thead>
            <tr>
              <th scope="col">To a number ending in</th>
              <th scope="col">The money</th>
            </tr>
          </thead>
          <tbody>
            ${[...MONEY_OUT_SCENARIOS, OTHER_MONEY_OUT].map(row("money-out"))}
          </tbody>
        </table>
      </div>
      <h2>Operators</h2>
      <div class="card">
        <table>
          <thead>
            <tr>
              <th scope="col">Number like</th>
              <th scope="col">Operator</th>
              <th scope="col">Paid in</th>
            </tr>
          </thead>
          <tbody>
            ${OPERATORS.map(
              ({ example, carrier, country, currencies }) =>
                html`<tr>
                  <td><code>${example}</code></td>
                  <td>${carrier} (${country})</td>
                  <td>${currencies.join(", ")}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <h2>For programs</h2>
      <div class="card">
        <ul>
          <li><a href="/_simulator/book">The book</a></li>
          <li><a href="/_simulator/calls">Calls per operation</a></li>
          <li><a href="/_simulator/contract-violations">Contract violations</a></li>
        </ul>
      </div>`,
  })
