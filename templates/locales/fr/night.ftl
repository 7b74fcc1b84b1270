night-title = Ce soir
you-sit-here = vous jouez ici
order-not-rolled = L’ordre n’est pas encore tiré
players-count = { $count ->
    [one] { $count } joueur
   *[other] { $count } joueurs
}
games-count = { $count ->
    [0] pas encore de partie
    [one] { $count } partie
   *[other] { $count } parties
}
game-number = partie { $game }
point-is = 1 point = { $stake }
no-money = sans argent
no-open-tables = Aucune table n’est ouverte.
players-first = D’abord les joueurs : ajoutez ceux qui jouent dans votre club.
add-players = Ajouter des joueurs
open-chouette = Ouvrir une chouette
table-name = Table
stake-amount = Un point vaut
currency = Devise
stake-hint = Laissez vide pour jouer sans argent.
open-table = Ouvrir la table
your-balance = Votre solde
points-unit = points
see-ledger = Voir les comptes
finished-tonight = Terminées ce soir
nothing-finished = Aucune table n’est encore fermée.
past-nights = Soirées passées
no-past-nights = Aucune soirée n’est encore terminée.
