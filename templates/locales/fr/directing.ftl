desk = Direction du tournoi
desk-places = Pages de la direction
desk-now = Maintenant
desk-entries = Inscrits
desk-set-up = Réglages
desk-room = Salle
desk-money = Caisse
desk-moved = Le tournoi a changé entre-temps. Envoyer quand même ?
desk-nobody-came = Ni { $one } ni { $other } n’est là
desk-beats = { $winner } bat { $loser }
desk-concedes = { $loser } abandonne, { $winner } gagne
desk-walks-over = { $winner } gagne, { $loser } n’est pas là
desk-walks-over-leaves = { $winner } gagne, { $loser } n’est pas là et se retire
desk-walks-over-goes-on = { $winner } gagne, { $loser } n’est pas là mais continue
desk-forfeits = { $winner } gagne, { $loser } perd par forfait
desk-disqualified = { $winner } gagne, { $loser } : disqualification
desk-has-left = { $winner } gagne, { $loser } se retire
desk-has-bye = { $winner } avance sans jouer
desk-did-call-several = { $count } matchs appelés
desk-did-open = ouverture
desk-did-about = informations modifiées
desk-did-directors = directeurs modifiés
desk-did-division-added = catégorie { $name } ajoutée
desk-did-division-changed = réglages modifiés ({ $name })
desk-did-tables = tables modifiées
desk-did-enter = { $name } s’inscrit
desk-did-enter-several = { $count } joueurs s’inscrivent
desk-did-check-in = { $name } est là
desk-did-check-out = { $name } n’est pas là
desk-did-check-in-several = { $count } joueurs sont là
desk-did-check-out-several = { $count } joueurs ne sont pas là
desk-did-seed = têtes de série modifiées
desk-did-pools = cagnottes annexes ({ $name })
desk-did-draw = le tirage
desk-did-last-chance = tirage d’une dernière chance
desk-did-seat = { $name } obtient une place
desk-did-seat-by-lot = { $name } obtient une place au sort
desk-did-exchange = deux places échangées
desk-did-leave-after = { $name } se retire après le match
desk-did-withdraw = { $name } se retire
desk-did-disqualify = disqualification ({ $name })
desk-did-re-enter = { $name } se réinscrit
desk-did-reinstate = { $name } revient
desk-did-report = résultat annoncé ({ $names })
desk-did-correct = correction ({ $names })
desk-did-call = appel à la table { $table } ({ $names })
desk-did-uncall = appel annulé ({ $names })
desk-did-begin = match commencé ({ $names })
desk-did-postpone = match reporté ({ $names })
desk-did-resume = de nouveau à appeler ({ $names })
desk-did-sheet = feuille de match ({ $names })
desk-did-pay-in = { $name } a payé { $amount }
desk-did-arrive = { $paid } et est là
desk-did-pay-out = { $name } a reçu { $amount }
desk-did-book = écriture de { $amount }
desk-did-award = attribution des prix
desk-did-close = fin du tournoi
desk-did-reopen = réouverture
desk-did-cancel = annulation
desk-waits = attend depuis { $minutes } min
desk-call-to = Appeler à la table { $table }
desk-plays = en jeu depuis { $minutes } min, prévu { $planned } environ
desk-plays-late = en jeu depuis { $minutes } min au lieu de { $planned }
desk-called = appelé il y a { $minutes } min
desk-begin = Match commencé
desk-confirm = Confirmer : { $what } (selon { $who })
desk-differ = Les deux annonces diffèrent.
desk-one-said = Un joueur a annoncé le résultat.
desk-postponed = reporté
desk-postponed-until = reporté jusqu’à { $time }
desk-resume = De nouveau à appeler
desk-next-over = Le tournoi est terminé.
desk-next-cancelled = Le tournoi a été annulé.
desk-next-division = D’abord : comment se joue-t-il ?
desk-add-division = Ajouter une catégorie
desk-next-reported = { $count ->
    [one] { $count } résultat à confirmer
   *[other] { $count } résultats à confirmer
}
desk-next-award = Tous les matchs sont joués. Attribuez les prix.
desk-next-all-played = Tous les matchs sont joués.
desk-next-nothing = Rien à faire pour l’instant.
desk-next-playing = { $count ->
    [one] { $count } match en cours
   *[other] { $count } matchs en cours
}
desk-next-enter = Qui joue ?
desk-next-enter-in = { $name } : qui joue ?
desk-next-draw = On tire au sort ?
desk-next-draw-in = { $name } : on tire au sort ?
desk-next-draw-about = Joueurs sur place : { $here } sur { $all }.
desk-add-players = Ajouter des joueurs
desk-to-draw = Aller au tirage
desk-next-ready = { $count ->
    [one] { $count } match prêt
   *[other] { $count } matchs prêts
}
desk-set-tables = Quelles tables avez-vous ?
desk-no-tables = Aucune table n’est encore indiquée. Les résultats peuvent être saisis sans elles.
desk-no-free-table = Aucune table n’est libre.
desk-touched-playing = En cours, à la table { $table }.
desk-touched-called = Appelé à la table { $table }.
desk-touched-sheet = En cours sur sa feuille de match.
desk-call-next = { $count ->
    [one] Appeler le match suivant à la table libre
   *[other] Appeler les { $count } matchs suivants aux tables libres
}
desk-free-tables = { $count ->
    [one] { $count } table libre.
   *[other] { $count } tables libres.
}
desk-waiting-entries = { $count ->
    [one] { $count } retardataire attend une place
   *[other] { $count } retardataires attendent une place
}
desk-not-here = { $count ->
    [one] { $count } joueur pas encore vu
   *[other] { $count } joueurs pas encore vus
}
desk-owe = { $count ->
    [one] { $count } joueur doit encore payer
   *[other] { $count } joueurs doivent encore payer
}
desk-close = Clore le tournoi
desk-closing = Avant de clore
desk-closing-waiting = N’ont jamais eu de place
desk-closing-keep = Leurs droits leur sont rendus. Cochez ceux dont les droits sont gardés, et dites pourquoi.
desk-closing-waited = { $name } : { $amount }
desk-closing-reason = Pourquoi ils sont gardés
desk-closing-not-given = { $division } : { $amount } de prix n’ont pas été attribués.
desk-closing-given-too-much = { $division } : { $amount } ont été attribués en trop.
desk-gives-up-last-chance = { $name } a de nouveau un match à jouer et quitte la dernière chance.
desk-reopen = Rouvrir le tournoi
desk-cancel-title = Annuler le tournoi
desk-cancel-then = Ensuite, rien ne peut plus être saisi ni appelé. On peut revenir en arrière.
desk-cancel-back = Les droits et les mises, { $amount }, sont recrédités aux joueurs.
desk-cancel-owed = { $amount } est alors à rendre à ceux qui ont payé ; la page de la caisse dit à qui.
desk-cancel-stays = { $name } : les prix remis restent acquis.
desk-cancel-reason = Pourquoi ? Tout le monde peut le lire.
desk-owed-back = { $count ->
    [one] Un joueur doit être remboursé.
   *[other] { $count } joueurs doivent être remboursés.
}
desk-reported = Annoncés par les joueurs
desk-ready = À appeler
desk-ready-none = Aucun match n’attend.
desk-playing = En cours
desk-playing-none = Aucun match en cours.
desk-put-off = Reportés
desk-shown-of = { $first }–{ $last } sur { $all }
desk-pages = Pages de la liste
desk-previous = Précédents
desk-next = Suivants
desk-more = { $count ->
    [one] et { $count } autre
   *[other] et { $count } autres
}
desk-result = Résultat
desk-correct = Corriger le résultat…
desk-call = Appeler
desk-table = Table { $table }
desk-taken = occupée
desk-reserved = réservée
desk-postpone = Reporter
desk-uncall = Annuler l’appel
desk-player = { $name }…
desk-wins = { $name } gagne
desk-lost-points = Points du perdant
desk-otherwise = Pas joué jusqu’au bout…
desk-points-then = Score à ce moment, si le match avait commencé
desk-until = Jusqu’à quand
desk-until-resumed = jusqu’à nouvel ordre
desk-for-minutes = pour { $minutes } minutes
desk-no-result = Pas de résultat, finalement
desk-later-stands = Les résultats suivants restent valables
desk-later-stands-about = Le joueur désormais à cette place reprend tous les résultats suivants.
desk-later-void = Les résultats suivants sont annulés
desk-later-void-about = Les joueurs dont l’adversaire a changé rejouent.
desk-takes-place = { $new } remplace { $old }
desk-comes-in = { $name } entre
desk-goes-out = { $name } sort ; la place est libre
desk-result-stands = Le résultat reste : { $what }
desk-result-changes = { $old } devient : { $new }
desk-result-void = Annulé, à rejouer : { $what }
desk-result-found = Résultat : { $what }
desk-touches-nothing = Aucun match n’est concerné.
desk-touches = { $count ->
    [one] { $count } match concerné
   *[other] { $count } matchs concernés
}
desk-correct-title = Quel est le bon résultat ?
desk-stands-now = pour l’instant : { $what }
desk-right-is = Bon résultat :
desk-choose-another = En choisir un autre
desk-later = Et les matchs joués depuis ?
desk-what-it-does = Ce que cela change
desk-show = Afficher
desk-show-all = Tous
desk-show-missing = Pas encore vus
desk-show-here = Présents
desk-show-owing = Doivent encore
desk-show-paid = À jour
desk-show-waiting = En attente
desk-show-out = Sortis
desk-enter = Inscrire
desk-enter-name = Nom
desk-enter-many = Plusieurs à la fois
desk-enter-many-hint = Un nom par ligne. Les noms inconnus sont ajoutés comme invités.
desk-pasted-title = D’abord regarder la liste
desk-pasted-hint = Personne n’est encore inscrit.
desk-pasted-kept = Les nouveaux joueurs gardent leur club et leur pays, pas leur Elo.
desk-pasted-line = Ligne
desk-pasted-who = Qui c’est
desk-pasted-otherwise = Lire autrement
desk-pasted-column = Colonne { $column }
desk-pasted-again = Regarder encore
desk-pasted-no-name = Aucun nom n’est lisible ici. Cette ligne est laissée de côté.
desk-pasted-twice = Comme à la ligne { $line }
desk-pasted-there = { $name } est déjà inscrit
desk-pasted-same = La même personne que { $name }, ligne { $line }
desk-column-name = Nom
desk-column-first-name = Prénom
desk-column-last-name = Nom de famille
desk-column-club = Club
desk-column-country = Pays
desk-column-rating = Elo
desk-column-nothing = Non utilisé
desk-here-of = Sur place : { $here } sur { $all }
desk-find = Trouver un joueur
desk-entry-more = Plus pour { $name }
desk-check-in = { $name } est là
desk-check-out = { $name } n’est finalement pas là
desk-check-in-all = { $count ->
    [one] Pointer cet inscrit
   *[other] Pointer les { $count } inscrits
}
desk-here = là
desk-is-here = Est là
desk-nobody-found = Personne.
desk-divisions = Catégories
desk-is-waiting = attend une place
desk-is-leaving = part après ce match
desk-is-withdrawn = retrait
desk-is-disqualified = disqualification
desk-is-again = réinscription
desk-seed = Enregistrer les têtes de série
desk-seeds = Têtes de série…
desk-seeds-hint = Un nom par ligne, la première tête de série en haut. Laissez vide s’il n’y en a pas.
desk-owes = doit { $amount }
desk-sum-due = Dû
desk-sum-open = Reste
desk-pays = Payé { $amount }
desk-pays-and-comes = Payé { $amount } et présent
desk-is-owed = doit recevoir { $amount }
desk-reinstate = { $name } revient
desk-re-enter = { $name } se réinscrit
desk-join-pools = Enregistrer
desk-pools = Cagnottes annexes
desk-seat = Placer ici
desk-seat-title = Donner une place à la main
desk-seat-by-lot = Placer { $name } au sort
desk-seat-all-by-lot = { $count ->
    [one] Placer au sort
   *[other] En placer { $count } au sort
}
desk-place-against = Match { $match }, contre { $name }
desk-leaves = Quitter le tournoi
desk-leave-now = { $name } se retire maintenant
desk-leave-after = { $name } se retire après le match
desk-disqualify = { $name } : disqualification
desk-draw = Tirer au sort
desk-draw-again = Refaire le tirage
desk-draw-by-hand = Tirage à la main
desk-draw-reason = Pourquoi refaire le tirage ?
desk-only-here = { $count ->
    [one] Seulement l’inscrit sur place
   *[other] Seulement les { $count } sur place ; les autres attendent
}
desk-is-drawn = Le tirage est fait.
desk-look-at-draw = Le tirage, pas à pas
desk-too-late-to-draw = Un match a commencé : plus de nouveau tirage possible. Les places peuvent encore être échangées à la main.
desk-slot = Place { $slot }
desk-hand-hint = Écrivez chaque nom à côté du numéro tiré. Une place vide est un exempt ; le mot « { $open } » la garde pour un retardataire.
desk-hand-open = libre
desk-hand-whom = Qui tirer au sort ?
desk-hand-left = À placer
desk-hand-all = { $count ->
    [one] La personne inscrite
   *[other] Les { $count } inscrits
}
desk-hand-nobody = Personne de ce nom n’est à tirer
desk-hand-several = Plusieurs portent ce nom
desk-hand-twice = Occupe déjà la place { $slot }
desk-hand-empty = Les deux places de ce match sont vides
desk-hand-missing = Encore sans place : { $names }
desk-exchange = Échanger deux places
desk-exchange-one = Cette place
desk-exchange-other = avec celle-ci
desk-draw-last-chance = Tirer une dernière chance
desk-last-chance-who = Qui y joue ?
desk-last-chance-lost = Éliminés sans prix
desk-last-chance-others = Peuvent jouer aussi
desk-last-chance-prizes = Une dernière chance a son propre prix, les autres changent donc :
desk-chosen = Choisis
desk-save-tables = Enregistrer les tables
desk-tables-open = Tables ouvertes
desk-tables-reserved = Réservées
desk-tables-closed = Fermées
desk-tables-hint = Numéros et plages : 1-12, 15. Une table réservée ne s’attribue qu’à la main.
desk-closed-table = fermée
desk-free = libre
desk-crowded = Deux matchs à la même table
desk-times = Prévu et réel, en minutes
desk-round = Tour
desk-played = Joués
desk-round-minutes = Tour
desk-match-minutes = Match
desk-times-hint = Réel / prévu. On prévoit 8 minutes par point pour un match et 11 pour un tour entier. Les temps réels supposent de toucher « Match commencé ».
desk-nobody-owes = Personne ne doit rien.
desk-still-owed = Reste à payer : { $amount }
desk-pay-in = { $name } a payé { $amount }
desk-pay-out = { $name } a reçu { $amount }
desk-other-amount = Autre montant…
desk-paid-in = A payé
desk-paid-out = A reçu
desk-who = Qui
desk-amount-in = Montant en { $currency }
desk-prizes = Prix
desk-pool = Cagnotte
desk-kept = Part du club
desk-due = Dû
desk-given = Attribué
desk-why = D’où viennent les prix
desk-why-prize = Prix
desk-why-share = Part
desk-why-divided = À partager
desk-why-rounding = Les prix sont des multiples entiers de { $unit } ; le premier reçoit ce que l’arrondi laisse.
desk-all-given = Tous les prix dus sont attribués.
desk-award = Attribuer les prix dus
desk-award-otherwise = Les attribuer autrement
desk-add-money = Apport du club
desk-still-played = Encore à jouer : { $names }
choose-format-own = Comme actuellement
choose-format-knock-out = Élimination directe
choose-format-third-place = Élimination directe, avec match pour la troisième place
choose-format-first-losers = Consolante pour qui perd son premier match
choose-format-first-played = Consolante pour qui perd son premier match joué
choose-format-progressive = Consolante progressive
choose-format-second-place = Progressive, son vainqueur joue pour la deuxième place
choose-format-double-elimination = Double élimination, seconde finale si nécessaire
choose-format-single-final = Double élimination, finale unique
payout-own = Comme actuellement
payout-typed = Selon vos propres pourcentages
payout-usual = Habituelle pour ce nombre d’inscrits
payout-winner = Tout au vainqueur
payout-small = 50 / 25, consolante 25
payout-knock-out = 50 / 25 / 12½ / 12½
payout-four = 40 / 25, consolante 25 / 10
payout-twelfths = Douzièmes : 4 2 2 1 1 1 1
payout-typed-legend = Vos pourcentages
payout-typed-hint = Le total fait 100 ; un prix pour deux compte double. Un tableau qui ne se joue pas n’a pas de prix ; les autres gardent leurs proportions.
prize-each = { $prize }, chacun des deux
prizes-no-percentage = Ce n’est pas un pourcentage : de 0 à 100, une décimale au plus.
prizes-add-up-to = Les pourcentages font { $sum } au total, et non 100.
prizes-come-to = Montant des prix
prizes-of-pool = Sur les { $amount } à répartir pour l’instant :
prizes-of-example = La cagnotte est vide. Sur { $amount }, ce serait :
prizes-look = Voir les montants
choose-clock-optional = Si les deux joueurs le veulent
choose-clock-preferred = Si l’un des deux joueurs le veut
choose-clock-required = Toujours
choose-moves-legal = Coups légaux : quiconque voit un coup illégal le fait corriger
choose-moves-responsible = Coups responsables : l’adversaire peut laisser passer un coup illégal
apart-nobody = Personne
apart-club = Les joueurs d’un même club
apart-country = Les joueurs d’un même pays
about-new = Nouveau tournoi
about-change = Informations du tournoi
about-name = Nom
about-date = Date
about-starts = Début
about-place = Lieu
about-open = Ouvrir le tournoi
about-copy = Copier ce tournoi…
about-copied = Comme { $name }, sans les inscriptions ni l’argent.
about-copied-gets = Il reprend : { $what }.
about-copied-tables = { $count ->
    [one] une table
   *[other] { $count } tables
}
about-save = Enregistrer
about-more = Inscriptions, prix, règlement…
about-currency = Droits et prix en
about-no-money = Sans argent
about-entries-open = Les joueurs s’inscrivent eux-mêmes du
about-entries-close = au
about-entries-hint = Sans début, seul le directeur inscrit les joueurs. Sans fin, jusqu’au tirage.
about-prizes = Ce qu’on peut gagner
about-rules = Règlement
about-public = Visible par tous, sans connexion
about-directors = Autres directeurs
desk-cancel = Retour
division-title = Catégorie
division-change = Comment se joue { $name }
division-how = Comment elle se joue
division-format = Formule
division-starts-at = Début (si différent du tournoi)
division-drawn = Le tirage est fait : la formule ne change plus.
division-lengths = Longueur des matchs, la finale en premier
division-lengths-hint = 11 9 7 : la finale en 11, les demi-finales en 9, tous les tours précédents en 7.
division-consolation-lengths = Dans la consolante
division-last-chance-lengths = Dans une dernière chance
division-rules = Pendule et règles
division-clock = Pendules
division-reserve = Réserve, en secondes par point
division-delay = Délai, en secondes par coup
division-moves = Coups
division-apart = Séparer au tirage
division-rated = Les matchs comptent pour l’Elo
division-holland = Règle Holland : après la partie de Crawford, pas de double avant le troisième tour
division-re-entries = Réinscriptions permises par joueur
division-money = Argent, en { $currency }
division-entry-fee = Droits d’entrée, pour la cagnotte
division-registration = Frais d’organisation, pour le club
division-re-entry = Réinscription, pour la cagnotte
division-payout = Répartition
division-kept = Part du club, en pour cent
division-side-pools = Cagnottes annexes
division-side-pools-hint = Une par ligne : le nom, puis la mise.
division-no-money = Pour avoir des droits et des prix, donnez d’abord une devise au tournoi.
enter-title = Inscription
enter-me = M’inscrire
enter-is-in = Votre inscription est faite, avec le numéro { $number }.
enter-closed = Les joueurs ne peuvent pas s’inscrire eux-mêmes en ce moment.
enter-no-player = Votre accès n’est lié à aucun joueur : demandez au directeur.
enter-until = jusqu’au { $time }
enter-entered = { $count ->
    [one] { $count } inscrit
   *[other] { $count } inscrits
}
enter-free = sans droits d’entrée
enter-costs = { $amount }
desk-open-sheet = Marquer partie par partie
desk-next-differ = { $count ->
    [one] Deux joueurs annoncent des résultats différents
   *[other] Dans { $count } matchs, les annonces diffèrent
}
desk-next-differ-about = Interrogez-les, puis confirmez le bon résultat.
desk-prizes-differ = Les prix attribués ne sont plus ceux qui sont dus : attribuez la différence
desk-see-all = Afficher tous les matchs
desk-find-match = Trouver un joueur ou une table
desk-matches = Matchs
desk-move = Déplacer à cette table
desk-re-enter-waits = { $name } se réinscrit et attend : aucune place n’est libre
desk-cash = Espèces
desk-cash-in = Encaissé
desk-cash-out = Versé
desk-cash-box = Doit être en caisse
desk-sum-is = Le total doit faire { $amount }.
desk-no-fees = Droits d’entrée non fixés
choose-format-up-to-2 = Consolante pour qui perd aux deux premiers tours
desk-told-entered = { $count ->
    [one] { $count } inscrit
   *[other] { $count } inscrits
}
desk-told-guests = { $count ->
    [one] { $count } nouvel invité
   *[other] { $count } nouveaux invités
}
desk-told-there = { $count ->
    [one] { $count } était déjà inscrit
   *[other] { $count } étaient déjà inscrits
}
