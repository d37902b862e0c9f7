/**
 * Why a payment failed, from the texts that come with FAILED. The contract has no code for it, only
 * `gateway_message` and `wallet_message`, so this is a reading of words: it chooses what the
 * shopper reads and nothing else. What is not recognised is `unknown`, never a guess.
 *
 * Operators write codes (`NOT_ENOUGH_FUNDS`) and sentences in English or French. A code says more
 * than the sentence around it, so codes are read first. Only whole words count: an operator may be
 * called "Example Limited" or "Example Networks", which is neither a limit nor a fault.
 */
import type { EndReason } from "./operation"
import { saysOtherWaits } from "./said/refused-words"

const HELD = "balance|funds?|solde|fonds|provision|credit"
const TOO_LITTLE = "low|insufficient|not sufficient|not enough|insuffisante?s?|faible|bas"
/** What can be called insufficient without meaning money. */
const NO_MONEY = "permissions?|privileges?|rights?|data|information|details|time|access"
const PIN = "m?pin|pass ?code|pass ?word|secret code|code secret|code pin|mot de passe"
const WRONG =
  "wrong|incorrecte?|invalide?|bad|mismatch|blocked|locked|errone|faux|bloque|failed|not match"
/** Tries of a PIN that are used up are counted, and no limit of an amount. */
const TRIES = "retr(?:y|ies)|tr(?:y|ies)|attempts?|tentatives?|essais?"
const WALLET =
  "payer|payee|recipient|receiver|beneficiary|subscriber|customer|user|party|msisdn|phone|number|" +
  "wallet|account"
const WALLET_FR = "payeur|beneficiaire|destinataire|abonne|client|numero|portefeuille|compte"
const OPERATOR = "operator|provider|network|system|service|server|connection|gateway|technical"
const TROUBLE = "errors?|fail(?:ure|ed)?|faults?|down|busy|problem|issue|offline|overloaded"
/** What may stand between two words that belong together. */
const LINK =
  "(?: (?:is|are|was|too|very|the|a|an|or|your|his|its|of|on|in|has|been|current|available|" +
  "account|wallet|payer|payer s|customer|code|number|entered|provided|le|la|du|de|est|a ete|" +
  "trop|disponible|saisi))* "

/**
 * Read in this order: the first entry that matches is the plainest. Texts are read without case and
 * accents.
 */
