night-title = Stasera
you-sit-here = giochi qui
order-not-rolled = L’ordine non è ancora deciso
players-count = { $count ->
    [one] { $count } giocatore
   *[other] { $count } giocatori
}
games-count = { $count ->
    [0] ancora nessuna partita
    [one] { $count } partita
   *[other] { $count } partite
}
game-number = partita { $game }
point-is = 1 punto = { $stake }
no-money = solo punti
no-open-tables = Nessun tavolo aperto.
players-first = Prima i giocatori: aggiungi chi gioca nel tuo circolo.
add-players = Aggiungi i giocatori
open-chouette = Apri una chouette
table-name = Tavolo
stake-amount = Un punto vale
currency = Valuta
stake-hint = Lascia vuoto per giocare solo a punti.
open-table = Apri il tavolo
your-balance = Il tuo saldo
points-unit = punti
see-ledger = Vedi il conto
finished-tonight = Chiusi stasera
nothing-finished = Nessun tavolo è ancora chiuso.
past-nights = Serate passate
no-past-nights = Nessuna serata è ancora finita.
