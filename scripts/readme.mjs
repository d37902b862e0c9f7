// @ts-check
/**
 * Writes the parts of the documents that are data: the state machine, the differences of a
 * comparison, the reasons for a review, the refusal codes, the changes that ask for two people, the
 * simulator's scenarios, flags and habits of the wire, the client's errors and methods. Each stands
 * between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; everything else is left alone.
 *
 * `node scripts/readme.mjs` writes, `node scripts/readme.mjs --check` ends with 1 when it would
 * change something. Explanations come from the comments beside the data, so they are written once.
 */
import fs from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
require("../bench/support/load-typescript.cjs")
const { TRANSITIONS } = require("../src/core/operation-types.ts")
const { MESSAGES } = require("../src/core/messages/index.ts")
const { REVIEW } = require("../src/core/messages/reason.en.ts")
const { OPERATIONS } = require("../packages/gateway/src/operations.ts")
const { STATUS_OF } = require("../src/core/refusal.ts")
const { ASKED, TWO_PEOPLE } = require("../src/accounts/rules/two-people.ts")
const {
  SCENARIOS,
  OTHER_NUMBERS,
  MONEY_OUT_SCENARIOS,
  OTHER_MONEY_OUT,
} = require("../packages/simulator/src/scenarios.ts")
const { HELP } = require("../packages/simulator/src/flags.ts")
const { HABITS } = require("../packages/simulator/src/wire/habits.ts")

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")
const PAGES = [
  "docs/how-it-works.md",
  "docs/storefront.md",
  "docs/admin.md",
  "docs/review.md",
  "docs/reconciliation.md",
  "docs/gateway-client.md",
  "packages/simulator/README.md",
  "SECURITY.md",
]

/**
 * What a shop does about each code.
 * @type {Record<string, string>}
 */
