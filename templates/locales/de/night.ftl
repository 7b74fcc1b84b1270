night-title = Heute Abend
you-sit-here = du spielst mit
order-not-rolled = Reihenfolge noch nicht ausgewürfelt
players-count = { $count } Spieler
games-count = { $count ->
    [0] noch keine Partie
    [one] { $count } Partie
   *[other] { $count } Partien
}
game-number = Partie { $game }
point-is = 1 Punkt = { $stake }
no-money = nur um Punkte
no-open-tables = Es ist kein Tisch offen.
players-first = Zuerst die Spieler: Trag ein, wer in deinem Club spielt.
add-players = Spieler hinzufügen
open-chouette = Chouette eröffnen
table-name = Tisch
stake-amount = Wert eines Punktes
currency = Währung
stake-hint = Leer lassen, um nur um Punkte zu spielen.
open-table = Tisch eröffnen
your-balance = Dein Saldo
points-unit = Punkte
see-ledger = Zum Konto
finished-tonight = Heute beendet
nothing-finished = Noch ist kein Tisch geschlossen.
past-nights = Frühere Abende
no-past-nights = Noch ist kein Abend vorbei.
