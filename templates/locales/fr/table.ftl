bell = Son à mon tour
live-on = en direct
live-again = reconnexion
live-lost = hors ligne
live-kept = Pas encore envoyé, pas de réseau :
live-moved = La table a changé entre-temps. Envoyer quand même ?
live-send = Envoyer
live-discard = Ne pas envoyer
live-leave = Quitter, l’envoi suivra
live-ask = Quelqu’un a agi entre-temps. Envoyer quand même ?
live-does = Voici ce que cela ferait maintenant :
live-impossible = Ce n’est plus possible :
live-look = Voir
live-refused = Non effectué :
live-done = OK
live-failed = Échec. Réessayez.
the-box = Le box
    .box = { $Box }
role-box = Box
    .box = { $Box }
role-captain = Capitaine
    .captain = { $Captain }
role-acting-captain = Capitaine suppléant
    .captain = { $Captain } (suppléant)
role-dropped-captain = Capitaine, a passé
    .captain = { $Captain }, a passé
role-crew = Équipier
    .crew = { $Crew }
role-onlooker = Spectateur
role-waiting = Joue dès la prochaine partie
you = vous
cube-at = Videau à { $value },
cube-centred = au centre
cube-to-box = ▸ box
    .box = ▸ { $Box }
cube-to = ▸ { $name }
cube-offered-by-box = le box double
    .box = { $Box } double
cube-offered-by = { $name } double
cube-dropped = a passé
cube-box-dropped = le box a passé
    .box = { $Box } a passé
points-tonight = Points ce soir :
the-line = La file
next-up = Ensuite
roll-for-order = Lancez les dés pour l’ordre
roll-again = Égalité : relancez
dice-rolled = Nous avons lancé à la table
enter-dice = Saisir les dés
what-may-be-done = Actions possibles
what-is-likeliest = Le plus probable
game-over = Fin de partie
undo-what = Annuler : { $what }
undo-nothing = Rien à annuler
redo-what = Rétablir : { $what }
redo-all = { $count ->
    [one] Rétablir { $count } action
   *[other] Rétablir les { $count } actions
}
not-in-this-game = En attente
somebody-joins = Quelqu’un arrive…
club-player = Joueur
choose = Choisir…
or-new-guest = ou un nouvel invité
join = Ajouter
standings = Classement de la soirée
standings-of = Classement du { $day }
money = Argent
left = n’est plus là
the-log = Journal
log-before = Avant la première partie
taken-back = annulé
take-back-to-here = Annuler jusqu’ici…
take-back-to = Annuler jusqu’ici : { $what }
take-back-title = Annuler jusqu’ici ?
take-back-hint = Rien n’est effacé : tout reste dans le journal et peut être rétabli tant qu’il ne se passe rien d’autre.
take-back-also = Annulé aussi à la table « { $name } ».
take-back-acts = { $count ->
    [one] Annuler cette action
   *[other] Annuler ces { $count } actions
}
take-back-no-change = Aucun score ne change.
change = Écart
leave-as-it-is = Ne rien changer
now-gathering = Qui joue ?
now-roll = Qui commence ?
now-between = { $box } au box, { $captain } capitaine
    .seats = { $box } ({ $Box }), { $captain } ({ $Captain })
now-playing = { $box } contre l’équipe, { $captain } lance les dés
now-playing-alone = { $box } contre l’équipe, mais aucun équipier encore en jeu n’est à la table
decides-for = { $proxy } pour { $name }
now-answer = { $who } double : à { $whom } de répondre
now-answer-team = Le box double : à l’équipe de répondre
    .box = { $Box } double : à l’équipe de répondre
now-answer-several = { $who } doublent : à { $whom } de répondre
now-closed = La soirée est finie à cette table
say-opened = La table est ouverte
say-joins = { $name } rejoint la table
say-leaves = { $name } quitte la table
say-returns = { $name } revient
say-draws-order = Tirer l’ordre aux dés
say-rolled = Dés : { $rolls }
say-order = Ordre : { $names }
say-takers-move-up = Ceux qui ont pris avancent : { $names }
say-game-starts = La partie { $game } commence
say-doubles-everybody = { $who } double tout le monde à { $to }
say-doubles-whom = { $who } double { $whom } à { $to }
say-redoubles-whom = { $who } redouble { $whom } à { $to }
say-doubles = { $who } double à { $to }
say-redoubles = { $who } redouble à { $to }
say-takes = { $who } prend à { $to }
say-drops = { $who } passe, perd { $loses }
say-all-settled = Tous les paris sont réglés
say-box-wins-single = Le box gagne une partie simple
    .box = { $Box } gagne une partie simple
