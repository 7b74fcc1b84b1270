night-title = Tonight
you-sit-here = you play here
order-not-rolled = The order has not been rolled yet
players-count = { $count ->
    [one] { $count } player
   *[other] { $count } players
}
games-count = { $count ->
    [0] no game yet
    [one] { $count } game
   *[other] { $count } games
}
game-number = game { $game }
point-is = 1 point = { $stake }
no-money = points only
no-open-tables = No table is open.
players-first = Start with the players: add everybody who plays at your club.
add-players = Add players
open-chouette = Open a chouette
table-name = Table
stake-amount = One point is worth
currency = Currency
stake-hint = Leave it empty to play for points only.
open-table = Open the table
your-balance = Your balance
points-unit = points
see-ledger = See the ledger
finished-tonight = Finished tonight
nothing-finished = No table is closed yet.
past-nights = Past nights
no-past-nights = No night is over yet.
