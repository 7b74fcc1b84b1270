new-tournament = Neues Turnier
tournaments-open = Kommende und laufende Turniere
tournaments-past = Beendet
all-tournaments = Alle Turniere
no-open-tournaments = Es ist kein Turnier angekündigt.
is-today = heute
won-by = Sieger
entries-count = { $count ->
    [one] { $count } Anmeldung
   *[other] { $count } Anmeldungen
}
entries-here = { $count } im Saal
matches-playing = { $count ->
    [one] { $count } Match läuft
   *[other] { $count } Matches laufen
}
matches-left = { $count ->
    [one] noch { $count } Match
   *[other] noch { $count } Matches
}
matches-more = { $count ->
    [one] und { $count } weiteres Match
   *[other] und { $count } weitere Matches
}
matches-waiting = { $count ->
    [one] { $count } Match wartet auf einen Tisch.
   *[other] { $count } Matches warten auf einen Tisch.
}
all-played = alles gespielt
not-drawn = noch nicht ausgelost
is-over = beendet
is-cancelled = abgesagt
cancelled-because = Abgesagt: { $reason }
division-pages = Seiten der Klasse
page-bracket = Tableau
page-draw = Auslosung
page-entries = Anmeldungen
column-place = Platz
column-from = Club
column-seed = Gesetzt
column-number = Nr.
column-status = Status
column-prize = Preis
list-show = Zeigen
list-all = Alle
list-here = Da
list-waiting = Wartend
list-left = Raus
list-nobody = Niemand.
list-whole = Alles auf einer Seite
page-places = Platzierung
no-divisions = Es ist noch keine Klasse angekündigt.
to-desk = Turnierleitung
prizes = Preise
rules-sheet = Regeln
playing-now = Laufende Matches
latest-results = Letzte Ergebnisse
room-screen = Anzeige für den Saal
embed = Tableau auf einer anderen Website zeigen
embed-short = Einbetten
embed-hint = Kopiere das in die andere Seite. Dort steht dann das aktuelle Tableau und sonst nichts vom Club.
embed-element = Zum Kopieren
embed-link = Adresse
paper-slips = Spielzettel
paper-cards = Spielerkarten
told-format-knock-out = K.-o.-System
told-format-third-place = mit Match um Platz 3
told-format-first-losers = Trostrunde für alle, die ihr erstes Match verlieren
told-format-first-played = Trostrunde für alle, die ihr erstes gespieltes Match verlieren
format-up-to = { $count ->
    [1] Trostrunde für die Verlierer der Runde 1
   *[other] Trostrunde für die Verlierer der Runden 1 bis { $count }
}
told-format-progressive = progressive Trostrunde
format-with-finalist = Trostrunde für alle, die verlieren
told-format-second-place = ihr Sieger spielt um Platz 2
format-single = Doppel-K.-o. mit einem Finale
format-double = Doppel-K.-o.
told-clock-optional = Uhr, wenn beide wollen
told-clock-preferred = Uhr, wenn eine Seite will
told-clock-required = mit Uhr
clock-set = { $reserve } pro Punkt + { $delay } s pro Zug
told-moves-legal = Legal Moves
told-moves-responsible = Responsible Moves
plays-holland = Holland-Regel
is-rated = gewertet
lengths-of = { $lengths } vom Finale rückwärts
fee-entry = Startgeld
fee-registration = Anmeldegebühr
fee-re-entry = Wiedereinstieg
money-pool = Im Preistopf
money-kept = Für die Clubkasse
entries = Anmeldungen
checked-in = da
standing-in = spielt
standing-waiting = wartet auf einen Platz
standing-leaving = steigt nach diesem Match aus
standing-withdrawn = ausgestiegen
standing-disqualified = disqualifiziert
standing-entered-again = wieder eingestiegen
entry-again = { $name } ({ $times })
places = Platzierung
still-plays = spielt noch
no-places = Noch steht kein Platz fest.
prizes-given = Vergebene Preise
prizes-due = Preise
prize-winner = Sieger
prize-finalist = Finalist
prize-semi-finalist = Halbfinalist
prize-consolation-winner = Sieger der Trostrunde
prize-consolation-finalist = Finalist der Trostrunde
prize-last-chance-winner = Sieger der Last Chance
prizes-wait = Zuerst muss Match { $match } gespielt werden
match-long = Match auf { $points }
match-won = gewonnen
match-games = Partien
match-ways = Nächste Matches
match-in-bracket = Im Tableau
match-done = Beendet
match-empty = Wird nicht gespielt
match-waits = Wartet auf die Spieler
match-postponed = Später
match-postponed-until = Nicht vor { $when } Uhr
match-ready = Kann aufgerufen werden
match-ready-since = Bereit seit
match-called-at = Aufgerufen
match-began-at = Begonnen
match-ended-at = Beendet
match-report = { $name } meldet { $score }.
next-at = Aufgerufen: jetzt an Tisch { $table }
next-playing = Spielt an Tisch { $table }
next-ready = Als Nächstes: auf den Aufruf warten
next-waits = Als Nächstes, sobald der Gegner feststeht
idle-not-drawn = Es ist noch nicht ausgelost.
idle-starts = Es beginnt { $when }. Es ist noch nicht ausgelost.
division-starts = Beginn { $time }
idle-out = Hier steht kein Match mehr an.
way-nobody = Hier heißt niemand so.
way-several = Hier heißen mehrere so:
bracket-page = Tableau: { $event }
draws = Auslosungen
draw-nth = Auslosung { $number }
draw-last-chance = Last Chance { $number }
draw-reason = Neu ausgelost: { $reason }
draw-by-hand = Die Turnierleitung hat von Hand ausgelost.
report-title = Wie ging es aus?
report-won = Ich habe gewonnen
report-lost = Ich habe verloren
report-confirm = { $score } bestätigen
report-other-score = Ein anderes Ergebnis
report-score = { $mine }–{ $theirs }
report-you-said = Du hast { $score } gemeldet.
report-other-said = { $name } hat { $score } gemeldet.
report-take-back = Meldung zurückziehen
report-how = Tippe das Ergebnis an. Sobald ihr beide dasselbe gemeldet habt, gilt es; bis dahin kannst du deine Meldung ändern.
to-cash-desk = Zur Kasse
my-matches = Meine Matches
next-put-off = Als Nächstes: verschoben, bis die Turnierleitung Bescheid gibt
next-put-off-until = Als Nächstes: verschoben bis { $time } Uhr
report-differ = Eure Meldungen widersprechen sich: Geht zur Turnierleitung.
report-by-card = Spielst du in diesem Match? Scanne den Code auf deiner Karte oder melde dich mit deinem Zugang an, um das Ergebnis zu melden.
way-not-played = nicht gespielt
way-place = Platz { $place } von { $of }
