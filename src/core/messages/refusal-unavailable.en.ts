/** Refusals while the gateway, the store or its settings are not ready; in `refusal.en.ts`, 503. */
export const UNAVAILABLE = {
  gateway_unavailable:
    "The payment service does not answer. Nothing was charged, sent or changed. Try again in " +
    "a minute.",
  "gateway_unavailable.operator":
    "The payment service does not say whose number this is. Nothing was charged. Choose the " +
    "operator of the number, or try again in a minute.",
  "gateway_unavailable.unconfirmed":
    "The gateway takes nothing just now. It is asked once more whether anything was sent. See " +
    "in a minute what became of it before you try again.",
  not_configured:
    "There are no credentials of this account that the gateway accepts. Check the account's " +
    "settings. Nothing was sent or changed.",
  "not_configured.unconfirmed":
    "The gateway does not accept this account's credentials. It is asked once more whether " +
    "anything was sent. Check the account's settings, and see what became of it.",
  "not_configured.address":
    "The shop has not set its own address. Choose another way to pay, or go back to the shop.",
  "not_configured.link":
    "The gateway does not accept the account's credentials, or the payment page is not " +
    "enabled in the order's region. Check the settings.",
  "not_configured.prompt":
    "The gateway does not accept the account's credentials, or mobile money is not enabled in " +
    "the order's region. Check the settings.",
  "not_configured.providers":
    "Medusa has not registered these payment providers. Use withMerchantPayments in " +
    "medusa-config.ts, and restart.",
  "not_configured.shopper":
    "This way to pay is not available. Nothing was charged. Choose another one, or tell the " +
    "shop.",
  quote_unavailable:
    "The payment service does not say what would be charged. Nothing was charged. Try again " +
    "in a minute.",
  store_unavailable:
    "The store's database does not answer just now. Ask again in {{seconds}} seconds: what was " +
    "done is found, and nothing is charged or sent twice.",
  tables_not_migrated:
    "The database was not brought up to date with the plugin, so no money is taken or sent. " +
    "Run npx medusa db:migrate; no restart is needed.",
} as const
