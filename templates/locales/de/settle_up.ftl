settle-up = Wer zahlt wem
settle-playing = Es läuft eine Partie. Sie zählt, sobald sie vorbei ist.
all-even = Niemand schuldet jemandem etwas.
hands-to = zahlt an
paid = Bezahlt
told-payment = : { $payer } hat { $amount } an { $payee } gezahlt
was-paid = bezahlt
undo-paid = Rückgängig
payments-exact = { $count ->
    [one] Mit einer Zahlung ist alles erledigt.
   *[other] Mit { $count } Zahlungen ist alles erledigt. Weniger reichen nicht.
}
payments-many = { $count ->
    [one] Mit einer Zahlung ist alles erledigt.
   *[other] Mit { $count } Zahlungen ist alles erledigt.
}
unpaid-stays = Was jetzt nicht bezahlt wird, bleibt in den Büchern stehen und kann jederzeit bezahlt werden.
column-paid = gezahlt
column-open = offen
column-game = Partie
column-result = Ergebnis
leaver-title = Jemand geht früher
leaver-hint = Eine oder mehrere der anderen rechnen mit der Person ab, die geht, und übernehmen, was noch offen war.
leaver-who = Wer geht
leaver-owed = { $name } bekommt { $amount }. Wer zahlt?
leaver-owes = { $name } schuldet { $amount }. Wer bekommt es?
leaver-work-out = Ausrechnen
leaver-still-owed = { $name } bekommt noch { $amount }.
leaver-still-owes = { $name } schuldet noch { $amount }.
as-much-as-due = was offen ist
amount-of = Betrag für { $name }
score-sheet = Partie für Partie
print-sheet = Abrechnung drucken
line-payment = Zahlung
line-contested = { $what }, angefochten
line-upheld = { $what }, nicht mehr angefochten
line-corrected = Korrigiert: { $what }
line-merged = Doppelt eingetragen: { $what }
line-entry-fee = Startgeld
line-registration = Anmeldegebühr
line-side-pool = Sidepool
line-re-entry = Wiedereinstieg
line-added = Zuschuss der Clubkasse
line-kept = Anteil der Clubkasse
line-prize = Preisgeld
line-paid-in = Einzahlung
line-paid-out = Auszahlung
line-refund = Erstattung
line-returned = Rückzahlung
line-of-tournament = Turnier
line-of-session = Geldspiel
line-with-pool = Preistopf
line-with-house = Clubkasse
one-point = { $points } Punkt
some-points = { $points } Punkte
leaver-too-much = Das ist mehr, als noch offen ist ({ $amount }).
leaver-bad-amount = Ein Betrag ist eine Zahl über null, etwa 30 oder 7,50.
settle-whole-night = Der ganze Abend
settle-night-link = Den ganzen Abend abrechnen
settle-night-plays = Partie läuft
settle-night-playing = Es läuft eine Partie. Abgerechnet werden kann der Abend, sobald sie vorbei ist.
settle-night-pay = Alles als bezahlt eintragen
settle-night-books = Danach ist die Abrechnung jedes Tisches ausgeglichen.
settle-night-crosswise = Es braucht keine Zahlungen: Schulden an einem Tisch heben sich mit denen an einem anderen auf.
settle-night-sessions = Geldspiele
settle-night-sessions-hint = Oben nicht mitgezählt. Jedes wird auf seinem eigenen Spielbogen abgerechnet.
settle-night-back = Letzte Eintragung rückgängig machen
column-won = gewonnen
