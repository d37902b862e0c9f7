/**
 * The lines of the setup check and of the connection test, and the faults of an account's secret:
 * each says what is so, why it matters and what to do.
 */
export const HEALTH = {
  database_answers: "The database answers.",
  database_down: "The database does not answer. Payments stand still until it does.",
  database_behind:
    "The database may lack what was committed since {{since}}: it was restored from a backup, a " +
    "standby took over, or every worker was off. Rules give back, place and cancel nothing until " +
    "that time is compared with the gateway, which begins by itself. If this stays, payments are " +
    "missing here or the gateway can't be read: see The database is older than the money in " +
    "docs/runbooks.md.",
  clock_put_back:
    "The database's clock was ahead and was put back by {{minutes}} min at {{at}}. What was due by " +
    "it was brought back as well, so payments are checked as usual; times that it wrote before " +
    "may be wrong. Find out what sets the clock of the database's machine: it has to run evenly.",
  tables_fit: "The tables are what this version of the plugin needs.",
  tables_missing:
    "The database lacks what this version of the plugin needs: {{missing}}. No money is taken, " +
    "sent or checked until it is there. Run npx medusa db:migrate; no restart is needed. If this " +
    "stays, see docs/upgrade.md.",
  tables_missing_more:
    "The database lacks what this version of the plugin needs: {{missing}}; and {{more}} more. No " +
    "money is taken, sent or checked until it is there. Run npx medusa db:migrate; no restart is " +
    "needed. If this stays, see docs/upgrade.md.",
  accounts_ready: "Accounts that take payments: {{ready}}.",
  accounts_none:
    "There is no account, so nothing can be paid. Add one, or set the environment's variables.",
  accounts_unusable:
    "No account has credentials that can be used, so nothing can be paid: {{accounts}}. Type " +
    "the secret in, or put the encryption key back.",
  accounts_not_ready:
    "Payments of these accounts can neither be taken nor checked: {{accounts}}. Type the " +
    "secret in, or put the encryption key back.",
  accounts_changed:
    "The address or the client of these accounts was changed in the database, not in the " +
    "admin, and their secrets are sent nowhere: {{accounts}}. Find out who did it; then check " +
    "the address and type the secret in again.",
  accounts_refused:
    "The gateway refuses the client id and secret of these accounts, so nobody can pay with them: " +
    "{{accounts}}. Copy both from the API keys section of the merchant portal: type them in the " +
    "admin, or set the environment's variables and restart. A secret that was rotated there is void.",
  client_refused:
    "The gateway refuses this client id and secret, so nobody can pay with the account. Copy both " +
    "again from the API keys section of the merchant portal; a secret that was rotated there is void.",
  key_ready: "Secrets can be kept, encrypted.",
  key_missing:
    "MERCHANT_PAYMENTS_ENCRYPTION_KEY is not set, so no secret can be kept here. Make one with " +
    "`openssl rand -base64 32`, set it for every process of the store, and keep a copy where " +
    "the database's backups are not.",
  key_missing_card:
    "MERCHANT_PAYMENTS_ENCRYPTION_KEY is not set, so the card fields that a region has enabled are " +
    "not offered. Make one with `openssl rand -base64 32`, and set it for every process of the store.",
  key_malformed:
    "MERCHANT_PAYMENTS_ENCRYPTION_KEY has to be 32 bytes in base64, 44 characters. Make one " +
    "with `openssl rand -base64 32`, set it for every process of the store, and keep a copy " +
    "where the database's backups are not.",
  previous_key_malformed:
    "MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS has to be 32 bytes in base64, 44 characters: " +
    "the key that the secrets were encrypted with before.",
  key_not_needed:
    "There is no encryption key. It is not needed while the environment's account is the only one.",
  key_unset:
    "MERCHANT_PAYMENTS_ENCRYPTION_KEY is not set: no account can be typed in the admin, cards on " +
    "the shop's own page are not offered, and several processes share no token. Make one with " +
    "`openssl rand -base64 32`.",
  settings_right: "The environment's variables and the plugin's options can be read.",
  options_invalid:
    "The plugin's options are not valid, so all of them are left out and the defaults count: {{why}}",
  credentials_unset:
    "No payments are offered: set {{names}} (from the API keys section of the merchant portal), or " +
    "type an account in the admin.",
  credentials_missing:
    "The environment's account is not offered: set {{names}}, too (from the API keys section of the " +
    "merchant portal).",
  base_url_unusable:
    "The environment's account is not offered: MERCHANT_PAYMENTS_BASE_URL is not usable. {{why}}",
  currency_codes_wrong:
    "account.currencies: no currency codes, so they are left out: {{codes}}. Codes have three " +
    "letters, such as LRD.",
  wire_names_wrong:
    "account.wire_names: these name no state, or words of another one, and are left out: {{names}}.",
  realtime_url_unusable: "account.realtime_url is not usable, so it is left out. {{why}}",
  origins_missing:
    "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS is not set: no shopper can be sent back to the shop, and a " +
    "payment that names an address to come back to is refused. Set the shop's origins, for example " +
    "https://shop.example.",
  origins_wrong:
    "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: these are no origins and are left out, so no shopper is " +
    "sent back to them: {{entries}}. An origin has no path, for example https://shop.example. A " +
    "wildcard is https and stands for one whole label, for example https://*.preview.shop.example.",
  origins_only_previews:
    "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS names wildcards alone: a shopper whose payment names no " +
    "address to come back to can't be sent back. Add the shop's own origin as the first one.",
  staging_store:
    "This store is for staging: it takes only the simulator at {{origin}} for a gateway, and no " +
    "money moves. Remove MERCHANT_PAYMENTS_STAGING_SIMULATOR for a live store.",
  staging_wrong:
    "MERCHANT_PAYMENTS_STAGING_SIMULATOR must be the simulator's http origin, for example " +
    "http://simulator:4010. It is left out, and this store is a live one.",
  origins_http:
    "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: in production the shop has to be on https: {{origins}}. " +
    "What shoppers type can be read on the way.",
  public_url_missing:
    "MERCHANT_PAYMENTS_PUBLIC_URL is not set: the hosted payment page is not offered. Set the store " +
    "API's own address, for example https://api.shop.example.",
  public_url_wrong:
    "MERCHANT_PAYMENTS_PUBLIC_URL has to be an address without a query, for example " +
    "https://api.shop.example: the hosted payment page is not offered.",
  public_url_http:
    "MERCHANT_PAYMENTS_PUBLIC_URL: in production the store API has to be on https: {{origin}}. " +
    "Shoppers come back from the payment page to it.",
  proxies_wrong:
    "MERCHANT_PAYMENTS_PROXIES: these are no proxies and are left out: {{entries}}. List addresses and " +
    "networks, for example 203.0.113.7, 10.0.0.0/8, and one of private, any and none at most.",
  time_zone_wrong:
    "MERCHANT_PAYMENTS_TIME_ZONE: {{name}} is no time zone, so it is left out. One is Africa/Monrovia.",
  medusa_untested:
    "The store runs Medusa {{version}}, and this version of the plugin is tested with Medusa " +
    "{{tested}}. Update the plugin, or try payments and refunds in staging before you go live.",
  plugin_missing:
    "medusa-config lists the payment providers without the plugin, so they can take no money. Add " +
    "medusa-plugin-merchant-payments to plugins, or use withMerchantPayments, and restart.",
  plugin_twice:
    "medusa-config lists the plugin twice, so its jobs and subscribers run twice. Keep one entry in " +
    "plugins, or withMerchantPayments alone, and restart.",
  providers_twice:
    "medusa-config lists the payment providers twice, and Medusa starts with neither. Keep one entry " +
    "in the options of the payment module, or withMerchantPayments alone.",
  providers_missing:
    "The plugin is there and its payment providers are not, so no shopper can choose them. Use " +
    "withMerchantPayments in medusa-config.ts, and restart.",
  regions_none:
    "No region offers a payment provider of the plugin, so no shopper can choose one. Enable " +
    "them for a region.",
  regions_offered: "Offered in: {{names}}.",
  currencies_none:
    "No account takes any currency, so nothing can be paid. Add currencies to an account.",
  currencies_unknown:
    "Medusa does not know {{unknown}}, so nothing can have a price in it. Restart the store " +
    "after an update; check the account's currencies.",
  currencies_miscounted:
    "Medusa counts these currencies with other digits than the gateway: {{currencies}}. In " +
    "brackets are the gateway's. Amounts are wrong: correct the currency's row.",
  currencies_unserved:
    "No account takes the currency of these regions, so their shoppers can't pay: {{regions}}. " +
    "Add the currency to an account.",
  currencies_taken: "Taken: {{currencies}}.",
  names_right: "Shoppers read the operators' names as the account or the gateway has them.",
  names_neutral:
    "Shoppers read {{labels}}: {{accounts}} has no names for its operators. Set `wire_names`: the " +
    "gateway's names for them are in the merchant portal.",
  names_learned:
    "Shoppers read {{labels}}: {{accounts}} has no names for its operators. Set `wire_names`: the " +
    "gateway calls operators {{learned}}; the account proposes these names for one click.",
  locking_unknown: "Which locking module the store has is not known here.",
  locking_shared: "Locks are shared between processes ({{module}}).",
  locking_in_memory:
    "The locking module is in memory, which is right while one process runs. Configure " +
    "Medusa's Redis module before a second one runs.",
  locking_not_shared:
    "{{workers}} processes have run side by side for more than two minutes, and the locking " +
    "module is in memory: a storefront's own completion of a cart does not exclude the worker " +
    "of another process, so one cart can be completed twice at once. Configure Medusa's " +
    "locking module with its Redis or Postgres provider, or let only one process run.",
  workflows_unknown: "Which workflow engine the store has is not known here.",
  workflows_shared: "Workflows are shared between processes ({{module}}).",
  workflows_in_memory:
    "The workflow engine is in memory, which is right while one process runs. Configure " +
    "Medusa's Redis module before a second one runs.",
  workflows_not_shared:
    "{{workers}} processes have run side by side for more than two minutes, and the workflow " +
    "engine is in memory: they do not know of each other. Configure Medusa's Redis module for " +
    "it.",
  job_runs: "The job runs. Processes: {{workers}}.",
  job_never_ran:
    "The job has never run. Payments are neither checked nor brought into Medusa. Start a " +
    "process whose worker mode is shared or worker, and see its log.",
  job_stopped:
    "The job last ran {{seconds}} s ago. Payments are neither checked nor brought into " +
    "Medusa. Start a process whose worker mode is shared or worker, and see its log.",
  job_stuck:
    "Processes that give signs of life: {{workers}}. None has looked for due payments for " +
    "{{seconds}} s. Payments are neither checked nor brought into Medusa. Another process does " +
    "not help: read what these say in their log, and restart them.",
  due_none: "No payment waits for its check.",
  due_in_time: "The oldest due payment has waited {{seconds}} s.",
  due_late:
    "A payment has been due for {{seconds}} s and was not checked: shoppers wait. The " +
    "gateway may have asked for a pause, or there are too few workers.",
  medusa_answers: "Medusa answers in time.",
  medusa_silent:
    "Medusa has not answered for more than a minute: {{operations}}. These payments are held " +
    "until it does; the others go on. A workflow hook or a service without a time limit may " +
    "never answer: find it, and restart the store.",
  calls_answered:
    "Calls without a usable answer in the last {{minutes}} minutes: {{errors}} of {{calls}}.",
  calls_failing:
    "Calls without a usable answer in the last {{minutes}} minutes: {{errors}} of {{calls}}. " +
    "Payments are safe and slow. Test the connection; see the gateway's status page.",
  calls_refused:
    "Calls without a usable answer in the last {{minutes}} minutes: {{errors}} of {{calls}}. The " +
    "gateway refuses the client id and secret of an account: see Accounts.",
  calls_welcome:
    "Calls that were too many for the gateway (429) in the last {{minutes}} minutes: " +
    "{{too_many}} of {{calls}}.",
  calls_too_many:
    "Calls that were too many for the gateway (429) in the last {{minutes}} minutes: " +
    "{{too_many}} of {{calls}}. The workers slow down by themselves; does something else use " +
    "the same credentials?",
  forms_known: "The gateway answers in forms that are known.",
  forms_unknown:
    "The gateway answers in a way that is not known: {{forms}}. What can mean one thing only is " +
    "read; a state under unknown_word keeps its payments waiting until its word, which their " +
    "history shows, is among the account's names. Tell the person who looks after the plugin.",
  forms_unknown_more:
    "The gateway answers in a way that is not known: {{forms}}; and {{more}} more. What can mean " +
    "one thing only is read; a state under unknown_word keeps its payments waiting until its " +
    "word, which their history shows, is among the account's names. Tell the person who looks " +
    "after the plugin.",
  networks_many:
    "No network began more than half of the payments of the last {{minutes}} minutes ({{starts}}).",
  network_one:
    "One network began {{of_one}} of the {{starts}} payments of the last {{minutes}} minutes. That " +
    "is right where an operator has a country behind one address; else see that the proxy passes " +
    "each shopper's address on, and is listed in MERCHANT_PAYMENTS_PROXIES if its own is public.",
  cards_accepted:
    "Cards on the shop's page in the last {{minutes}} minutes: {{paid}} paid, {{declined}} declined.",
  cards_declined:
    "Cards on the shop's page in the last {{minutes}} minutes: {{declined}} declined, {{paid}} paid; " +
    "it began {{since}} minutes ago. Someone may be trying stolen cards. Who had too many declined " +
    "can try no card for now; mobile money goes on. Let the shop ask for a captcha, and tell the card " +
    "processor. If honest shoppers are declined, ask the processor why.",
  cards_declined_captcha:
    "Cards on the shop's page in the last {{minutes}} minutes: {{declined}} declined, {{paid}} paid; " +
    "it began {{since}} minutes ago. Someone may be trying stolen cards. Who had too many declined " +
    "needs the shop's captcha for a card now; mobile money goes on. Tell the card processor. If " +
    "honest shoppers are declined, ask the processor why.",
  last_answer: "The gateway last answered {{seconds}} s ago.",
  last_answer_old: "The gateway's last usable answer is {{seconds}} s old.",
  last_answer_none: "The gateway was called, and has not given a usable answer for a day.",
  not_called: "The gateway was not called in the last day.",
  methods_well: "No operator fails most of its payments.",
  methods_disrupted:
    "Most payments by these operators fail now, for the operators' own reasons: {{operators}}. It " +
    "is over by itself. Until then shoppers are warned, or are offered them only to try, as each " +
    "account's settings say.",
  notifications_sent: "No notification of the last day failed.",
  notifications_failing:
    "Notifications of the last day that were not sent: {{tried_again}} are tried again, " +
    "{{given_up}} were given up or may not have been sent. Payments go on. See what the provider " +
    "of the channel said, under Notifications in these settings.",
  review_none: "Nothing needs attention.",
  review_open:
    "Payments and refunds that need attention: {{count}}. Each waits for a decision of yours.",

  reached: "The gateway answers at {{host}}.",
  reach_address:
    "Something answers at the address, but no gateway of this kind. Check the address.",
  reach_not_ours:
    "Something answers at the address, but no gateway of this kind: a web page, a proxy or a " +
    "redirect. Check the address, and proxies on the way.",
  reach_no_use: "The gateway gives no usable answer just now. Try again in some minutes.",
  reach_too_slow:
    "The gateway does not answer in time. Check firewalls, or try again in some minutes.",
  reach_dns:
    "This name leads to no server that can be used. Check the address for a typing mistake.",
  reach_refused: "The server refuses the connection. Check the address and its port.",
  reach_silent: "The server does not answer at all. Check the address, and firewalls on the way.",
  reach_tls:
    "No secure connection can be made: the certificate is not valid for this address, or it " +
    "speaks no TLS.",
  reach_network: "There is no way to the server. Check this server's network.",
  reach_cut: "The connection was cut. Try again; if it stays so, check proxies on the way.",
  credentials_right: "Client id and client secret are right.",
  credentials_wrong:
    "The gateway does not know this client id with this secret. Copy both again from the API " +
    "keys section of the merchant portal; a secret that was rotated there is void.",
  credentials_not_let_in:
    "The gateway knows the client and does not let it in (403). The merchant may have to be " +
    "verified first: see the merchant portal.",
  asks_for_pause: "The gateway asks for a pause (429). Test again in a minute.",
  token_renewed: "A token lives {{minutes}} minutes and is renewed in time.",
  token_short:
    "A token lives {{minutes}} minutes only, or the gateway does not say how long. It works, " +
    "with more calls than usual.",
  clock_agrees: "This server's clock and the gateway's agree.",
  clock_ahead:
    "This server's clock is {{seconds}} s ahead of the gateway's. Pay windows end too " +
    "early or too late by that. Let the server set its clock by NTP.",
  clock_behind:
    "This server's clock is {{seconds}} s behind the gateway's. Pay windows end too " +
    "early or too late by that. Let the server set its clock by NTP.",
  verified: "Nothing is held back: the merchant is verified.",
  not_verified:
    "The merchant is not verified yet: the payment page, payment links, refunds and payouts " +
    "are refused (403) until it is. Finish the verification in the merchant portal.",
  fees_readable: "The fees can be read. Fee plans: {{count}}.",
  learned: "The gateway answers: {{learned}}.",
  not_learned: "Not answered: {{why}}.",
  fees_hidden: "The gateway does not show the fees to this client (403). Payments work.",
  sold_taken: "The shop's regions sell in {{sold}}, and this account takes it.",
  sold_in_part:
    "The shop's regions sell in {{sold}}. This account takes {{taken}}; " +
    "{{rest}} can't be paid with it.",
  sold_otherwise:
    "The shop's regions sell in {{sold}}, and this account takes {{account}} only: no shopper can " +
    "pay with it. Add the shop's currency to the account, or a region that sells in the account's.",
  sold_untaken:
    "The shop's regions sell in {{sold}}, and this account takes no currency yet: no shopper can pay " +
    "with it. Add the currencies to the account.",
  sold_nowhere: "The shop has no region, so nothing is sold yet. Add one in Medusa's settings.",
  operator_taken: "{{label}} ({{country}}) takes {{currency}}.",
  operator_unknown:
    "{{label}} ({{country}}) is not known to the gateway as {{payment_method}}, or does not " +
    "take {{currency}}. Put its live names from the merchant portal into the account's live " +
    "names.",
  not_asked: "Not asked, because of what is above.",
  refused: "The gateway refuses this to the client ({{http}}).",
  no_answer: "The gateway gave no usable answer in time. Test again in a minute.",

  secret_missing:
    "Type in client id and client secret; they are in the API keys section of the merchant portal.",
  secret_unreadable:
    "The secret was encrypted with another key than this server has. Set the former key as " +
    "MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS, or type the secret in again.",
  secret_address_changed:
    "Address, client id or account of the kept secret were changed in the database, not here, " +
    "so it is sent nowhere. Find out who did it. Then check the address, and type client id " +
    "and secret in again.",
  environment_unset:
    "The environment's variables are not set here any more. What was paid with them can only " +
    "be checked with the same credentials.",
} as const