const WORDS: readonly (readonly [EndReason, readonly string[]])[] = [
  ["operator_unavailable", ["rate limit", "too many requests"]],
  // The most that a wallet may hold is a limit, although the text says balance.
  ["limit", [`(?:maximum|max)${LINK}(?:${HELD})`]],
  [
    "insufficient_funds",
    [
      `insufficient(?! (?:${NO_MONEY}))`,
      "not (?:sufficient|enough) (?:money|cash)",
      `(?:no|lack of|${TOO_LITTLE})${LINK}(?:${HELD})`,
      `(?:${HELD})${LINK}(?:${TOO_LITTLE})`,
      `(?:exceed(?:s|ed|ing)?|(?:greater|more|higher) than|above|depasse)${LINK}(?:${HELD})`,
      "pas assez (?:d |de )?(?:argent|fonds|solde|credit)",
    ],
  ],
  [
    "wrong_pin",
    [
      `(?:${WRONG})${LINK}(?:${PIN})`,
      `(?:${PIN})${LINK}(?:${WRONG})`,
      `(?:${PIN})(?: \\w+){0,2} (?:${TRIES})`,
      `(?:${TRIES})(?: \\w+){0,3} (?:${PIN})`,
    ],
  ],
  [
    "operator_unavailable",
    [
      "time ?out|timed out|time limit|delai(?: \\w+){0,2} (?:depasse|expire)",
      "unavailable|indisponible|unreachable|injoignable|maintenance|en panne|hors service",
      "(?:not|can ?not|could not)(?: be)? reach(?:able|ed)",
      `(?:${OPERATOR})(?: is)? (?:${TROUBLE})|internal(?: \\w+)? error`,
      "erreur (?:du |de |de l )?(?:systeme|reseau|interne|technique|operateur|service)",
      `(?:${OPERATOR}) (?:did not|does not|is not|not) (?:respond(?:ing)?|answer(?:ing)?)`,
      "ne repond pas",
    ],
  ],
  [
    "limit",
    [
      "limits?|limites?|threshold|quota|plafond|exceed(?:s|ed|ing)?|depasse",
      "too (?:high|large|big|much|low|small|little)|trop (?:eleve|grand|haut|petit|faible|bas)e?",
      "(?:below|above|over|under|less than|more than|lower than|higher than|greater than)" +
        "(?: (?:the|a|an|your|allowed|permitted))* (?:minimum|maximum|min|max)",
      "out of (?:bounds?|range)|outside(?: of)?(?: \\w+){0,3} (?:bounds?|range)|hors limites?",
      "(?:minimum|maximum|min|max)(?: \\w+)? (?:amount|value)",
      "montant (?:minimum|maximum|superieur|inferieur)",
    ],
  ],
  [
    "no_wallet",
    [
      "^(?:is |has )?not(?: been)? registered|unregistered|no wallet",
      `no such (?:${WALLET})|(?:unknown|no) (?:payer|payee|recipient|receiver|subscriber|msisdn)`,
      "no(?: \\w+){0,3} (?:wallet|account) (?:found|exists?)",
      `(?:${WALLET})${LINK}(?:(?:not|never)(?: yet)?(?: been)? (?:registered|found)|unknown)`,
      `(?:${WALLET})${LINK}(?:(?:does not|doesn t) exist|non existent)`,
      `(?:${WALLET_FR})(?: n)?${LINK}(?:(?:non|pas)(?: ete)? (?:enregistre|inscrit|trouve)e?)`,
      `(?:${WALLET_FR})${LINK}(?:inconnue?|inexistante?|introuvable|n existe pas)`,
      `(?:aucun|pas de) (?:${WALLET_FR})`,
    ],
  ],
  ["canceled", ["cancel(?:l?ed|l?ation)?|aborted|annule[es]?|annulation|abandon(?:ned|nee?)?"]],
  [
    "declined",
    [
      "declin(?:e|es|ed)|reject(?:s|ed|ion)?|refus(?:e|es|ed|al|ee|ees)?|denied|rejetee?",
      "(?:not|never)(?: been)? (?:approv|authori[sz]|accept|confirm|permitt|allow|register)ed",
      "(?:not|never) (?:approve|authori[sz]e|accept|confirm|respond)|do not honou?r",
      "(?:non|pas)(?: ete)? (?:approuve|autorise|accepte|confirme|valide|enregistre)e?",
    ],
  ],
  ["window_closed", ["expired|expiree?"]],
]

const READERS = WORDS.map(
  ([reason, words]) => [reason, new RegExp(`\\b(?:${words.join("|")})\\b`)] as const,
)

const CODE = /\b[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g

/** @param texts of the gateway and of the wallet, the plainer first */
export function failureReason(...texts: readonly (string | null | undefined)[]): EndReason {
  const said = texts.flatMap((text) => (text ? [text] : []))
  const codes = said.flatMap((text) => text.match(CODE) ?? [])
  const reason = firstReason([...codes, ...said])
  const isOpen = reason === undefined || reason === "declined"
  if (isOpen && said.some((text) => saysOtherWaits({ detail: plainWords(text) })))
    return "other_payment_waits"
  return reason ?? "unknown"
}

function firstReason(texts: readonly string[]): EndReason | undefined {
  for (const text of texts) {
    const plain = plainWords(text)
    for (const [reason, words] of READERS) if (words.test(plain)) return reason
  }
  return undefined
}

/** Lower case, without accents, one blank between words. */
function plainWords(text: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "")
  return letters
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()
}
