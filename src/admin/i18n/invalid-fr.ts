/**
 * What is wrong with something that was typed in (`invalid_request`), in French, as it stands beside its
 * field. All these refusals have one code, so they are told apart by their sentence.
 */
export const INVALID_FR: Readonly<Record<string, string>> = {
  "Set the gateway's address, as https://api.example.com.":
    "Indiquez l'adresse de la passerelle, comme https://api.example.com.",
  "The gateway's address must start with https://.":
    "L'adresse de la passerelle doit commencer par https://.",
  "Credentials do not belong into the gateway's address.":
    "L'adresse de la passerelle ne doit pas contenir d'identifiants.",
  "The gateway's address must not have a path.":
    "L'adresse de la passerelle ne doit pas avoir de chemin.",
  "The gateway's address must not have a query.":
    "L'adresse de la passerelle ne doit pas avoir de paramètres.",
  "Use the gateway's name, not an IP address.":
    "Indiquez le nom de la passerelle, pas une adresse IP.",
  "Use the gateway's public address, not one of this machine.":
    "Indiquez l'adresse publique de la passerelle, pas celle de cette machine.",
  "The gateway's address must start with https://; http is only for this machine, outside production.":
    "L'adresse de la passerelle doit commencer par https:// ; http ne vaut que pour cette machine, hors production.",
  "Set it to the value shown in the merchant portal.":
    "Indiquez la valeur affichée dans le portail marchand.",
  "give the account a name": "Donnez un nom au compte.",
  "set the gateway's address": "Indiquez l'adresse de la passerelle.",
  "a currency is three letters, as in USD": "Une devise s'écrit en trois lettres, comme USD.",
  "a currency is listed twice": "Une devise est indiquée deux fois.",
  "amounts by currency in capital letters, or * for all others":
    "Un montant par devise en majuscules, ou * pour toutes les autres.",
  "the environment's account is the default as long as it is set":
    "Le compte de l'environnement est le compte par défaut tant qu'il est défini.",
  "make another account the default in its place":
    "Choisissez plutôt un autre compte comme compte par défaut.",
  "belongs to the secret": "Il accompagne le secret.",
  "empty, or with characters that can't be shown":
    "Vide, ou avec des caractères qui ne peuvent pas être affichés.",
  "letters, digits and signs, without spaces": "Lettres, chiffres et signes, sans espaces.",
  "three letters, as in USD": "Trois lettres, comme USD.",
  "too many": "Il y en a trop.",
  "a currency, or *": "Une devise, ou *.",
  "a name of the wire": "Un nom tel que la passerelle l'écrit.",
  "an amount, as in 19.99": "Un montant, comme 19.99.",
  "8 to 200 characters, without spaces": "De 8 à 200 caractères, sans espaces.",
  "4 to 64 characters, without spaces": "De 4 à 64 caractères, sans espaces.",
  "digits of the number without a plus": "Les chiffres du numéro, sans le plus.",
  "one key of 8 to 200 characters is needed, in the body or in the header":
    "Il faut une seule clé de 8 à 200 caractères, dans le corps ou dans l'en-tête.",
  "too long": "C'est trop long.",
  "not whole, or no JSON": "Ce n'est pas du JSON, ou pas en entier.",
  "has a field that is not known": "Un champ n'est pas connu.",
  "not an id": "Ce n'est pas un identifiant.",
  "not a number": "Ce n'est pas un nombre.",
  "not a currency": "Ce n'est pas une devise.",
  "the last three digits": "Les trois derniers chiffres.",
  "not where a page ended": "Aucune page ne se termine là.",
  "no such time": "Cette date n'existe pas, ou elle est hors de ce siècle.",
  "has to be after from": "La fin doit suivre le début.",
  "has not come yet": "Cette date n'est pas encore venue.",
  "not one that this shop knows": "Cette boutique ne connaît pas ce moyen de paiement.",
  "not a payment provider of this plugin": "Ce n'est pas un moyen de paiement de ce module.",
  "only for a payment by phone; the payment page itself tells the shopper what is charged.":
    "Seulement pour un paiement par téléphone ; la page de paiement dit elle-même ce qui est débité.",
}
