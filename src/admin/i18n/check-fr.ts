/**
 * The lines of the setup check and of the connection test in French; the store says them in English. A
 * line that is not here, from another version for example, is shown as it is.
 */
import { translated, type Patterns } from "./sentences"

const WHOLE: Readonly<Record<string, string>> = {
  "The database answers.": "La base de données répond.",
  "The database does not answer, or its tables are not there. Payments stand still until it does; run npx medusa db:migrate if the plugin was updated.":
    "La base de données ne répond pas, ou ses tables manquent. Les paiements sont arrêtés jusque-là ; lancez npx medusa db:migrate si le module a été mis à jour.",
  "There is no account, so nothing can be paid. Add one, or set the environment's variables.":
    "Il n'y a aucun compte : rien ne peut être payé. Ajoutez-en un, ou définissez les variables d'environnement.",
  "Secrets can be kept, encrypted.": "Les secrets peuvent être gardés, chiffrés.",
  "There is no encryption key. It is not needed while the environment's account is the only one.":
    "Il n'y a pas de clé de chiffrement. Elle est inutile tant que le compte de l'environnement est le seul.",
  "The plugin is there and its payment providers are not, so no shopper can choose them. Use withMerchantPayments in medusa-config.ts, and restart.":
    "Le module est là mais pas ses moyens de paiement : aucun client ne peut les choisir. Utilisez withMerchantPayments dans medusa-config.ts, puis redémarrez.",
  "No region offers a payment provider of the plugin, so no shopper can choose one. Enable them for a region.":
    "Aucune région ne propose un moyen de paiement du module : aucun client ne peut en choisir. Activez-les pour une région.",
  "No account takes any currency, so nothing can be paid. Add currencies to an account.":
    "Aucun compte ne prend de devise, donc rien ne peut être payé. Ajoutez des devises à un compte.",
  "No account takes LRD.": "Aucun compte ne prend le LRD.",
  "Medusa knows the Liberian dollar, with two digits.":
    "Medusa connaît le dollar libérien, à deux décimales.",
  "Medusa does not know the Liberian dollar. The plugin adds it when the store starts: restart it, and check that the plugin is loaded.":
    "Medusa ne connaît pas le dollar libérien. Le module l'ajoute au démarrage : redémarrez la boutique et vérifiez que le module est chargé.",
  "Which locking module the store has is not known here.":
    "Le module de verrous de la boutique n'est pas connu ici.",
  "Which workflow engine the store has is not known here.":
    "Le moteur de workflows de la boutique n'est pas connu ici.",
  "Medusa answers in time.": "Medusa répond à temps.",
  "Nothing waits to be looked at.": "Rien n'attend d'être vérifié.",
  "The gateway was called, and has not given a usable answer for a day.":
    "La passerelle a été appelée et n'a donné aucune réponse utilisable depuis un jour.",
  "The gateway was not called in the last day.":
    "La passerelle n'a pas été appelée depuis un jour.",
  "No payment waits for a person.": "Aucun paiement n'attend une décision.",
  "Client id and client secret are right.": "L'identifiant et le secret du client sont bons.",
  "The gateway does not know this client id with this secret. Copy both again from the API keys section of the merchant portal; a secret that was rotated there is void.":
    "La passerelle ne connaît pas cet identifiant avec ce secret. Copiez de nouveau les deux depuis la section des clés API du portail marchand ; un secret renouvelé là-bas ne vaut plus.",
  "The gateway knows the client and does not let it in (403). The merchant may have to be verified first: see the merchant portal.":
    "La passerelle connaît le client et ne le laisse pas entrer (403). Le marchand doit peut-être d'abord être vérifié : voyez le portail marchand.",
  "The gateway asks for a pause (429). Test again in a minute.":
    "La passerelle demande une pause (429). Testez de nouveau dans une minute.",
  "This server's clock and the gateway's agree.":
    "L'horloge de ce serveur et celle de la passerelle concordent.",
  "The merchant is not verified yet: the payment page, payment links, refunds and payouts are refused (403) until it is. Finish the verification in the merchant portal.":
    "Le marchand n'est pas encore vérifié : page de paiement, liens, remboursements et versements sont refusés (403) jusque-là. Terminez la vérification dans le portail marchand.",
  "Nothing is held back: the merchant is verified.": "Rien n'est retenu : le marchand est vérifié.",
  "The gateway does not show the fees to this client (403). Payments work.":
    "La passerelle ne montre pas les frais à ce client (403). Les paiements fonctionnent.",
  "Not asked, because of what is above.": "Pas demandé, à cause de ce qui précède.",
  "The gateway gave no usable answer in time. Test again in a minute.":
    "La passerelle n'a pas donné de réponse utilisable à temps. Testez de nouveau dans une minute.",
  "Something answers at the address, but no gateway of this kind. Check the address.":
    "Quelque chose répond à cette adresse, mais pas une telle passerelle. Vérifiez l'adresse.",
  "The gateway does not give a usable answer just now. Try again in some minutes.":
    "La passerelle ne donne pas de réponse utilisable. Réessayez dans quelques minutes.",
  "Something answers at the address, but no gateway of this kind: a web page, a proxy or a redirect. Check the address, and proxies on the way.":
    "Quelque chose répond à cette adresse, mais pas une telle passerelle : une page web, un proxy ou une redirection. Vérifiez l'adresse et les proxys en chemin.",
  "The gateway does not answer in time. Check firewalls, or try again in some minutes.":
    "La passerelle ne répond pas à temps. Vérifiez les pare-feu, ou réessayez dans quelques minutes.",
  "This name leads to no server that can be used. Check the address for a typing mistake.":
    "Ce nom ne mène à aucun serveur utilisable. Cherchez une faute de frappe dans l'adresse.",
  "The server refuses the connection. Check the address and its port.":
    "Le serveur refuse la connexion. Vérifiez l'adresse et son port.",
  "The server does not answer at all. Check the address, and firewalls on the way.":
    "Le serveur ne répond pas du tout. Vérifiez l'adresse et les pare-feu en chemin.",
  "No secure connection can be made: the certificate is not valid for this address, or it speaks no TLS.":
    "Aucune connexion sûre n'est possible : le certificat ne vaut pas pour cette adresse, ou le serveur ne parle pas TLS.",
  "There is no way to the server. Check this server's network.":
    "Aucun chemin ne mène au serveur. Vérifiez le réseau de ce serveur.",
  "The connection was cut. Try again; if it stays so, check proxies on the way.":
    "La connexion a été coupée. Réessayez ; si cela dure, vérifiez les proxys en chemin.",
  "The kept secret can't be read with the key of this server. Put the former key back, or type the secret in again.":
    "Le secret gardé est illisible avec la clé de ce serveur. Remettez l'ancienne clé, ou saisissez de nouveau le secret.",
  "Address, client id or account of the kept secret were changed in the database, not here, so it is sent nowhere. Find out who did it. Then check the address, and type client id and secret in again.":
    "L'adresse, l'identifiant client ou le compte du secret gardé ont été modifiés dans la base, et non ici : il n'est envoyé nulle part. Cherchez qui l'a fait. Vérifiez ensuite l'adresse, et saisissez de nouveau identifiant et secret.",
  "The environment's variables are not set here any more. What was paid with them can only be asked about with the same credentials.":
    "Les variables d'environnement ne sont plus définies ici. Ce qui a été payé avec elles ne peut être vérifié qu'avec les mêmes identifiants.",
  "Type in client id and client secret; they are in the API keys section of the merchant portal.":
    "Saisissez l'identifiant et le secret du client ; ils sont dans la section des clés API du portail marchand.",
  "The secret was encrypted with another key than this server has. Set the former key as MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS, or type the secret in again.":
    "Le secret a été chiffré avec une autre clé que celle de ce serveur. Définissez l'ancienne clé dans MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS, ou saisissez de nouveau le secret.",
}

