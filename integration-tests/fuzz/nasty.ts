/** What nobody should send, drawn by a seed. */
import type { Dice } from "../soak/dice"

/** Typed as a secret, in values and in keys; no answer, row or line of output may hold it. */
export const CANARY = "CANARY-typed-9b41d2"

const DEPTH = 4_000

export const NASTY: readonly unknown[] = [
  ...["", " ", "\0", "a\0b", "\uD800", "\u202E", "é".repeat(300), "x".repeat(20_000), "toString"],
  ...["__proto__", "constructor", "' or 1=1 --", "${7*7}", "%00", "../..", "NaN", "1e400", "-0"],
  ...["3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b", "2026-02-31", "275760-09-13", "usd", "review"],
  ...["javascript:alert(1)", "http://169.254.169.254/latest", "9".repeat(400), "\r\nx: y", CANARY],
  ...[0, -1, 1.5, 2 ** 53, 1e308, -1e-308, true, null, [], [[]], {}, { $gt: "" }, ["a", null]],
]

const FIELDS = [
  ...["label", "base_url", "client_id", "client_secret", "currencies", "wire_names", "policies"],
  ...["version", "is_default", "action", "note", "cart_id", "order_id", "payment_intent_id"],
  ...["amount", "currency", "name", "phone", "passcode", "idempotency_key", "from_wallet_id"],
  ...["to_counterparty_id", "state", "limit", "offset", "after", "q", "from", "to", "format"],
  ...["account_id", "payment_method", "payer_currency", "bearer", "created_from", "created_to"],
  ...[
    "captcha_token",
    "card_token",
    "success_url",
    "cancel_url",
    "country_code",
    "expected_amount",
    "result",
    "provider_id",
  ],
  ...["__proto__", "constructor", "prototype", "data", CANARY],
]

const SECRETS = new Set(["client_secret", "passcode"])

/** Another value of the list, or one that holds some. */
function nastyValue(dice: Dice, depth = 0): unknown {
  if (depth > 3 || dice.fraction() < 0.7) return dice.oneOf(NASTY)
  const values = Array.from({ length: dice.between(0, 4) }, () => nastyValue(dice, depth + 1))
  return dice.fraction() < 0.5
    ? values
    : Object.fromEntries(values.map((value) => [dice.oneOf(FIELDS), value]))
}

/** Fields that some route knows, with values that none takes; sometimes over what it would take. */
function nastyBody(dice: Dice, sane: object): unknown {
  if (dice.fraction() < 0.1) return nastyValue(dice)
  const given = Array.from({ length: dice.between(1, 5) }, () => {
    const field = dice.oneOf(FIELDS)
    return [field, SECRETS.has(field) ? CANARY : nastyValue(dice)] as const
  })
  // Not by a literal, which would set the prototype instead of a key.
  const fields = new Map<string, unknown>([
    ...(dice.fraction() < 0.6 ? Object.entries(sane) : []),
    ...given,
  ])
  return Object.fromEntries(fields)
}

/** As text: what JSON can't say is among it. */
export function nastyText(dice: Dice, sane: object): string {
  const text = () => JSON.stringify(nastyBody(dice, sane))
  return dice.oneOf<() => string>([
    text,
    text,
    text,
    text,
    () => `{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"x": 1}}}`,
    () => `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`,
    () => `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`,
    () => text().slice(0, -1),
    () => `\uFEFF${text()}`,
    () => `{"client_secret": "${CANARY}", "client_secret": ["${CANARY}"], "phone": 1e999}`,
    () => `client_secret=${CANARY}&${encodeURIComponent(text())}`,
    () => "\0\0\0",
    () => "",
  ])()
}

export function nastyQuery(dice: Dice): string {
  const asked = Array.from({ length: dice.between(0, 4) }, () => {
    const field = dice.oneOf([...FIELDS, "a[b]", "q[]", "limit[__proto__]"])
    return [field, String(dice.oneOf(NASTY)).slice(0, 1_500)]
  })
  return new URLSearchParams(asked).toString()
}

const TYPES = [
  ...["application/json", "application/json", "application/json", "application/json"],
  ...["application/json; charset=utf-16", "application/x-www-form-urlencoded", "text/plain"],
  ...["multipart/form-data; boundary=x", "application/vnd.api+json", "x", "application/JSON"],
]

/** Another network for each caller, unless the header itself is what is wrong. */
export function headersOf(dice: Dice): Record<string, string> {
  const address = () => `${dice.between(1, 223)}.${dice.between(0, 255)}.${dice.between(0, 255)}.7`
  const forwarded = dice.oneOf<() => string>([
    address,
    address,
    address,
    address,
    () => `${address()}, ${address()}`,
    () => `2001:db8:${dice.between(1, 9_999).toString(16)}::1`,
    () => dice.oneOf(["", ",,,", "unknown", "localhost", "' or 1=1", "999.1.1.1", "::ffff:0:0"]),
    () => `${"x".repeat(dice.between(1_000, 6_000))}`,
  ])()
  return {
    "x-forwarded-for": forwarded,
    ...(dice.fraction() < 0.05 && { "x-http-method-override": "DELETE" }),
    ...(dice.fraction() < 0.05 && { "x-forwarded-host": "evil.example" }),
    ...(dice.fraction() < 0.05 && { origin: "https://evil.example" }),
    ...(dice.fraction() < 0.05 && { accept: "text/html;q=0.1, */*;q=0" }),
    ...(dice.fraction() < 0.05 && { "accept-language": "x".repeat(2_000) }),
  }
}

export const contentType = (dice: Dice): string => dice.oneOf(TYPES)