say-box-wins-gammon = Le box gagne un gammon
    .box = { $Box } gagne un gammon
say-box-wins-backgammon = Le box gagne un backgammon
    .box = { $Box } gagne un backgammon
say-team-wins-single = L’équipe gagne une partie simple
say-team-wins-gammon = L’équipe gagne un gammon
say-team-wins-backgammon = L’équipe gagne un backgammon
say-seats = { $box } au box, { $captain } capitaine
    .seats = { $box } ({ $Box }), { $captain } ({ $Captain })
say-closes = Clore la soirée
say-closed = La soirée est close
close-hint = Personne ne pourra alors plus rien saisir ici. « Annuler » rouvre la soirée.
say-undone = Annulé : { $what }
say-redone = Rétabli : { $what }
say-undone-several = { $count ->
    [one] { $count } action annulée
   *[other] { $count } actions annulées d’un coup
}
say-redone-several = { $count ->
    [one] { $count } action rétablie
   *[other] { $count } actions rétablies d’un coup
}
say-as-far-as = Jusqu’à : { $what }
kind-single = Simple
kind-gammon = Gammon
kind-backgammon = Backgammon
finish-title = Comment s’est terminée la partie { $game } ?
finish-hint = Choisissez le résultat. Vous verrez tous les scores avant d’enregistrer quoi que ce soit.
box-wins = Le box gagne
    .box = { $Box } gagne
team-wins = L’équipe gagne
this-game = Partie
night-after = Soirée
then = Ensuite
box-is = { $name } au box
    .box = { $name } ({ $Box })
captain-is = { $name } capitaine
    .captain = { $name } ({ $Captain })
plays-for-team = { $name } joue pour l’équipe
record = Enregistrer : { $what }
record-alone = Enregistrer
record-next = Enregistrer, partie suivante
not-over-yet = Pas encore finie
everybody-drops-title = Tout le monde passe ?
everybody-drops-hidden = Le résultat s’affiche dès que tout le monde a répondu.
game-over-then = La partie est finie. Ensuite
not-everybody = Pas tout le monde
box-doubles = Le box double…
    .box = { $Box } double…
box-doubles-some = Le box ne double que certains joueurs…
    .box = { $Box } ne double que certains joueurs…
box-doubles-these = Le box double les joueurs choisis
    .box = { $Box } double les joueurs choisis
steps = Annuler et fin de partie
role-gathered = À la table
the-team = L’équipe
role-partner = Partenaire du box
    .box = Partenaire ({ $Box })
role-resting = En pause
role-gone = N’est plus là
role-away = N’est plus là
could-lose = risque { $points }
above-limit = limite atteinte
mark-answered = a répondu
mark-due = doit répondre
mark-offers-extra = offre un extra
mark-proxy = { $name } décide
mark-follows = suit le capitaine
    .captain = suit { $Captain }
mark-consult = peut conseiller
extra-against = Extra, avec { $name }
with-extra = avec extra
cube-beavered-by = { $animal ->
    [beaver] { $name } : beaver
    [raccoon] { $name } : raccoon
    [otter] { $name } : otter
   *[more] { $name } redouble
 }
cube-dropped-by = { $name } a passé
cube-agreed = accord
fact-late = On ne double plus pendant ce tour
fact-automatics = { $count ->
    [one] 1 double automatique
   *[other] { $count } doubles automatiques
 }
fact-carried = { $count ->
    [one] 1 double automatique reporté
   *[other] { $count } doubles automatiques reportés
 }