const ADVICE = {
  invalid_phone: "Show the message beside the phone number and ask for another one.",
  phone_required: "Ask for a phone number; neither the request nor the shipping address has one.",
  amount_not_payable: "There is nothing to pay: the total is zero, or rounds to it.",
  currency_not_served:
    "`currencies` lists what works: another wallet, another way to pay, or a cart in such a currency.",
  origin_not_allowed:
    "A mistake of the shop: list the origin of the address in `MERCHANT_PAYMENTS_STOREFRONT_ORIGINS`.",
  invalid_request: "A mistake of the shop: `field` names what has the wrong shape.",
  cart_not_found: "There is no such cart, or the session belongs to none. Make a new cart.",
  session_not_found:
    "Unknown, another provider's, or a registered customer's without that customer's login. Make a new session, or log in.",
  operator_unknown: "No operator knows this number. Check it, or offer another way to pay.",
  secret_required:
    "Admin: type the client secret (again); a kept one is sent only to the address that it was typed for.",
  period_too_long:
    "Admin: nothing was compared. `days_max` and `payments_max` say how much one comparison takes; choose fewer days.",
  reconciliation_running: "Admin: a comparison is under way; its result is kept. Ask again soon.",
  order_not_found: "Admin: there is no order with this id.",
  customer_not_found: "Admin: Medusa has no customer with this id, and nothing is kept of one.",
  unsupported_media_type: "A mistake of the shop: send bodies as `application/json`, uncompressed.",
  order_is_draft: "Admin: a draft has no payment link. Convert it to an order first.",
  nothing_to_pay:
    "The order asks for no money any more, as after a credit. Show the order; offer no payment.",
  other_payment_open:
    "Admin: a payment of the order is authorised in another way and not captured. Capture it or cancel it, so that the order is not paid twice.",
  resend_not_possible:
    "Admin: only a payment link has an address to give out once more. A prompt is carried out once; the shopper starts anew.",
  link_closed: "Admin: the link can't be paid with any more. Make a new one.",
  account_not_found: "Admin: no account, or no credential of it, has this id.",
  region_not_found: "Admin: there is no region with this id.",
  account_read_only:
    "Admin: the account is the environment's. Change its variables and options, and restart.",
  account_in_use:
    "Admin: payments are under way, under review or not in Medusa yet. Take its currencies away, and try again later.",
  currency_taken:
    "Admin: `account_id` takes this `currency` already. Two accounts can't; nothing was saved.",
  changed_meanwhile: "Admin: another admin changed the account. Load it again; nothing was saved.",
  encryption_key_missing:
    "Admin: nothing was saved: there is no key to encrypt secrets with. The message says how to make one.",
  operation_not_found: "Admin: there is no operation with this id.",
  receipt_not_ready:
    "The payment is not paid, or its receipt has not been fetched yet: ask again in a minute, or go without.",
  payment_in_progress:
    "Show the page of the payment in `payment` and wait for its result; then try again.",
  already_paid: "Show the confirmation.",
  under_review: "Say that the money has arrived and is being looked into. Offer no second payment.",
  cart_changed:
    "Nothing was charged. Show the new total, make a new payment session and let the shopper pay again.",
  cart_not_ready:
    "`missing` lists what the cart lacks: `items`, `email`, `shipping_address`, `shipping_method`, `stock`, `product` (no longer sold), `promotion` (used up or deleted), `shop` (its own check).",
  order_closed: "The order is cancelled and can't be paid any more. Offer a new one.",
  quote_changed:
    "Nothing was charged. Show `quote`, and start again with its `payer_amount` if the shopper agrees.",
  refund_unavailable:
    "Nothing was sent: there is no money of this payment here, or not any more. Look it up in the merchant portal.",
  refund_too_much: "Nothing was sent: less than this is left of the payment.",
  refund_retried:
    "Admin: this amount was asked for again already, by the `refund` that is named. Nothing was sent.",
  refund_unclear:
    "Nothing was sent: the payer may have paid in another currency, and then only all of it can be given back at once.",
  refund_amount_changed:
    "Admin: the gateway says by now that `amount` was paid, and another amount was confirmed. Nothing was sent; confirm this one if it should go back.",
  payment_intent_unknown:
    "Nothing was sent: the gateway has not told the payment intent id that its refund needs. The merchant portal's transaction history shows it; enter it with `POST /admin/merchant-payments/operations/:id/payment-intent`.",
  payment_intent_taken:
    "Admin: this payment intent id belongs to another payment. Nothing was sent or changed. Copy it again from the merchant portal.",
  payment_intent_used:
    "Admin: a refund of this payment was sent with another payment intent id, so that one is right.",
  payment_intent_differs:
    "Admin: the gateway's own answers name another payment intent id for this payment, `named`. Nothing was changed.",
  refund_in_progress:
    "Admin: its money is on its way back, or it is not known yet whether. Wait for its end.",
  refund_completed:
    "Admin: the gateway says that this refund went through. Accept it instead of dismissing it.",
  refund_not_completed:
    "Admin: the gateway does not say that this refund went through; `reads` has what it says.",
  refund_needs_second_admin: "Admin: another admin approves `request_id` within a day.",
  account_needs_second_admin: "Admin: another admin approves `request_id` within a day.",
  money_out_off: "Admin: payouts and transfers are off in the account's settings.",
  money_out_in_doubt: "Admin: the same may have gone before: wait until `id` has ended.",
  request_ended: "Admin: used, refused, withdrawn or too old: see `state`.",
  request_needs_right: "Admin: may not ask for it.",
  second_admin_missing: "Admin: too few.",
  request_is_own: "Admin: another approves it.",
  request_needs_person: "Admin: no key approves.",
  request_not_found: "Admin: there is no such request.",
  money_out_above_cap: "Admin: more than may leave within a day; `left` says how much may.",
  money_out_needs_second_admin: "Admin: another admin approves `request_id` within a day.",
  money_out_needs_person: "Admin: the account's settings let no API key send money.",
  not_in_review: "Admin: it waits for no decision.",
  already_resolved: "Admin: decided already, by `decided`.",
  action_not_possible: "Admin: this can't be done with such an operation.",
  not_paid: "Admin: the gateway does not say that it is paid; `reads` has what it says.",
  amount_differs: "Admin: what was paid is not what is asked for. Nothing was changed.",
  another_payment_live:
    "Admin: another payment of it is live or has paid it. Give this one back, or wait.",
  not_its_order: "Admin: money goes onto its own cart or order, or back.",
  cannot_be_settled:
    "Admin: Medusa could not take the money just now; `reason` says why. Fix that and accept again, or give it back.",
  idempotency_key_reused:
    "Admin: this key was used for another payout or transfer. Nothing was sent; make a new key.",
  wallet_too_low:
    "Admin: nothing was sent. Fill the wallet up, then refund again, or use a new key.",
  not_verified:
    "Admin: nothing was sent. The gateway lets the merchant pay out once it is verified.",
  wrong_passcode:
    "Admin: nothing was sent. Ask for the passcode again, and send it with a new key.",
  gateway_refused: "Nothing was charged. Offer another number or another way to pay.",
  too_many_requests:
    "Nothing was charged. Too many starts for one number or cart, unapproved prompts of one network, unknown ids, new quotes or operators. `Retry-After` and `retry_after_seconds` say when to try again. With `queued: true` the place is kept: send the same again then.",
  cards_busy:
    "Nothing was charged. Too many [wait to pay by card](cards.md#one-card-at-a-time). Send the same again after `retry_after_seconds`.",
  card_paused:
    "Nothing was charged. Too many cards were declined; other ways to pay go on. With `captcha: true` show the shop's captcha, and send its token as `captcha_token`.",
  gateway_unavailable: "Nothing was charged. Try again in a minute.",
  not_configured:
    "Credentials or the public address are missing, the gateway refuses the credentials, or the region has not enabled the provider. Offer another way to pay.",
  quote_unavailable: "Nothing was charged. The gateway names no amount; try again in a minute.",
  store_unavailable: "The store's database is away. Send it again after `retry_after_seconds`.",
  tables_not_migrated:
    "Nothing was charged or sent. The store waits for [its migration](upgrade.md).",
}

