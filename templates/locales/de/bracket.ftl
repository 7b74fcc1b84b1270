bracket = Tableau
bracket-not-drawn = Es ist noch nicht ausgelost.
flights = Teilturniere
flight-main = Hauptrunde
flight-consolation = Trostrunde
flight-grand-final = Finale
flight-third-place = Um Platz 3
flight-second-place = Um Platz 2
flight-last-chance = Last Chance
rounds = Runden
round-final = Finale
round-final-again = Zweites Finale
round-semi-finals = Halbfinale
round-quarter-finals = Viertelfinale
round-last = { $count ->
    [16] Achtelfinale
    [32] 1/16-Finale
    [64] 1/32-Finale
    [128] 1/64-Finale
   *[other] Letzte { $count }
}
round-number = Runde { $round }
match-to = auf { $points }
match-number = Match { $match }
match-running = Partie { $game }
slot-bye = Freilos
slot-nobody = niemand aus { $match }
slot-winner = Sieger aus { $match }
slot-loser = Verlierer aus { $match }
slot-open = noch offen
slot-won = hat gewonnen
playing = läuft
playing-at = läuft · Tisch { $table }
called-to = aufgerufen · Tisch { $table }
ready = bereit
ending-conceded = Aufgabe
ending-walkover = kampflos
ending-forfeit = am grünen Tisch
ending-double-forfeit = beide nicht angetreten
ending-disqualified = Disqualifikation
ending-withdrawn = Ausstieg
ending-not-needed = entfällt
pick-player = Spieler suchen
pick-show = Zeigen
size-smaller = Kleiner
size-larger = Größer
way-beat = Sieg gegen
way-lost-to = Niederlage gegen
way-close = Hervorhebung beenden
sections = Abschnitte
later-rounds = Spätere Runden
rounds-before = Die Runden vor Match { $match }
opens-anew = (öffnet ein neues Fenster)
print-bracket = Drucken
sheet-of = Blatt { $number } von { $of }
paper-loser = V{ $match }
match-slips = Spielzettel
no-slips = Kein Match ist bereit.
slip-table = Tisch
slip-running = Stand nach jeder Partie
slip-final = Endstand
slip-length = Match auf { $points }
slip-clock-set = Uhr { $reserve } + { $delay } Sekunden pro Zug
slip-winner-to = Wer gewinnt, spielt Match { $match }
slip-loser-to = Wer verliert, spielt Match { $match }
slip-signed = Unterschrift der Siegerseite
slip-code = Dieses Match auf dem Handy
entry-cards = Spielerkarten
no-entries = Noch keine Anmeldungen.
entry-number = Nr. { $number }
entry-code = Die Seite dieses Spielers als QR-Code
entry-code-hint = Scannen zeigt dir deinen nächsten Gegner, deinen Tisch und wie du stehst.
the-draw = Auslosung
draw-start = { $count ->
    [one] { $count } Los zu ziehen
   *[other] { $count } Lose zu ziehen
}
draw-end = Alle Lose sind gezogen.
draw-next = Nächstes Los
draw-all = Alle
draw-again = Von vorn
draw-seeded = an { $place } gesetzt
draw-proof = Nachweis der Auslosung
draw-proof-lead = Die ganze Auslosung ergibt sich aus einer einzigen Zahl, dem Startwert. Mit ihm kann sie jeder wiederholen.
draw-seed = Startwert
draw-lots = Nach der Auslosung durch das Los gesetzt
draw-lot = { $name }, { $time }: Match { $match }, einer von { $among } Plätzen, Startwert { $seed }
draw-command = Befehl, der die Auslosung wiederholt
wall-matches = Wer spielt wo
wall-winners = Die Sieger
wall-players = Spieler
wall-score = Stand
wall-called = jetzt
wall-quiet = Kein Match ist aufgerufen.
wall-lost = Nicht aktuell: keine Verbindung
wall-code = Auf dem Handy
draw-counted = Der Befehl nummeriert zuerst die Gesetzten in ihrer Reihenfolge, dann die anderen nach Startnummer.
