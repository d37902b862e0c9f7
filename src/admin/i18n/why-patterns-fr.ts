/**
 * Why something happened, in French: the sentences with something in them. It stays as it is, but in the
 * groups that `why-fr.ts` has French for: `why`, `what`, `state` and `refusal`.
 */
import type { Patterns } from "./sentences"

export const WHY_PATTERNS_FR: Patterns = [
  [
    /^(?<why>.*), of another amount than asked for$/s,
    "$<why>, d'un autre montant que celui demandé",
  ],
  [
    /^(?<why>.*); another operation holds the collection: surplus$/s,
    "$<why> ; une autre opération détient la collection : second paiement",
  ],
  [
    /^(?<why>.*); the gateway knows no such reference$/s,
    "$<why> ; la passerelle ne connaît pas la référence",
  ],
  [
    /^(?<why>.*); the order was changed since, and says that money is open: look at its credit lines$/s,
    "$<why> ; la commande a été modifiée depuis et un montant y reste dû : voyez ses lignes de crédit",
  ],
  [
    /^no final answer after (\d+) looks; the last: (?<why>.*)$/s,
    "aucune réponse définitive après $1 regards ; le dernier : $<why>",
  ],
  [
    /^status of the (?<what>source|execution|refund|money): asked to come back later$/,
    "état $<what> : à redemander plus tard",
  ],
  [
    /^status of the (?<what>source|execution|refund|money): refused, the merchant must look$/,
    "état $<what> : refusé, le marchand doit regarder",
  ],
  [
    /^status of the (?<what>source|execution|refund|money): not known there$/,
    "état $<what> : inconnu là-bas",
  ],
  [
    /^status of the (?<what>source|execution|refund|money): no trustworthy answer$/,
    "état $<what> : pas de réponse fiable",
  ],
  [
    /^the gateway reports (?:the refund|it) as (\S+) after (?:its|the) end$/,
    "la passerelle annonce $1 après la fin",
  ],
  [/^the gateway reports (?:the execution|the refund|it) as (\S+)$/, "la passerelle annonce $1"],
  [/^the gateway answered(?: the execution| the refund)? with (\S+)$/, "la passerelle répond $1"],
  [
    /^the (?:execution|refund|money) call ended as (\S+): ask, never guess$/,
    "l'envoi s'est terminé par $1 : demander, jamais deviner",
  ],
  [/^the source reads (\S+)$/, "le document est $1"],
  [
    /^not known there yet, but its source reads (\S+)$/,
    "encore inconnu là-bas, mais son document est $1",
  ],
  [
    /^its source reads (\S+); the shopper may try again with it$/,
    "son document est $1 ; le client peut réessayer avec lui",
  ],
  [
    /^its source reads (\S+) after the end; closing it$/,
    "son document est $1 après la fin ; fermeture",
  ],
  [
    /^it was paid, and now its source reads (\S+)$/,
    "c'était payé, et son document est maintenant $1",
  ],
  [/^nothing to ask for while (?<state>\w+)$/, "rien à demander dans cet état ($<state>)"],
  [
    /^the execution is COMPLETED but the source reads (\S+)$/,
    "l'exécution est COMPLETED mais le document est $1",
  ],
  [
    /^the execution is COMPLETED after the end, but its source reads (\S+)$/,
    "l'exécution est COMPLETED après la fin, mais son document est $1",
  ],
  [
    /^the execution is COMPLETED after the end; its source reads (\S+) so far$/,
    "l'exécution est COMPLETED après la fin ; son document est encore $1",
  ],
  [
    /^the source is not what was asked for: (?<why>.*)$/s,
    "le document n'est pas ce qui a été demandé : $<why>",
  ],
  [/^its total is (\S+) (\S+)$/, "son total est $1 $2"],
  [/^its fee bearer is (\S+)$/, "ses frais sont à la charge de $1"],
  [/^a source of the order reads (\S+)$/, "un document de la commande est $1"],
  [/^the last look at (\S+) gave no answer$/, "le dernier regard sur $1 est resté sans réponse"],
  [/^(\S+) reads (\S+) after all$/, "$1 est $2 malgré tout"],
  [/^(\S+) closes the order$/, "$1 ferme la commande"],
  [/^a person looks at the money of (\S+)$/, "une personne regarde l'argent de $1"],
  [/^a person has decided about the money of (\S+)$/, "une personne a décidé de l'argent de $1"],
  [/^the order follows (\S+), which is (?<state>\w+)$/, "la commande suit $1 ($<state>)"],
  [/^the order may be paid through (\S+)$/, "la commande est peut-être payée par $1"],
  [/^(\S+) did not go through, and is made once more$/, "$1 n'est pas passé et est refait"],
  [/^(\S+) is a refund of no amount$/, "$1 est un remboursement sans montant"],
  [
    /^Medusa showed it as refunded; that was taken back in all its places \((\S+)\)$/,
    "Medusa l'affichait comme remboursé ; c'est corrigé partout ($1)",
  ],
  [/^Medusa shows nothing of it \((\S+)\)$/, "Medusa n'en affiche rien ($1)"],
  [
    /^Medusa has no summary of version (\S+) of (\S+)$/,
    "Medusa n'a pas de total de $2, version $1",
  ],
  [/^Medusa refused (\d+) times: (?<why>.*)$/s, "Medusa a refusé $1 fois : $<why>"],
  [/^Medusa could not take the money: (?<why>.*)$/s, "Medusa n'a pas pu prendre l'argent : $<why>"],
  [
    /^Medusa could not take the refund: (?<why>.*)$/s,
    "Medusa n'a pas pu prendre le remboursement : $<why>",
  ],
  [
    /^Medusa's books could not be put right: (?<why>.*)$/s,
    "les livres de Medusa n'ont pas pu être corrigés : $<why>",
  ],
  [
    /^Medusa (?:refused to|could not) cancel the order: (?<why>.*)$/s,
    "Medusa n'a pas annulé la commande : $<why>",
  ],
  [
    /^the account's policy refund_orphans gives it back \((\S+)\)$/,
    "la règle refund_orphans du compte le rembourse ($1)",
  ],
  [/^policy refund_orphans: (?<refusal>.*)$/s, "règle refund_orphans : $<refusal>"],
]
