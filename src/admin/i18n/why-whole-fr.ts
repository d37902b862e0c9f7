/** Why something happened, in French: the sentences that are always the same. */
export const WHY_FR: Readonly<Record<string, string>> = {
  "FAILED a second time; asking its source": "FAILED une seconde fois ; lecture de son document",
  "FAILED again, too soon to believe it": "FAILED de nouveau, trop tôt pour le croire",
  "Medusa has deleted the payment session; its page is to be closed":
    "Medusa a supprimé la session de paiement ; sa page doit être fermée",
  "Medusa holds the captured payment, and the order its money":
    "Medusa a le paiement capturé, et la commande son argent",
  "Medusa asked for what is on its way already, and was told so: nothing was sent again":
    "Medusa a demandé ce qui est déjà en chemin et l'a appris : rien n'a été renvoyé",
  "Medusa gives it back": "Medusa le rembourse",
  "Medusa had written transactions of other amounts, or for rows of no refund":
    "Medusa avait écrit des transactions d'autres montants, ou pour des lignes sans remboursement",
  "it is paid, and its payment session is missing; Medusa may be replacing it":
    "il est payé, et sa session de paiement manque ; Medusa est peut-être en train de la remplacer",
  "Medusa does not hold the money yet": "Medusa n'a pas encore l'argent",
  "Medusa does not show it yet": "Medusa ne l'affiche pas encore",
  "Medusa does not show the order as cancelled": "Medusa n'affiche pas la commande comme annulée",
  "Medusa holds no captured payment of it": "Medusa n'en a aucun paiement capturé",
  "Medusa made nothing that could be paid for the order":
    "Medusa n'a rien créé qui permette de payer la commande",
  "Medusa showed refunds that nobody has sent: a process died before it asked, or cancelling the order swallowed a refusal. They are taken out of its books; the money is still here":
    "Medusa affichait des remboursements que personne n'a envoyés : un processus s'est arrêté avant de les demander, ou l'annulation de la commande a masqué un refus. Ils sont retirés de ses livres ; l'argent est toujours ici",
  "Medusa's sums of what was refunded were not those of its refunds: one was refused while they were counted, or a process died over them. They are counted anew":
    "Les totaux remboursés de Medusa n'étaient pas ceux de ses remboursements : l'un a été refusé pendant le calcul, ou un processus s'est arrêté en plein calcul. Ils sont recalculés",
  "Medusa shows the refund, and its order the money that went back":
    "Medusa affiche le remboursement, et sa commande l'argent reparti",
  "Medusa still shows a part of it": "Medusa en affiche encore une partie",
  "Medusa is told that the money is on its way": "Medusa apprend que l'argent est en chemin",
  "the gateway does not accept the credentials": "la passerelle refuse les identifiants",
  "the wallet holds less than what is to be given back":
    "le portefeuille contient moins que ce qui doit être remboursé",
  "Medusa replaced the payment session": "Medusa a remplacé la session de paiement",
  "a captured payment was left by a completion that was undone":
    "un paiement capturé est resté d'une finalisation annulée",
  "a document whose making the ledger was not told of":
    "un document dont la création n'avait pas été notée",
  "a person asked what the gateway says": "une personne a demandé ce que dit la passerelle",
  "a person entered the payment intent id": "une personne a saisi l'identifiant payment intent",
  "a person has dismissed the money that came": "une personne a classé l'argent arrivé",
  "its money was dismissed; asking its source": "son argent est classé ; sa source est demandée",
  "a person has it made once more": "une personne le fait refaire",
  "a shopper commits to pay": "un client s'engage à payer",
  "an admin makes a payment link": "un administrateur crée un lien de paiement",
  "an admin asked for the address once more, to send it to the payer":
    "un administrateur a demandé l'adresse de nouveau, pour l'envoyer au payeur",
  "a source of the order gave no answer": "un document de la commande n'a pas donné de réponse",
  "a source of the order is paid after all": "un document de la commande est payé malgré tout",
  "accepted once, and not known there now: it may come back":
    "accepté une fois, et inconnu là-bas maintenant : il peut réapparaître",
  "an admin sends money": "un administrateur envoie de l'argent",
  "another total or another way to pay was chosen":
    "un autre total ou un autre moyen de paiement a été choisi",
  "asking the source": "lecture du document",
  "complete-cart answered no order": "complete-cart n'a renvoyé aucune commande",
  "everything is ready; the reference is committed before the money call":
    "tout est prêt ; la référence est fixée avant l'envoi",
  "it has other lines than the cart": "il a d'autres lignes que le panier",
  "it was COMPLETED, and now the execution reads FAILED":
    "c'était COMPLETED, et l'exécution est maintenant FAILED",
  "its document is paid after the end": "son document est payé après la fin",
  "its execution brought nothing; asking its source":
    "son exécution n'a rien donné ; lecture de son document",
  "its session is open; the reference is committed before the money call":
    "sa session est ouverte ; la référence est fixée avant l'envoi",
  "its session is over, and the gateway does not know the reference":
    "sa session est finie, et la passerelle ne connaît pas la référence",
  "its session is over, and the gateway has not known the reference since":
    "sa session est finie, et la passerelle n'a pas connu la référence depuis",
  "its source can't be paid any more": "son document ne peut plus être payé",
  "its source is another payment's": "son document est celui d'un autre paiement",
  "its source is paid after the end": "son document est payé après la fin",
  "its source is paid; by which payment is not known":
    "son document est payé ; on ne sait pas par quel paiement",
  "its source was paid by another payment of ours":
    "son document a été payé par un autre de nos paiements",
  "its source's total is another now": "le total de son document n'est plus le même",
  "it was left open after the end; it can't be paid any more":
    "il était resté ouvert après la fin ; il ne peut plus être payé",
  "late; asking its source": "en retard ; lecture de son document",
  "money came after the operation had ended": "de l'argent est arrivé après la fin",
  "neither cart nor order belong to the money": "ni panier ni commande ne correspond à l'argent",
  "neither the execution nor its source can be read":
    "ni l'exécution ni son document ne peuvent être lus",
  "no answer after the end; asked again": "pas de réponse après la fin ; nouvelle demande",
  "no trace of the execution since the last sending; closing the source decides":
    "aucune trace de l'exécution depuis le dernier envoi ; fermer le document en décidera",
  "not known there again; asking its source": "de nouveau inconnu là-bas ; lecture du document",
  "not known there, and its source is canceled": "inconnu là-bas, et son document est annulé",
  "not known there, but it was before": "inconnu là-bas, mais connu auparavant",
  "not known there; the same reference again": "inconnu là-bas ; même référence de nouveau",
  "nothing came after the end": "rien n'est arrivé après la fin",
  "nothing has landed in time; closing the source decides":
    "rien n'est arrivé à temps ; fermer le document en décidera",
  "nothing is to be asked or told": "il n'y a rien à demander ni à dire",
  "nothing to ask for while completed": "rien à demander une fois terminé",
  "nothing was asked": "rien n'a été demandé",
  "nothing went back after the end": "rien n'est reparti après la fin",
  "nothing went out after the end": "rien n'est parti après la fin",
  "somebody pays its source at this moment": "quelqu'un paie son document en ce moment",
  "still not known there": "toujours inconnu là-bas",
  "the cart became a checkout source": "le panier est devenu un document payable",
  "the cart became a document, which has no lines yet":
    "le panier est devenu un document, encore sans lignes",
  "the cart is owed another amount now; closing the old source":
    "le panier doit un autre montant maintenant ; fermeture de l'ancien document",
  "the document has a payment page": "le document a une page de paiement",
  "the draft was never submitted": "le brouillon n'a jamais été envoyé",
  "the draft's source is not closed yet": "le document du brouillon n'est pas encore fermé",
  "the events before were kept for their time": "les événements précédents ont fait leur temps",
  "the execution is FAILED but the source is PROCESSING":
    "l'exécution est FAILED mais le document est PROCESSING",
  "the execution is FAILED but the source reads PAID":
    "l'exécution est FAILED mais le document est PAID",
  "the execution is completed; asking its source":
    "l'exécution est terminée ; lecture de son document",
  "the execution was not asked for": "l'exécution n'a pas été lue",
  "the gateway could not be asked": "la passerelle n'a pas pu être interrogée",
  "the gateway does not know its source": "la passerelle ne connaît pas son document",
  "the gateway does not know the payment intent":
    "la passerelle ne connaît pas cet identifiant payment intent",
  "the gateway does not know the reference yet": "la passerelle ne connaît pas encore la référence",
  "the gateway does not know the source": "la passerelle ne connaît pas le document",
  "the gateway does not let this account make refunds":
    "la passerelle ne laisse pas ce compte rembourser",
  "the gateway does not let this account send money":
    "la passerelle ne laisse pas ce compte envoyer de l'argent",
  "the gateway does not take the account's credentials":
    "la passerelle refuse les identifiants du compte",
  "the gateway does not take the recipient's number":
    "la passerelle refuse le numéro du destinataire",
  "the gateway has not known the source for 15 minutes":
    "la passerelle ne connaît pas le document depuis 15 minutes",
  "the gateway knows its source again": "la passerelle connaît de nouveau son document",
  "the gateway refused it": "la passerelle l'a refusé",
  "the gateway refused the first sending and knows no such execution":
    "la passerelle a refusé le premier envoi et ne connaît pas cette exécution",
  "the gateway refused the first sending and knows no such refund":
    "la passerelle a refusé le premier envoi et ne connaît pas ce remboursement",
  "the gateway refused the passcode": "la passerelle a refusé le code",
  "the gateway refused the session; the same reference is sent with a new one":
    "la passerelle a refusé la session ; la même référence part avec une nouvelle",
  "the gateway refused the refund session": "la passerelle a refusé la session de remboursement",
  "the gateway reported FAILED twice": "la passerelle a annoncé FAILED deux fois",
  "the gateway reported it FAILED twice": "la passerelle a annoncé FAILED deux fois",
  "the gateway reported the refund FAILED twice":
    "la passerelle a annoncé deux fois l'échec du remboursement",
  "the gateway reports FAILED; looking a second time before believing it":
    "la passerelle annonce FAILED ; second regard avant de le croire",
  "the gateway reports it as FAILED; looking a second time before believing it":
    "la passerelle annonce FAILED ; second regard avant de le croire",
  "the gateway reports the refund as FAILED; looking a second time before believing it":
    "la passerelle annonce l'échec du remboursement ; second regard avant de le croire",
  "the gateway says paid, amount and currency equal":
    "la passerelle dit payé, montant et devise identiques",
  "the gateway says that it is paid": "la passerelle dit que c'est payé",
  "the gateway says that the money has moved": "la passerelle dit que l'argent est parti",
  "the gateway says that the money went back": "la passerelle dit que l'argent est reparti",
  "the gateway says that money went back, but not the amount that was asked for":
    "la passerelle dit que de l'argent est reparti, mais pas le montant demandé",
  "the gateway says what came": "la passerelle dit ce qui est arrivé",
  "the gateway says what it said before": "la passerelle redit la même chose",
  "the money is for another total than cart or order has now":
    "l'argent correspond à un autre total que celui du panier ou de la commande",
  "the money was not asked for": "l'argent n'a pas été demandé",
  "the money went back after the refund had ended":
    "l'argent est reparti après la fin du remboursement",
  "the money went out after it had been called ended": "l'argent est parti après la fin annoncée",
  "the order is cancelled already": "la commande est déjà annulée",
  "the order is not one that Medusa cancels": "Medusa n'annule pas cette commande",
  "the order is paid in another way": "la commande est payée autrement",
  "the order is placed and waits for its money": "la commande est passée et attend son argent",
  "the order was cancelled before the money could be recorded":
    "la commande a été annulée avant l'enregistrement de l'argent",
  "the order was cancelled in Medusa": "la commande a été annulée dans Medusa",
  "the order was cancelled in Medusa while it holds this money":
    "la commande a été annulée dans Medusa alors qu'elle détient cet argent",
  "the order was not paid in time and is cancelled":
    "la commande n'a pas été payée à temps et est annulée",
  "the order was not paid in time; nothing can be paid for it any more":
    "la commande n'a pas été payée à temps ; plus rien ne peut être payé pour elle",
  "the order's time is over; its source can't be paid any more":
    "le délai de la commande est passé ; son document ne peut plus être payé",
  "the only sending was refused, or never left, and the gateway knows no such reference":
    "l'unique envoi a été refusé, ou n'est jamais parti, et la passerelle ne connaît pas la référence",
  "the payment collection already holds another payment":
    "la collection de paiement contient déjà un autre paiement",
  "the payment collection has no cart": "la collection de paiement n'a pas de panier",
  "the payment session is gone": "la session de paiement a disparu",
  "the payment went on with another document": "le paiement s'est poursuivi avec un autre document",
  "the payment page's address is committed before it is handed out":
    "l'adresse de la page de paiement est fixée avant d'être remise",
  "the payment provider is not enabled any more": "le moyen de paiement n'est plus activé",
  "the payment session is gone and no other agrees with the money":
    "la session de paiement a disparu et aucune autre ne correspond à l'argent",
  "the receipt says what was paid and what it cost":
    "le reçu dit ce qui a été payé et ce que cela a coûté",
  "the recipient's account or the session can't be used":
    "le compte du destinataire ou la session est inutilisable",
  "an admin erased what is kept of the shopper":
    "un administrateur a effacé ce qui est gardé du client",
  "what a person wrote here was erased": "ce qu'une personne avait écrit ici a été effacé",
  "the refund session could not be opened": "la session de remboursement n'a pas pu être ouverte",
  "the refund was not asked for": "le remboursement n'a pas été lu",
  "the row lacks what an execution needs": "il manque à la ligne de quoi exécuter",
  "the same reference is sent again": "la même référence est renvoyée",
  "the session can't be used": "la session est inutilisable",
  "the shopper gave up": "le client a renoncé",
  "the shopper starts again": "le client recommence",
  "the shopper's payment of the source is being processed":
    "le paiement du document par le client est en cours",
  "the source is canceled": "le document est annulé",
  "the source is canceled: nobody can pay it any more":
    "le document est annulé : plus personne ne peut le payer",
  "the source is not closed yet": "le document n'est pas encore fermé",
  "the source is paid, but not for the amount and currency that were asked for":
    "le document est payé, mais pas pour le montant et la devise demandés",
  "the source is to be closed": "le document doit être fermé",
  "the source moved: it landed": "le document a bougé : c'est arrivé",
  "the source of the failed payment is still payable":
    "le document du paiement échoué est encore payable",
  "the source was idle; it is payable now": "le document était en attente ; il est payable",
  "the time to pay is over; closing the source":
    "le délai de paiement est passé ; fermeture du document",
  "there are no credentials to ask the gateway with":
    "aucun identifiant ne permet d'interroger la passerelle",
  "there is no order that waits for this money": "aucune commande n'attend cet argent",
  "there is not enough in the wallet": "le portefeuille ne contient pas assez",
  "whoever asked for it stopped before anything was sent":
    "la demande s'est arrêtée avant tout envoi",
}
