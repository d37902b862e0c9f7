/**
 * All refusals: HTTP status, then code and English sentence. Codes are public; what follows a
 * code's dot names the situation. `{{name}}` is a fact. `refusal` in the admin's `fr.json` has the
 * same keys and facts; the kit has a shopper's words, under `problem.`.
 */
import { COUNTRIES, MARKETS } from "../markets"
import { REQUEST_REFUSALS } from "./refusal-requests.en"
import { UNAVAILABLE } from "./refusal-unavailable.en"

const nameOf = new Intl.DisplayNames("en", { type: "region" })
const SERVED = COUNTRIES.map((one) => `${nameOf.of(one) ?? one} (+${MARKETS[one].phone.prefix})`)
const SERVED_COUNTRIES = new Intl.ListFormat("en").format(SERVED)

export const REFUSALS = {
  400: {
    invalid_phone:
      "This is not a phone number. Give it with its country prefix, such as +231 77 012 3456.",
    "invalid_phone.not_mobile": "This is a fixed line. Give the number of a mobile money wallet.",
    "invalid_phone.other_country": `Mobile money works with phone numbers of ${SERVED_COUNTRIES} only.`,
    "invalid_phone.refused": "The gateway does not accept this number. Nothing was sent.",
    "invalid_phone.unconfirmed":
      "The gateway does not accept this number. It is asked once more whether anything was sent. " +
      "See in a minute what became of it before you try again.",
    phone_required: "Give the phone number that is to pay.",
    "phone_required.contact":
      "The payment service wants a phone number of each payer. Give one; it need not be the one that pays.",
    "phone_required.order":
      "The order has no phone number, and a payment link needs one. Give the customer's number.",
    amount_not_payable:
      "There is nothing to pay: the total is zero, or too small for its currency.",
    "amount_not_payable.given":
      "Give an amount above zero, with no more decimals than its currency has. Nothing was sent.",
    "amount_not_payable.refund": "This amount is too small to be refunded. Nothing was sent.",
    currency_not_served: "{{currency}} is not served here. Choose another currency.",
    "currency_not_served.payment_method":
      "This payment method does not take {{currency}}. Choose another currency or payment method.",
    "currency_not_served.unknown": "This is not a currency. Give one such as USD.",
    origin_not_allowed:
      "The address to return to is not one of the shop's. List its origin in " +
      "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS.",
    secret_required:
      "Give address, client id and client secret. A stored secret is sent only to the address " +
      "and client id that it was given for.",
    period_too_long:
      "One comparison takes at most {{days}} days and {{payments}} payments. Choose a shorter " +
      "period.",
    "period_too_long.list":
      "One file takes at most {{payments}} payments. Choose a shorter period, or another filter.",
    invalid_request: "This does not have the expected form.",
    "invalid_request.account_name": "Give the account a name.",
    "invalid_request.address":
      "Give the gateway's public address as https:// and a host name, without path, query, " +
      "user or IP address.",
    "invalid_request.amount": "Give an amount such as 19.99.",
    "invalid_request.amounts": "Name currencies in capital letters, or * for all others.",
    "invalid_request.at_least": "Too short or too small: at least {{least}}.",
    "invalid_request.at_most": "Too long or too large: at most {{most}}.",
    "invalid_request.card_only": "Only for a payment by card.",
    "invalid_request.card_token":
      "Give a new token that the card processor's browser SDK made of the card.",
    "invalid_request.client_id": "Give the client id with its secret.",
    "invalid_request.currency": "Give a currency as three letters, such as USD.",
    "invalid_request.currency_twice": "A currency is listed twice.",
    "invalid_request.digits": "Give the digits of the number, without a plus.",
    "invalid_request.email_address": "Give an e-mail address such as ada@example.com.",
    "invalid_request.environment_is_default":
      "The environment's account is the default as long as it is set.",
    "invalid_request.feed_recipient":
      "The admin's own list is there once, without an address, and for admins alone.",
    "invalid_request.future": "This time has not come yet.",
    "invalid_request.idempotency_key":
      "Give one key of 8 to 200 characters without spaces, in the body or in the header.",
    "invalid_request.json": "This is not complete JSON.",
    "invalid_request.needs_default": "Make another account the default in its place.",
    "invalid_request.one_of": "Give one of: {{expected}}.",
    "invalid_request.payment_method": "This shop does not know this payment method.",
    "invalid_request.phone_address":
      "Give the phone number with + and its country's code, such as +231770123456.",
    "invalid_request.phone_end": "Give the last three digits.",
    "invalid_request.positive": "Give a number above zero.",
    "invalid_request.printable": "Use letters, digits and signs, without spaces.",
    "invalid_request.provider": "This is not a payment provider of this plugin.",
    "invalid_request.push_only":
      "Only for a payment by phone or card: the payment page itself shows what is charged.",
    "invalid_request.recipient_twice": "One of these is listed twice.",
    "invalid_request.search_by_post":
      "An address stands in access logs. Send what you search for in the body of " +
      "POST /admin/merchant-payments/operations/search.",
    "invalid_request.state_words":
      "Name a state that the product knows, such as execution.COMPLETED, and words that have no " +
      "other meaning.",
    "invalid_request.text": "Give a text without control characters.",
    "invalid_request.time": "Give a date of this century, such as 2026-07-31.",
    "invalid_request.time_order": "The end has to be after the start.",
    "invalid_request.time_zone": "Give a time zone such as Africa/Monrovia.",
    "invalid_request.too_many": "These are too many.",
    "invalid_request.type": "The type has to be {{expected}}.",
    "invalid_request.unknown_field": "It has a field that is not known.",
    "invalid_request.whole_number": "Give a whole number.",
  },
  404: {
    request_not_found: "There is no such request.",
    cart_not_found: "There is no such cart.",
    session_not_found: "There is no such payment session. Make a new one for the cart.",
    "session_not_found.replaced":
      "Medusa has just replaced the payment session of this order. Nothing was made. Try again.",
    "session_not_found.return": "This return address is not known, or too old.",
    operator_unknown:
      "No mobile money operator knows this number. Check it, or choose another way to pay.",
    "operator_unknown.shopper":
      "No mobile money operator is known for this number. Check it, choose its operator, or pay " +
      "in another way.",
    operation_not_found: "There is no operation with this id.",
    account_not_found: "There is no such account, or no such credential of it.",
    "account_not_found.change":
      "This change of an account does not wait for a second admin, or not any more. Nothing was " +
      "changed.",
    order_not_found: "There is no order with this id.",
    "order_not_found.stray":
      "This is no second order of the payment that waits to be cancelled, or not any more. " +
      "Nothing was changed.",
    customer_not_found: "There is no customer with this id.",
    region_not_found: "There is no such region.",
    receipt_not_ready:
      "There is no receipt: the payment is not completed, or the gateway has not issued it yet.",
  },
  409: {
    payment_in_progress:
      "This is being paid or changed just now. Nothing was changed. Try again in a minute.",
    "payment_in_progress.customer":
      "Payments of this customer are under way, watched or in review. Nothing was erased. Try " +
      "again once they have ended.",
    "payment_in_progress.region":
      "Payments of this region are under way or wait for an admin. Its payment methods stay, " +
      "because Medusa makes no order of a paid cart whose region has not its method any more. Try " +
      "again once they have ended.",
    "payment_in_progress.shopper":
      "A payment of this cart is under way. Wait for its result before you change anything.",
    "payment_in_progress.phone":
      "Another payment waits on this phone. Approve or decline it there, then try again. Nothing " +
      "was charged for this cart.",
    already_paid: "This is paid already.",
    under_review:
      "Money of this order waits for a decision. Decide about it first. Nothing was changed.",
    "under_review.refund":
      "A refund waits for a decision: it is not known whether it went through. Decide about it " +
      "first. Nothing was sent.",
    "under_review.shopper": "We have your payment and look into it. Do not pay again.",
    cart_changed:
      "The cart or order has changed. Nothing was charged. Check the total, and try again.",
    cart_not_ready: "The cart can't be ordered yet. Still missing: {{missing}}.",
    order_closed:
      "This order is cancelled, or its time to be paid is over. It can't be paid any more.",
    "order_closed.refund": "The order of this payment is cancelled. Refund the payment.",
    order_is_draft: "This is a draft. Convert it to an order first; then it can be paid.",
    nothing_to_pay: "Nothing of this order is left to be paid.",
    other_payment_open:
      "A payment of this order is authorised in another way and not captured. Capture or " +
      "cancel it; then a link can be made.",
    resend_not_possible:
      "Only a payment link can be sent again. The gateway sends a prompt once; the shopper " +
      "starts anew.",
    link_closed: "This link can't be paid with any more. Make a new one.",
    quote_changed:
      "What the wallet would be charged has changed. Nothing was charged. Show the new amount " +
      "and let the shopper decide.",
    refund_unavailable:
      "There is no money of this payment here to refund. Look it up in the merchant portal. " +
      "Nothing was sent.",
    "refund_unavailable.accepted":
      "The payment has been accepted. Refund it on its order. Nothing was sent.",
    "refund_unavailable.busy":
      "Other refunds of this payment are being made just now. Nothing was sent. Try again in a " +
      "moment.",
    "refund_unavailable.changed":
      "This payment has changed since the refund was decided. Check it again. Nothing was sent.",
    "refund_unavailable.no_such_refund":
      "There is no such refund of this payment, or it is recorded already. Nothing was sent.",
    "refund_unavailable.not_failed": "This refund has not failed. Nothing was sent.",
    "refund_unavailable.nothing_left":
      "All of this payment has been refunded before. Nothing was sent.",
    "refund_unavailable.unsettled":
      "This payment is on its way into its order, and nobody has asked for it back. Nothing " +
      "was sent.",
    refund_too_much:
      "This is more than can still be refunded of this payment: {{left}}. Nothing was sent.",
    refund_unclear:
      "It was or may have been paid in another currency, so only all of it can be refunded, at " +
      "once. Nothing was sent.",
    refund_amount_changed:
      "The gateway now says that {{paid}} was paid, which is not the amount that was confirmed. " +
      "Nothing was sent. Confirm this amount if it is what should go back.",
    payment_intent_unknown:
      "A refund needs the payment intent id. Copy it from the merchant portal's transaction " +
      "history and enter it first. Nothing was sent.",
    "payment_intent_unknown.refused":
      "The gateway does not know the payment intent id of this payment. Copy the right one " +
      "from the merchant portal and enter it. Nothing was sent.",
    payment_intent_taken:
      "This payment intent id belongs to another payment. Copy the right one from the merchant " +
      "portal and enter it. Nothing was sent or changed.",
    payment_intent_used:
      "A refund of this payment was sent with the payment intent id {{used}}. Nothing was changed.",
    payment_intent_differs:
      "The gateway's payment intent id of this payment is {{named}}, not {{given}}. Nothing was " +
      "changed.",
    refund_in_progress:
      "A refund of this payment is in progress, or its result is not known yet. It is recorded " +
      "once it has ended. Nothing more was sent. Try again in a minute.",
    "refund_in_progress.went_through":
      "A refund of this payment that had failed went through after all. Nothing was sent. " +
      "Check the payments that need attention, and refund what is left then.",
    "refund_in_progress.lost":
      "The gateway knows a refund of this payment that the database had lost, because it was " +
      "restored from a backup. It is on its way into the records. Nothing was sent. Refund what is " +
      "left once it is shown.",
    refund_completed:
      "The gateway says that this refund went through. Accept it. Nothing was changed.",
    refund_not_completed:
      "The gateway does not say that this refund went through. It reads: {{reads}}. Nothing was " +
      "changed.",
    refund_retried: "This refund has been made again, as {{refund}}. Nothing was sent.",
    refund_needs_second_admin:
      "With what was refunded of this payment within a day, this refund needs a second admin. " +
      "The request is noted, and goes once another admin approves it within a day, on Needs " +
      "attention or on the payment's page. Nothing was sent.",
    "refund_needs_second_admin.order":
      "The refund of {{amount}} needs a second admin. Refund the payment first, then cancel the " +
      "order. Nothing was changed.",
    "refund_needs_second_admin.person":
      "With what was refunded of this payment within a day, this refund needs two admins, each " +
      "with their own login. An API key is not an admin. Nothing was noted or sent.",
    account_needs_second_admin:
      "This change of the accounts needs a second admin. The request is noted, and is saved once " +
      "another admin approves it within a day, in the settings. Nothing was changed.",
    "account_needs_second_admin.person":
      "This change of the accounts needs two admins, each with their own login. An API key is " +
      "not an admin: log in to the admin and make it there. Nothing was noted or changed.",
    money_out_off:
      "Payouts and transfers are off for this account. Turn them on in the account's settings. " +
      "Nothing was sent.",
    money_out_above_cap:
      "At most {{left}} more may leave this account within a day. Nothing was sent.",
    ...REQUEST_REFUSALS,
    not_in_review: "This does not wait for a decision. Nothing was changed.",
    already_resolved: "This has been decided already.",
    action_not_possible: "This can't be done with it. Nothing was changed.",
    "action_not_possible.sent":
      "The gateway says that this money went out. Accept it instead. Nothing was changed.",
    "action_not_possible.under_way":
      "The gateway still works on it. Wait until it has ended. Nothing was changed.",
    not_paid:
      "The gateway does not say that this is paid. It reads: {{reads}}. Nothing was changed.",
    amount_differs: "{{paid}} was paid, and {{asked}} was asked for. Nothing was changed.",
    "amount_differs.cart":
      "The cart or order asks for another amount than was paid. Nothing was changed.",
    another_payment_live:
      "Another payment of the same cart or order is under way or has paid it. Nothing was changed.",
    not_its_order:
      "Money goes onto the cart or order that it was paid for, or back. Nothing was changed.",
    cannot_be_settled: "Medusa can't take this money ({{reason}}). Nothing was changed.",
    "cannot_be_settled.out_of_stock":
      "Out of stock: {{items}}. Put it in stock, then accept the payment, or refund it. Nothing " +
      "was changed.",
    idempotency_key_reused:
      "This key was used for another payout or transfer. Nothing was sent for this one. Use a " +
      "new key.",
    wallet_too_low:
      "The wallet at the gateway holds too little. Fill it up in the merchant portal, and try " +
      "again. No money was moved.",
    "wallet_too_low.unconfirmed":
      "The gateway says that the wallet there holds too little. It is asked once more to be " +
      "sure. Fill the wallet up in the merchant portal, and try again in a minute.",
    not_verified:
      "The gateway does not let this account send money: it may not be verified yet. See the " +
      "merchant portal. No money was moved.",
    "not_verified.unconfirmed":
      "The gateway does not let this account send money: it may not be verified yet. It is " +
      "asked once more to be sure. See the merchant portal, and try again in a minute.",
    account_read_only:
      "This account comes from the environment. Change its variables and the plugin's options, " +
      "and restart.",
    account_in_use:
      "Payments of this account are under way, in review or not in Medusa yet. Nothing was " +
      "deleted. Take its currencies away, and try again when they have ended.",
    "account_in_use.credential":
      "The account uses this credential, or payments made with it are under way or in review. " +
      "Nothing was deleted.",
    currency_taken:
      '{{currency}} is taken by the account "{{account}}", and a currency has one account. Who ' +
      "bears the fees of {{currency}} is a setting of that account: edit it, under Payments. To " +
      "take {{currency}} with this account, take it away there first.",
    "currency_taken.environment":
      "{{currency}} is taken by the environment's account, and a currency has one account. Who " +
      "bears its fees is the plugin's option account.fee_bearer. To take it here, list that " +
      "account's currencies without it in the option account.currencies.",
    changed_meanwhile:
      "Another admin has changed this account since you opened it. Look at it again. Nothing " +
      "was saved.",
    encryption_key_missing:
      "There is no usable encryption key, so no secret can be stored. Make one with `openssl " +
      "rand -base64 32` and set MERCHANT_PAYMENTS_ENCRYPTION_KEY.",
    reconciliation_running: "A comparison is under way. Ask again in some seconds.",
  },
  415: {
    unsupported_media_type: "Send the body as application/json, without compression.",
    "unsupported_media_type.origin":
      "A page of another origin may not ask for this. Send it from the admin, or with the header " +
      "Content-Type: application/json.",
  },
  422: {
    gateway_refused: "The gateway refused this. No money was moved.",
    "gateway_refused.because": "The gateway refused this: {{said}}. No money was moved.",
    "gateway_refused.failed": "The gateway did not carry this out. {{reason}} No money was moved.",
    "gateway_refused.shopper":
      "The payment service refused this payment. Nothing was charged. Try another number or " +
      "way to pay.",
    "gateway_refused.amount":
      "The payment service does not take this amount. Nothing was charged. Choose another way to " +
      "pay.",
    "gateway_refused.number_known":
      "The payment service has this number already and does not say how to use it. Nothing was " +
      "charged. Choose another way to pay, or tell the shop.",
    "gateway_refused.too_large":
      "{{most}} is the most that can be paid in this way at once. Nothing was charged. Choose " +
      "another way to pay.",
    "gateway_refused.too_small":
      "{{least}} is the least that can be paid in this way. Nothing was charged. Choose another " +
      "way to pay.",
    "gateway_refused.source":
      "The payment service could not open this payment. Nothing was charged. Try again, or " +
      "choose another way to pay.",
    "gateway_refused.unconfirmed":
      "The gateway says that this failed. {{reason}} It is asked once more to be sure; if the " +
      "money went after all, it is recorded. See in a minute what became of it before you try " +
      "again.",
    "gateway_refused.unconfirmed_because":
      "The gateway says that this failed: {{said}}. It is asked once more to be sure; if the " +
      "money went after all, it is recorded. See in a minute what became of it before you try " +
      "again.",
    wrong_passcode: "The gateway refused the passcode. Nothing was sent.",
    "wrong_passcode.unconfirmed":
      "The gateway refused the passcode. It is asked once more whether anything was sent. See in " +
      "a minute what became of it before you try again.",
  },
  429: {
    too_many_requests: "Too many requests. Try again in {{seconds}} seconds.",
    "too_many_requests.queue":
      "Many people pay just now. Your turn comes in {{seconds}} seconds. Send it again then.",
    "too_many_requests.unpaid_number":
      "This number was asked to pay many times today and never did. Nothing was sent. Try another " +
      "number or another way to pay, or try again in {{seconds}} seconds.",
    cards_busy:
      "Others are paying by card just now. Nothing was charged. Try again in {{seconds}} " +
      "seconds, or choose another way to pay.",
    card_paused:
      "Too many cards were declined here. Nothing was charged. Choose another way to pay, or try " +
      "a card again in {{seconds}} seconds.",
    "card_paused.captcha":
      "Too many cards were declined. Nothing was charged. Solve the shop's captcha and try again, " +
      "or choose another way to pay.",
  },
  503: UNAVAILABLE,
} as const