more-acts = Plus…
to-settle = Accord…
to-order = Saisir l’ordre…
to-stakes = Enjeux…
to-starts = Départ des videaux…
to-split = Diviser la table…
to-merge = Passer à une autre table…
to-players = Joueur saisi deux fois…
to-rules = Règles maison…
to-other-game = Un autre jeu…
say-game-of = { $said } : { $variant }
variant-standard = Backgammon
variant-nackgammon = Nackgammon
variant-hyper-backgammon = Hyper-backgammon
variant-misere = qui perd gagne
variant-inverse = jeu inversé
variant-plakoto = Plakoto
variant-fevga = Fevga
to-correct = Corriger une partie…
to-settle-up = Qui paie qui…
to-proxy = Qui décide pour { $name }
now-too-few = Il faut être au moins { $count } pour une partie
now-split-due = Plus de { $most } : divisez la table avant la prochaine partie
now-partner-due = Il faut un partenaire au box
    .box = Il faut un partenaire ({ $Box })
now-asked-for-partner = { $name } : partenaire du box ?
    .box = { $name } : partenaire ({ $Box }) ?
now-tie-waits = Égalité. { $name } : double automatique ?
now-due-first = { $name } répond en premier : prend ou passe ?
now-due = { $name } répond : prend ou passe ?
now-at-once = Réponses secrètes, toutes à la fois : on attend { $names }
now-beavered = { $animal ->
    [beaver] Beaver à { $to } : à { $whom } de répondre
    [raccoon] Raccoon à { $to } : à { $whom } de répondre
    [otter] Otter à { $to } : à { $whom } de répondre
   *[more] Redoublé aussitôt à { $to } : à { $whom } de répondre
 }
now-asked-for-extra = { $name } : un extra contre { $taker } ?
now-must-beaver = Tous les autres passent. { $name } : beaver ou passe ?
now-extras-offered = Tous les autres passent. { $name } prend les extras offerts par { $from }, ou passe ?
yours-answer-first = À vous de répondre : vous prenez ou vous passez ?
yours-answer = Vous prenez ou vous passez ?
yours-answered = Vous avez répondu
yours-hidden = Votre réponse reste cachée jusqu’à ce que tout le monde ait répondu.
yours-change = Votre réponse : { $what }. Vous pouvez la changer jusqu’à ce que tout le monde ait répondu.
yours-extra = Un extra contre { $taker } ?
yours-beaver-or-drop = Tous les autres passent : beaver, ou vous passez ?
yours-must-drop = Tous les autres passent : vous devez passer aussi
yours-extras = Prendre les extras offerts par { $from }, ou passer ?
yours-alone = Tous les autres ont passé.
yours-partnership = Voulez-vous être partenaire du box ?
    .box = Voulez-vous être partenaire ({ $Box }) ?
yours-for = Vous décidez pour { $name }.
yours-tie = Égalité : voulez-vous le double automatique ?
answer-take = je prends
answer-drop = je passe
answer-beaver = beaver
say-rules-changed = Les règles maison changent
say-rules-changed-these = Règles maison modifiées : { $settings }
say-takes-break = { $name } fait une pause
say-decides = { $proxy } décide pour { $name }
say-decides-alone-again = { $name } reprend ses décisions
say-follows-captain = { $name } suit le videau du capitaine
say-merged = Doublon : { $duplicate } est en fait { $name }
say-stake = { $name } joue { $units } fois l’enjeu
say-start = { $name } : videau de départ à { $value }
say-split = { $names } vont former une autre table
say-goes-over = Tout le monde passe à une autre table
say-partnership = Partenaire du box ? Dans l’ordre : { $names }
    .box = Partenaire ({ $Box }) ? Dans l’ordre : { $names }
say-declines-partnership = { $name } ne veut pas être partenaire
say-partner = { $name } est partenaire du box
    .box = { $name } est partenaire ({ $Box })
say-partner-drawn = { $name } est partenaire du box, par tirage au sort
    .box = { $name } est partenaire ({ $Box }), par tirage au sort
say-partners = Partenaire du box : { $names }
    .box = Partenaire ({ $Box }) : { $names }
say-declines-box = { $name } refuse le box
    .box = { $name } refuse ({ $Box })