/** @type {Record<string, () => string>} */
const SECTIONS = {
  states: () => `${stateDiagram()}\n\n${stateTable()}`,
  differences: () =>
    table(
      ["Code", "What it means"],
      Object.entries(MESSAGES.difference).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  reasons: () =>
    table(
      ["`reason`", "What happened, and what helps"],
      Object.entries(REVIEW).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    ),
  refusals: () =>
    table(
      ["Code", "HTTP", "What to do"],
      Object.entries(STATUS_OF).map(([code, status]) => [
        `\`${code}\``,
        String(status),
        found(ADVICE, code),
      ]),
    ),
  "two-people": () =>
    table(
      ["Change", "Asks for two", "Because"],
      Object.entries(TWO_PEOPLE).map(([name, { asks, why }]) => [
        /[_.]|^(label|currencies)$/.test(name) ? `\`${name}\`` : name,
        ASKED[asks],
        why,
      ]),
    ),
  scenarios: () =>
    table(
      ["The number ends in", "The payment"],
      [...SCENARIOS, OTHER_NUMBERS].map(({ endsWith, description }) => [
        endsWith ? `\`${endsWith}\`` : "anything else",
        description,
      ]),
    ),
  "money-out": () =>
    table(
      ["The number ends in", "The money"],
      [...MONEY_OUT_SCENARIOS, OTHER_MONEY_OUT].map(({ endsWith, description }) => [
        endsWith ? `\`${endsWith}\`` : "anything else, and cards",
        description,
      ]),
    ),
  habits: () =>
    table(
      ["Habit", "`loose`", "`odd`", "The gateway's answer"],
      Object.entries(HABITS).map(([name, { in: tempers, what }]) => [
        `\`${name}\``,
        ...["loose", "odd"].map((temper) => (tempers.includes(temper) ? "yes" : "")),
        what,
      ]),
    ),
  flags: () => `\`\`\`text\n${HELP.trimEnd()}\n\`\`\``,
  errors: errorTable,
  operations: () =>
    table(
      ["Method", "Request", "Effect", "Deadline", "Tries"],
      Object.entries(OPERATIONS).map(
        ([name, { method, path: route, effect, deadlineMs, tries }]) => [
          // The only one without a method: a token is never handed out.
          name === "token.obtain" ? "the token, by itself" : `\`${name}\``,
          `\`${method} ${route}\``,
          effect,
          duration(deadlineMs),
          String(tries),
        ],
      ),
    ),
}

/** What an error means is written once, above its class. */
function errorTable() {
  const text = fs.readFileSync(path.join(ROOT, "packages/gateway/src/errors.ts"), "utf8")
  const classes = text.matchAll(
    /\/\*\*((?:(?!\*\/)[^])+)\*\/\nexport class (\w+) extends GatewayError \{\n {2}readonly code = "(\w+)"/g,
  )
  const rows = [...classes].map(([, meaning = "", name, code]) => [
    `\`${name}\``,
    `\`${code}\``,
    meaning.replace(/\n \* ?/g, " ").trim(),
  ])
  const codes = new Set(text.match(/"GATEWAY_\w+"/g))
  if (rows.length !== codes.size) throw new Error("An error class has no words above it.")
  return table(["Class", "Code", "What it means, and the safe next step"], rows)
}

function stateDiagram() {
  const arrows = transitions().map(
    ({ from, to, events }) => `  ${from} --> ${to}: ${events.join(", ")}`,
  )
  return ["```mermaid", "stateDiagram-v2", "  [*] --> drafted", ...arrows, "```"].join("\n")
}

/** @returns {{ from: string, to: string, events: string[] }[]} one entry a pair of states */
function transitions() {
  return Object.entries(TRANSITIONS).flatMap(([from, row]) =>
    [...new Set(Object.values(row))].map((to) => ({
      from,
      to: String(to),
      events: Object.entries(row).flatMap(([event, end]) => (end === to ? [event] : [])),
    })),
  )
}

function stateTable() {
  const text = fs.readFileSync(path.join(ROOT, "src/core/operation-types.ts"), "utf8")
  const lines = text.matchAll(/^ \* `(\w+)`\s+(.+)$/gm)
  const meanings = Object.fromEntries([...lines].map(([, state, meaning]) => [state, meaning]))
  const rows = Object.keys(TRANSITIONS).map((state) => [
    `\`${state}\``,
    found(meanings, state),
    transitions()
      .filter(({ from }) => from === state)
      .map(({ to }) => `\`${to}\``)
      .join(", "),
  ])
  return table(["State", "Means", "Leaves to"], rows)
}

/** @param {number} ms */
function duration(ms) {
  const units = [
    { name: "d", ms: 86_400_000 },
    { name: "h", ms: 3_600_000 },
    { name: "min", ms: 60_000 },
    { name: "s", ms: 1_000 },
  ]
  const unit = units.find((one) => ms % one.ms === 0)
  return unit ? `${ms / unit.ms} ${unit.name}` : `${ms} ms`
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}

/**
 * @template T
 * @param {Record<string, T | undefined>} texts
 * @param {string} key
 */
function found(texts, key) {
  const text = texts[key]
  if (!text) throw new Error(`There are no words for ${key}.`)
  return text
}

const places = new Set()
for (const page of PAGES) {
  const file = path.join(ROOT, page)
  const before = fs.readFileSync(file, "utf8")
  const after = before.replace(
    /(<!-- generated: ([\w-]+) -->)[^]*?(<!-- end of \2 -->)/g,
    (_, start, name, end) => {
      places.add(name)
      return `${start}\n\n${found(SECTIONS, name)()}\n\n${end}`
    },
  )
  if (after === before) continue
  if (process.argv.includes("--check")) {
    console.error(`${page} is stale. Run: node scripts/readme.mjs`)
    process.exitCode = 1
  } else {
    fs.writeFileSync(file, after)
    console.log(`${page} written.`)
  }
}
for (const name of Object.keys(SECTIONS)) {
  if (!places.has(name)) throw new Error(`No page has a place for ${name}.`)
}
