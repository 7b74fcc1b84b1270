settle-up = Qui paie qui
settle-playing = Une partie est en cours. Elle comptera une fois finie.
all-even = Personne ne doit rien à personne.
hands-to = paie
paid = Payé
told-payment =  : { $payer } a payé { $amount } à { $payee }
was-paid = payé
undo-paid = Annuler
payments-exact = { $count ->
    [one] Un seul paiement règle tout.
   *[other] { $count } paiements règlent tout. On ne peut pas faire moins.
}
payments-many = { $count ->
    [one] Un seul paiement règle tout.
   *[other] { $count } paiements règlent tout.
}
unpaid-stays = Ce qui n’est pas payé maintenant reste dans les comptes et peut l’être à tout moment.
column-paid = payé
column-open = reste
column-game = Partie
column-result = Résultat
leaver-title = Quelqu’un part avant la fin
leaver-hint = Un ou plusieurs des autres règlent avec cette personne et reprennent à leur compte ce qui était dû.
leaver-who = Qui part
leaver-owed = { $name } doit recevoir { $amount }. Qui paie ?
leaver-owes = { $name } doit { $amount }. À qui ?
leaver-work-out = Calculer
leaver-still-owed = { $name } doit encore recevoir { $amount }.
leaver-still-owes = { $name } doit encore { $amount }.
as-much-as-due = le montant dû
amount-of = Montant pour { $name }
score-sheet = Partie par partie
print-sheet = Imprimer la feuille
line-payment = paiement
line-contested = Contesté : { $what }
line-upheld = Plus contesté : { $what }
line-corrected = Corrigé : { $what }
line-merged = Saisi deux fois : { $what }
line-entry-fee = droits d’entrée
line-registration = frais d’organisation
line-side-pool = cagnotte annexe
line-re-entry = réinscription
line-added = apport de la maison
line-kept = part de la maison
line-prize = prix
line-paid-in = payé à la caisse
line-paid-out = payé par la caisse
line-refund = remboursement
line-returned = restitution
line-of-tournament = Tournoi
line-of-session = Session d’argent
line-with-pool = la cagnotte
line-with-house = la maison
one-point = { $points } point
some-points = { $points } points
leaver-too-much = C’est plus que le reste dû de { $amount }.
leaver-bad-amount = Un montant est un nombre supérieur à zéro, comme 30 ou 7,50.
settle-whole-night = Toute la soirée
settle-night-link = Les comptes de toute la soirée
settle-night-plays = partie en cours
settle-night-playing = Une partie est en cours. Les comptes de la soirée pourront se faire une fois qu’elle sera finie.
settle-night-pay = Tout enregistrer comme payé
settle-night-books = Les comptes de chaque table seront alors soldés.
settle-night-crosswise = Aucun paiement à faire : d’une table à l’autre, les dettes s’annulent.
settle-night-sessions = Sessions d’argent
settle-night-sessions-hint = Non comptées ci-dessus. Chacune se règle sur sa propre feuille.
settle-night-back = Annuler le dernier enregistrement
column-won = gagné