say-game-starts-on-board = La partie { $game } commence, sur le plateau
say-tie-doubles = Égalité au premier jet : videaux à { $to }
say-tie-declined = Égalité au premier jet : le box refuse le double
    .box = Égalité au premier jet : { $Box } refuse le double
say-tie-nothing = Égalité au premier jet : les videaux restent
say-tie-carried = Égalité au premier jet : la prochaine partie sera doublée
say-doubles-for-team = { $who } double à { $to } pour l’équipe
say-redoubles-for-team = { $who } redouble à { $to } pour l’équipe
say-beavers = { $animal ->
    [beaver] { $who } fait un beaver à { $to }
    [raccoon] { $who } fait un raccoon à { $to }
    [otter] { $who } fait un otter à { $to }
   *[more] { $who } redouble aussitôt à { $to }
 }
say-beavers-whom = { $animal ->
    [beaver] { $who } fait un beaver à { $to } contre { $whom }
    [raccoon] { $who } fait un raccoon à { $to } contre { $whom }
    [otter] { $who } fait un otter à { $to } contre { $whom }
   *[more] { $who } redouble aussitôt à { $to } contre { $whom }
 }
say-answered = { $name } a répondu
say-takes-from = { $who } prend à { $to } contre { $from }
say-drops-to = { $who } passe contre { $from }, perd { $loses }
say-everybody-takes = Tout le monde prend
say-everybody-drops = Tout le monde passe
say-everybody-doubles = Tout le monde double le box
    .box = Tout le monde double { $Box }
say-they-double = { $who } doublent
say-they-take = { $who } prennent
say-they-drop = { $who } passent
say-plays-on = Les dés sont lancés
say-alone-must-drop = Tous les autres passent : { $name } doit passer aussi
say-alone-must-beaver = Tous les autres passent : beaver ou passe pour { $name }
say-alone-extras = Tous les autres passent, { $name } prend. Extras demandés à : { $asked }
say-offers-extra = { $name } offre un extra
say-passes-extra = { $name } n’offre pas d’extra
say-extras = Extra pour { $taker }, par { $from } : videau à { $to }, payé { $pays }
say-takes-extras = { $taker } prend à { $to } les extras offerts par { $from }, payé { $pays }
say-settles = { $payer } cède { $points } à { $payee }
say-drops-alone = { $who } passe
say-drops-to-alone = { $who } passe contre { $from }
say-extras-alone = Extra pour { $taker }, par { $from } : videau à { $to }
say-takes-extras-alone = { $taker } prend à { $to } les extras offerts par { $from }
say-settles-alone = { $one } et { $other } règlent leur pari à l’amiable
say-corrected-alone = Partie { $game } corrigée
say-share = Part pour { $name } : { $share }
say-corrected = Partie { $game } corrigée : { $changes }
say-pays = { $payer } paie { $amount } à { $payee }
say-board-tied = Premier jet : { $die } partout
say-board-opens = { $who } commence avec { $roll }
say-board-cocked = { $who } : dés cassés
say-board-rolls = { $who } fait { $roll }
say-board-rolls-early = { $who } lance trop tôt et fait { $roll }
say-board-plays = { $who } joue { $roll }
say-board-passes = { $who } ne peut pas jouer
say-board-leaves = { $who } lève les dés après un coup illégal
say-board-accepts-play = { $who } accepte le coup
say-board-sends-back = { $who } fait rejouer le coup
say-board-resigns = { $who } abandonne : { $kind }
say-board-accepts = { $who } accepte l’abandon
say-board-rejects = { $who } refuse l’abandon
say-board-doubles = { $who } double à { $to }
say-board-beavers = { $who } fait un beaver à { $to }
say-board-takes = { $who } prend à { $to }
say-board-drops = { $who } passe
say-board-anew = Les deux mères sont clouées : personne ne gagne, et la partie recommence
say-board-else = La partie sur le plateau est finie
bar = barre
off = sortie
jacoby-nobody = Jacoby : aucun videau encore en jeu n’a été tourné, la partie compte comme simple.
jacoby-only = Jacoby : gammon et backgammon ne comptent que sur les videaux tournés, avec { $names }.
rules-otherwise-common = Pour le reste, les règles communes
