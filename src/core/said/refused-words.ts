/**
 * What a refusal's words say, where that changes the sentence for the shopper or what is tried
 * instead. The contract has no codes for it. Words choose a sentence, or one more way to the same
 * wallet; they never say whether money moved.
 */
export type Said = {
  readonly status?: number | undefined
  readonly detail?: string | undefined
  readonly fields?: readonly { readonly path: string; readonly message: string }[] | undefined
}

const IS_THERE =
  /\balready\b|\bduplicated?\b|\bexists\b|\bnot unique\b|\bmust be unique\b|\bdeja\b|\ben double\b/
const IS_NOT_THERE = /\bnot (yet )?(exist|registered|known)|\bdoesn't exist|n'existe pas/

const PAYMENT = String.raw`\b(?:transaction|payment|request|prompt|collection)s?\b`
/** `another payment method` is advice and speaks of no payment. */
const NOT_A_KIND = String.raw`(?!\s+(?:method|account|option|provider|way|type|link|number))`
const OTHER_WAITS = [
  new RegExp(
    String.raw`\b(?:pending|ongoing|unfinished|concurrent|another)\s(?:\w+\s){0,2}${PAYMENT}${NOT_A_KIND}`,
  ),
  new RegExp(
    String.raw`${PAYMENT}.{0,60}\b(?:pending|in progress|under ?way|in process|outstanding)\b`,
  ),
  /\b(?:paiement|transaction|demande)s?\b.{0,60}\b(?:en cours|en attente)\b/,
]

/** The record is there already: it was made before, or by a call whose answer was lost. */
export function saysKnownAlready(said: Said): boolean {
  const texts = textsOf(said)
  if (texts.some((text) => IS_NOT_THERE.test(text))) return false
  if (saysOtherWaits(said)) return false
  return said.status === 409 || texts.some((text) => IS_THERE.test(text))
}

/** Another payment waits on the payer's phone, and the gateway takes no second one beside it. */
export function saysOtherWaits(said: Said): boolean {
  return textsOf(said).some((text) => OTHER_WAITS.some((words) => words.test(text)))
}

const textsOf = (said: Said) => saidIn(said).map(asWords)

/** A refusal's texts, as the gateway wrote them. */
export function saidIn({ detail = "", fields = [] }: Said): string[] {
  return [detail, ...fields.map(({ message }) => message)].filter((text) => text !== "")
}

/** In lower case and without accents, and `ACCOUNT_ALREADY_EXISTS` as words. */
export function asWords(text: string): string {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "")
  return plain.replaceAll("_", " ").replaceAll("’", "'").toLowerCase()
}
