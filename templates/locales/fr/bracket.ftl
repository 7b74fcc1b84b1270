bracket = Tableau
bracket-not-drawn = Le tirage au sort n’a pas encore eu lieu.
flights = Tableaux
flight-main = Principal
flight-consolation = Consolante
flight-grand-final = Finale
flight-third-place = Troisième place
flight-second-place = Deuxième place
flight-last-chance = Dernière chance
rounds = Tours
round-final = Finale
round-final-again = Seconde finale
round-semi-finals = Demi-finales
round-quarter-finals = Quarts de finale
round-last = { $count ->
    [16] 8es de finale
    [32] 16es de finale
    [64] 32es de finale
    [128] 64es de finale
   *[other] Les { $count } derniers
}
round-number = Tour { $round }
match-to = en { $points }
match-number = Match { $match }
match-running = Partie { $game }
slot-bye = exempt
slot-nobody = personne (match { $match })
slot-winner = vainqueur du { $match }
slot-loser = perdant du { $match }
slot-open = à désigner
slot-won = gagne
playing = en cours
playing-at = en cours · table { $table }
called-to = appelé · table { $table }
ready = prêt
ending-conceded = abandon
ending-walkover = absence
ending-forfeit = forfait
ending-double-forfeit = double absence
ending-disqualified = disqualification
ending-withdrawn = retrait
ending-not-needed = sans objet
pick-player = Trouver un joueur
pick-show = Afficher
size-smaller = Plus petit
size-larger = Plus grand
way-beat = bat
way-lost-to = perd contre
way-close = Ne plus surligner
sections = Sections
later-rounds = Tours suivants
rounds-before = Les tours avant le match { $match }
opens-anew = (s’ouvre dans une nouvelle fenêtre)
print-bracket = Imprimer
sheet-of = feuille { $number } sur { $of }
paper-loser = P{ $match }
match-slips = Fiches de match
no-slips = Aucun match n’est prêt.
slip-table = Table
slip-running = Score après chaque partie
slip-final = Final
slip-length = Match en { $points }
slip-clock-set = Pendule { $reserve } + { $delay } secondes par coup
slip-winner-to = Le vainqueur joue le match { $match }
slip-loser-to = Le perdant joue le match { $match }
slip-signed = Signature du vainqueur
slip-code = Ce match sur votre téléphone
entry-cards = Cartes des joueurs
no-entries = Pas encore d’inscrits.
entry-number = N° { $number }
entry-code = La page du joueur en code QR
entry-code-hint = Scannez-le pour voir votre prochain adversaire, votre table et votre parcours.
the-draw = Le tirage
draw-start = { $count ->
    [one] { $count } inscrit à tirer au sort
   *[other] { $count } inscrits à tirer au sort
}
draw-end = Le tirage est terminé.
draw-next = Suivant
draw-all = Tout
draw-again = Recommencer
draw-seeded = tête de série { $place }
draw-proof = Preuve du tirage
draw-proof-lead = Tout le tirage découle d’un seul nombre, la graine. Avec lui, n’importe qui peut le refaire.
draw-seed = Graine
draw-lots = Placés au sort après le tirage
draw-lot = { $name }, { $time } : match { $match }, une place sur { $among }, graine { $seed }
draw-command = Commande pour refaire le tirage
wall-matches = Qui joue où
wall-winners = Les vainqueurs
wall-players = Joueurs
wall-score = Score
wall-called = appelé
wall-quiet = Aucun match n’est appelé.
wall-lost = Pas à jour : connexion perdue
wall-code = Sur votre téléphone
draw-counted = La commande numérote d’abord les têtes de série, dans leur ordre, puis les autres par numéro d’inscription.