const HOW_FR =
  "Créez-en une avec `openssl rand -base64 32`, définissez-la pour chaque processus de la boutique et gardez-en une copie ailleurs que dans les sauvegardes de la base."

const QUARTER = "appels du dernier quart d'heure"

const PATTERNS: Patterns = [
  [
    /^(\w+) is not set, so no secret can be kept here\. .*$/s,
    `$1 n'est pas définie : aucun secret ne peut être gardé ici. ${HOW_FR}`,
  ],
  [
    /^(\w+) has to be 32 bytes in base64, 44 characters\. .*$/s,
    `$1 doit faire 32 octets en base64, soit 44 caractères. ${HOW_FR}`,
  ],
  [
    /^No account has credentials that can be used, so nothing can be paid: (.*)\. Type the secret in, or put the encryption key back\.$/s,
    "Aucun compte n'a d'identifiants utilisables, donc rien ne peut être payé : $1. Saisissez le secret, ou remettez la clé de chiffrement.",
  ],
  [
    /^Payments of these accounts can neither be taken nor asked about: (.*)\. Type the secret in, or put the encryption key back\.$/s,
    "Les paiements de ces comptes ne peuvent être ni pris ni vérifiés : $1. Saisissez le secret, ou remettez la clé de chiffrement.",
  ],
  [
    /^The address or the client of these accounts was changed in the database, not in the admin, and their secrets are sent nowhere: (.*)\. Find out who did it; then check the address and type the secret in again\.$/s,
    "L'adresse ou le client de ces comptes ont été modifiés dans la base, et non dans l'administration ; leurs secrets ne sont envoyés nulle part : $1. Cherchez qui l'a fait ; vérifiez ensuite l'adresse et saisissez de nouveau le secret.",
  ],
  [/^Accounts with credentials: (\d+)\.$/, "Comptes avec identifiants : $1."],
  [/^Offered in: (.*)\.$/s, "Proposés dans : $1."],
  [/^Taken: (.*)\.$/s, "Devises prises : $1."],
  [
    /^Medusa does not know (.*), so nothing can have a price in it\. Restart the store after an update; check the account's currencies\.$/s,
    "Medusa ne connaît pas $1 : rien ne peut avoir un prix dans cette devise. Redémarrez la boutique après une mise à jour ; vérifiez les devises du compte.",
  ],
  [
    /^No account takes the currency of these regions, so their shoppers can't pay: (.*)\. Add the currency to an account\.$/s,
    "Aucun compte ne prend la devise de ces régions, dont les clients ne peuvent pas payer : $1. Ajoutez la devise à un compte.",
  ],
  [
    /^Medusa counts the Liberian dollar with (\d+) digits in the place of 2, so amounts are wrong\. Put the currency's row right\.$/,
    "Medusa compte le dollar libérien avec $1 décimales au lieu de 2 : les montants sont faux. Corrigez la devise.",
  ],
  [
    /^Locking are shared between processes \((.*)\)\.$/,
    "Les verrous sont partagés entre les processus ($1).",
  ],
  [
    /^Workflows are shared between processes \((.*)\)\.$/,
    "Les workflows sont partagés entre les processus ($1).",
  ],
  [
    /^(\d+) processes .* the locking module is in memory.*$/s,
    "$1 processus tournent côte à côte depuis plus de deux minutes, et les verrous sont en mémoire : la finalisation d'un panier par la boutique n'exclut pas le worker d'un autre processus, et un panier peut être finalisé deux fois. Configurez le module de verrous de Medusa avec son fournisseur Redis ou Postgres, ou ne lancez qu'un processus.",
  ],
  [
    /^(\d+) processes .* the workflow engine is in memory.*$/s,
    "$1 processus tournent côte à côte depuis plus de deux minutes, et le moteur de workflows est en mémoire : ils s'ignorent. Configurez pour lui le module Redis de Medusa.",
  ],
  [
    /^Medusa has not answered for more than a minute: (.*?)\. These payments are held.*$/s,
    "Medusa ne répond pas depuis plus d'une minute : $1. Ces paiements sont retenus jusqu'à sa réponse ; les autres continuent. Un hook de workflow ou un service sans délai peut ne jamais répondre : trouvez-le et redémarrez le processus.",
  ],
  [
    /^The (?:locking module|workflow engine) is in memory, which is right .*$/s,
    "Ce module est en mémoire, ce qui convient à un seul processus. Configurez le module Redis de Medusa avant d'en lancer un second.",
  ],
  [
    /^The job has never run\. .*$/s,
    "La tâche n'a jamais tourné. Les paiements ne sont ni vérifiés ni apportés à Medusa. Lancez un processus en mode shared ou worker, et voyez son journal.",
  ],
  [
    /^The job last ran (\d+) seconds ago\. .*$/s,
    "La tâche a tourné pour la dernière fois il y a $1 secondes. Les paiements ne sont ni vérifiés ni apportés à Medusa. Lancez un processus en mode shared ou worker, et voyez son journal.",
  ],
  [/^The job runs, in (\d+) process(?:es)?\.$/, "La tâche tourne, dans $1 processus."],
  [
    /^The oldest due payment has waited (\d+) seconds\.$/,
    "Le plus ancien paiement dû attend depuis $1 secondes.",
  ],
  [
    /^A payment has been due for (\d+) seconds and was not looked at: .*$/s,
    "Un paiement est dû depuis $1 secondes sans avoir été vérifié : des clients attendent. La passerelle a pu demander une pause, ou il y a trop peu de processus.",
  ],
  [
    /^(\d+) of (\d+) calls of the last quarter of an hour got no usable answer\.$/,
    `$1 des $2 ${QUARTER} n'ont reçu aucune réponse utilisable.`,
  ],
  [
    /^(\d+) of (\d+) calls of the last quarter of an hour got no usable answer\. .*$/s,
    `$1 des $2 ${QUARTER} n'ont reçu aucune réponse utilisable. Les paiements sont sûrs mais lents. Testez la connexion ; voyez la page d'état de la passerelle.`,
  ],
  [
    /^(\d+) of (\d+) calls of the last quarter of an hour were too many for the gateway \(429\)\.$/,
    `$1 des $2 ${QUARTER} étaient de trop pour la passerelle (429).`,
  ],
  [
    /^(\d+) of (\d+) calls of the last quarter of an hour were too many for the gateway \(429\)\. .*$/s,
    `$1 des $2 ${QUARTER} étaient de trop pour la passerelle (429). Le rythme baisse de lui-même ; autre chose utilise-t-il les mêmes identifiants ?`,
  ],
  [
    /^The gateway's last usable answer is (\d+) seconds old\.$/,
    "La dernière réponse utilisable de la passerelle date de $1 secondes.",
  ],
  [
    /^The gateway last answered (\d+) seconds ago\.$/,
    "La passerelle a répondu il y a $1 secondes.",
  ],
  [
    /^(\d+) payments? waits? for a person to decide: .*$/s,
    "$1 à décider par une personne : argent et registres ne concordent pas. Voyez ce qui est à traiter.",
  ],
  [/^The gateway answers at (.*)\.$/, "La passerelle répond à $1."],
  [
    /^A token lives (\d+) minutes only, or the gateway does not say how long\. .*$/s,
    "Un jeton ne vit que $1 minutes, ou la passerelle ne dit pas combien. Cela fonctionne, avec plus d'appels que d'habitude.",
  ],
  [
    /^A token lives (\d+) minutes and is renewed in time\.$/,
    "Un jeton vit $1 minutes et est renouvelé à temps.",
  ],
  [
    /^This server's clock is (\d+) seconds ahead of the gateway's\. .*$/s,
    "L'horloge de ce serveur avance de $1 secondes sur la passerelle ; les délais de paiement en souffrent. Réglez l'horloge par NTP.",
  ],
  [
    /^This server's clock is (\d+) seconds behind the gateway's\. .*$/s,
    "L'horloge de ce serveur retarde de $1 secondes sur la passerelle ; les délais de paiement en souffrent. Réglez l'horloge par NTP.",
  ],
  [
    /^The fees can be read \((\d+) fee plans\)\.$/,
    "Les frais peuvent être lus ($1 plans tarifaires).",
  ],
  [
    /^The gateway refuses this to the client \((\d+)\)\.$/,
    "La passerelle refuse cela à ce client ($1).",
  ],
  [
    /^(.*) is not known to the gateway as (\S+), or does not take (\w+)\. .*$/s,
    "$1 n'est pas connu de la passerelle sous le nom $2, ou ne prend pas $3. Saisissez ses noms réels, du portail marchand, dans les noms sur le fil du compte.",
  ],
  [/^(.*) takes (\w{3})\.$/, "$1 prend $2."],
]

export function checkInFrench(message: string): string {
  return translated(message, WHOLE, PATTERNS) ?? message
}
