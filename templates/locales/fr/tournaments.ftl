new-tournament = Nouveau tournoi
tournaments-open = À venir et en cours
tournaments-past = Terminés
all-tournaments = Tous les tournois
no-open-tournaments = Aucun tournoi annoncé.
is-today = aujourd’hui
won-by = Vainqueur
entries-count = { $count ->
    [one] { $count } inscrit
   *[other] { $count } inscrits
}
entries-here = { $count } sur place
matches-playing = { $count ->
    [one] { $count } match en cours
   *[other] { $count } matchs en cours
}
matches-left = { $count ->
    [one] { $count } match à jouer
   *[other] { $count } matchs à jouer
}
matches-more = { $count ->
    [one] et { $count } autre match
   *[other] et { $count } autres matchs
}
matches-waiting = { $count ->
    [one] { $count } match attend une table.
   *[other] { $count } matchs attendent une table.
}
all-played = tout est joué
not-drawn = pas encore tiré
is-over = terminé
is-cancelled = annulé
cancelled-because = Annulé : { $reason }
division-pages = Pages de la catégorie
page-bracket = Tableau
page-draw = Tirage
page-entries = Inscrits
column-place = Place
column-from = Club
column-seed = Tête de série
column-number = N°
column-status = Statut
column-prize = Prix
list-show = Afficher
list-all = Tous
list-here = Sur place
list-waiting = En attente
list-left = Sortis
list-nobody = Personne.
list-whole = Tout sur une page
page-places = Classement
no-divisions = Aucune catégorie n’est encore annoncée.
to-desk = Direction du tournoi
prizes = Prix
rules-sheet = Règlement
playing-now = En cours
latest-results = Derniers résultats
room-screen = L’écran de la salle
embed = Montrer le tableau sur un autre site
embed-short = Intégrer
embed-hint = Copiez ceci dans l’autre page. Elle montrera le tableau à jour, et rien d’autre du club.
embed-element = À copier
embed-link = Son adresse
paper-slips = Fiches de match
paper-cards = Cartes des joueurs
told-format-knock-out = Élimination directe
told-format-third-place = avec match pour la troisième place
told-format-first-losers = consolante pour qui perd son premier match
told-format-first-played = consolante pour qui perd son premier match joué
format-up-to = { $count ->
    [1] consolante pour les perdants du tour 1
   *[other] consolante pour les perdants des tours 1 à { $count }
}
told-format-progressive = consolante progressive
format-with-finalist = consolante pour tous les perdants
told-format-second-place = son vainqueur joue pour la deuxième place
format-single = double élimination à finale unique
format-double = double élimination
told-clock-optional = pendule si les deux le veulent
told-clock-preferred = pendule si l’un des deux le veut
told-clock-required = avec pendule
clock-set = { $reserve } par point + { $delay } s par coup
told-moves-legal = coups légaux
told-moves-responsible = coups responsables
plays-holland = règle Holland
is-rated = compte pour l’Elo
lengths-of = { $lengths }, finale en premier
fee-entry = Droits d’entrée
fee-registration = Frais d’organisation
fee-re-entry = Réinscription
money-pool = Cagnotte
money-kept = Part du club
entries = Inscrits
checked-in = sur place
standing-in = en jeu
standing-waiting = attend une place
standing-leaving = part après ce match
standing-withdrawn = retrait
standing-disqualified = disqualification
standing-entered-again = réinscription
entry-again = { $name } ({ $times })
places = Classement
still-plays = joue encore
no-places = Aucune place n’est encore attribuée.
prizes-given = Prix attribués
prizes-due = Prix
prize-winner = Vainqueur
prize-finalist = Finaliste
prize-semi-finalist = Demi-finaliste
prize-consolation-winner = Vainqueur de la consolante
prize-consolation-finalist = Finaliste de la consolante
prize-last-chance-winner = Vainqueur de la dernière chance
prizes-wait = Il faut d’abord jouer le match { $match }
match-long = Match en { $points }
match-won = a gagné
match-games = Les parties
match-ways = Matchs suivants
match-in-bracket = Dans le tableau
match-done = Terminé
match-empty = Personne ne le joue
match-waits = Attend ses joueurs
match-postponed = Plus tard
match-postponed-until = Pas avant { $when }
match-ready = Peut être appelé
match-ready-since = Prêt depuis
match-called-at = Appelé
match-began-at = Commencé
match-ended-at = Terminé
match-report = { $name } annonce { $score }.
next-at = À la table { $table }, maintenant
next-playing = Joue à la table { $table }
next-ready = Ensuite : attendre l’appel
next-waits = Ensuite, quand l’adversaire sera connu
idle-not-drawn = Le tirage au sort n’a pas encore eu lieu.
idle-starts = Début : { $when }. Le tirage au sort n’a pas encore eu lieu.
division-starts = début { $time }
idle-out = Plus de match ici.
way-nobody = Personne ici ne porte ce nom.
way-several = Plusieurs ici portent ce nom :
bracket-page = Tableau : { $event }
draws = Tirages
draw-nth = Tirage { $number }
draw-last-chance = Dernière chance { $number }
draw-reason = Tirage refait : { $reason }
draw-by-hand = Le directeur a fait ce tirage à la main.
report-title = Quel est le résultat ?
report-won = J’ai gagné
report-lost = J’ai perdu
report-confirm = Confirmer { $score }
report-other-score = Un autre score
report-score = { $mine }–{ $theirs }
report-you-said = Vous avez annoncé { $score }.
report-other-said = { $name } a annoncé { $score }.
report-take-back = Retirer mon annonce
report-how = Touchez le score. Dès que vous annoncez tous deux le même, c’est le résultat ; d’ici là, vous pouvez changer le vôtre.
to-cash-desk = La caisse
my-matches = Mes matchs
next-put-off = Ensuite : reporté, jusqu’à nouvel ordre du directeur
next-put-off-until = Ensuite : reporté jusqu’à { $time }
report-differ = Vos annonces diffèrent : voyez avec le directeur.
report-by-card = Vous jouez ce match ? Scannez le code de votre carte, ou connectez-vous, pour annoncer le résultat.
way-not-played = pas joué
way-place = Place { $place } sur { $of }
