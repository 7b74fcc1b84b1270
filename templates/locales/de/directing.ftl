desk = Turnierleitung
desk-places = Seiten der Turnierleitung
desk-now = Jetzt
desk-entries = Anmeldungen
desk-set-up = Einrichten
desk-room = Saal
desk-money = Kasse
desk-moved = Im Turnier ging es inzwischen weiter. Trotzdem senden?
desk-nobody-came = Weder { $one } noch { $other } ist angetreten
desk-beats = { $winner } schlägt { $loser }
desk-concedes = { $loser } gibt auf gegen { $winner }
desk-walks-over = { $winner } gewinnt kampflos, { $loser } ist nicht angetreten
desk-walks-over-leaves = { $winner } gewinnt kampflos, { $loser } ist nicht angetreten und steigt aus
desk-walks-over-goes-on = { $winner } gewinnt kampflos, { $loser } ist nicht angetreten, spielt aber weiter
desk-forfeits = { $winner } ist weiter, { $loser } verliert am grünen Tisch
desk-disqualified = { $winner } ist weiter, { $loser } ist disqualifiziert
desk-has-left = { $winner } ist weiter, { $loser } ist ausgestiegen
desk-has-bye = { $winner } hat ein Freilos
desk-did-call-several = { $count } Matches aufgerufen
desk-did-open = eröffnet
desk-did-about = Angaben geändert
desk-did-directors = Turnierleitung geändert
desk-did-division-added = Klasse { $name } hinzugefügt
desk-did-division-changed = { $name } geändert
desk-did-tables = Tische geändert
desk-did-enter = { $name } angemeldet
desk-did-enter-several = { $count } Spieler angemeldet
desk-did-check-in = { $name } ist da
desk-did-check-out = { $name } ist nicht da
desk-did-check-in-several = { $count } Spieler sind da
desk-did-check-out-several = { $count } Spieler sind nicht da
desk-did-seed = Setzliste geändert
desk-did-pools = Sidepools von { $name }
desk-did-draw = Auslosung
desk-did-last-chance = Last Chance ausgelost
desk-did-seat = { $name } bekommt einen Platz
desk-did-seat-by-lot = { $name } bekommt einen Platz durch das Los
desk-did-exchange = zwei Plätze getauscht
desk-did-leave-after = { $name } steigt nach dem Match aus
desk-did-withdraw = { $name } steigt aus
desk-did-disqualify = { $name } wird disqualifiziert
desk-did-re-enter = { $name } steigt wieder ein
desk-did-reinstate = { $name } ist wieder dabei
desk-did-report = Meldung zu { $names }
desk-did-correct = Korrektur zu { $names }
desk-did-call = { $names } an Tisch { $table } aufgerufen
desk-did-uncall = Aufruf von { $names } zurückgenommen
desk-did-begin = { $names } haben begonnen
desk-did-postpone = { $names } verschoben
desk-did-resume = { $names } wieder aufrufbar
desk-did-sheet = Spielbogen von { $names }
desk-did-pay-in = { $name } hat { $amount } gezahlt
desk-did-arrive = { $paid } und ist da
desk-did-pay-out = { $name } hat { $amount } bekommen
desk-did-book = { $amount } gebucht
desk-did-award = Preise vergeben
desk-did-close = Turnier beendet
desk-did-reopen = wieder geöffnet
desk-did-cancel = Absage
desk-waits = wartet seit { $minutes } min
desk-call-to = An Tisch { $table } aufrufen
desk-plays = spielt { $minutes } von etwa { $planned } min
desk-plays-late = spielt { $minutes } min, geplant { $planned }
desk-called = vor { $minutes } min aufgerufen
desk-begin = Haben begonnen
desk-confirm = Meldung von { $who } bestätigen: { $what }
desk-differ = Die beiden Meldungen widersprechen sich.
desk-one-said = Eine Seite hat das Ergebnis gemeldet.
desk-postponed = verschoben
desk-postponed-until = verschoben bis { $time } Uhr
desk-resume = Wieder aufrufbar
desk-next-over = Das Turnier ist beendet.
desk-next-cancelled = Das Turnier ist abgesagt.
desk-next-division = Zuerst: Wie wird gespielt?
desk-add-division = Klasse hinzufügen
desk-next-reported = { $count ->
    [one] Ein Ergebnis ist zu bestätigen
   *[other] { $count } Ergebnisse sind zu bestätigen
}
desk-next-award = Alle Matches sind gespielt. Jetzt die Preise vergeben.
desk-next-all-played = Alle Matches sind gespielt.
desk-next-nothing = Im Moment ist nichts zu tun.
desk-next-playing = { $count ->
    [one] Ein Match läuft
   *[other] { $count } Matches laufen
}
desk-next-enter = Wer spielt mit?
desk-next-enter-in = { $name }: Wer spielt mit?
desk-next-draw = Bereit zur Auslosung?
desk-next-draw-in = { $name }: Bereit zur Auslosung?
desk-next-draw-about = { $here } von { $all } Spielern sind da.
desk-add-players = Spieler hinzufügen
desk-to-draw = Zur Auslosung
desk-next-ready = { $count ->
    [one] Ein Match ist bereit
   *[other] { $count } Matches sind bereit
}
desk-set-tables = Welche Tische gibt es?
desk-no-tables = Noch sind keine Tische angelegt. Ergebnisse kannst du auch ohne sie eintragen.
desk-no-free-table = Kein Tisch ist frei.
desk-touched-playing = Wird gerade gespielt, an Tisch { $table }.
desk-touched-called = Aufgerufen an Tisch { $table }.
desk-touched-sheet = Wird gerade auf dem Spielbogen eingetragen.
desk-call-next = { $count ->
    [one] Nächstes Match an den freien Tisch rufen
   *[other] Nächste { $count } an die freien Tische rufen
}
desk-free-tables = { $count ->
    [one] Ein Tisch ist frei.
   *[other] { $count } Tische sind frei.
}
desk-waiting-entries = { $count ->
    [one] Eine Nachmeldung wartet auf einen Platz
   *[other] { $count } Nachmeldungen warten auf einen Platz
}
desk-not-here = { $count ->
    [one] Ein Spieler noch nicht da
   *[other] { $count } Spieler noch nicht da
}
desk-owe = { $count ->
    [one] Ein Spieler schuldet noch etwas
   *[other] { $count } Spieler schulden noch etwas
}
desk-close = Turnier beenden
desk-closing = Vor dem Beenden
desk-closing-waiting = Haben nie einen Platz bekommen
desk-closing-keep = Sie bekommen ihr Geld zurück. Hake an, bei wem es einbehalten wird, und gib an, warum.
desk-closing-waited = { $name }: { $amount }
desk-closing-reason = Warum es einbehalten wird
desk-closing-not-given = { $division }: Preise über { $amount } sind nicht vergeben.
desk-closing-given-too-much = { $division }: { $amount } zu viel vergeben.
desk-gives-up-last-chance = { $name } hat wieder ein Match zu spielen und scheidet aus der Last Chance aus.
desk-reopen = Turnier wieder öffnen
desk-cancel-title = Turnier absagen
desk-cancel-then = Danach kann nichts mehr eingetragen oder aufgerufen werden. Das lässt sich rückgängig machen.
desk-cancel-back = Startgelder und Einsätze von { $amount } werden den Spielern gutgeschrieben.
desk-cancel-owed = { $amount } bekommen dann die zurück, die bezahlt haben; die Kassenseite sagt, wer.
desk-cancel-stays = { $name }: Die vergebenen Preise bleiben, wie sie sind.
desk-cancel-reason = Warum? Alle können es lesen.
desk-owed-back = { $count ->
    [one] Ein Spieler bekommt Geld zurück.
   *[other] { $count } Spieler bekommen Geld zurück.
}
desk-reported = Von Spielern gemeldet
desk-ready = Bereit zum Aufruf
desk-ready-none = Kein Match wartet.
desk-playing = Laufende Matches
desk-playing-none = Kein Match läuft.
desk-put-off = Verschoben
desk-shown-of = { $first }–{ $last } von { $all }
desk-pages = Seiten der Liste
desk-previous = Zurück
desk-next = Weiter
desk-more = und noch { $count }
desk-result = Ergebnis
desk-correct = Ergebnis korrigieren …
desk-call = Aufrufen
desk-table = Tisch { $table }
desk-taken = besetzt
desk-reserved = reserviert
desk-postpone = Verschieben
desk-uncall = Aufruf zurücknehmen
desk-player = { $name } …
desk-wins = { $name } gewinnt
desk-lost-points = Punkte der Gegenseite
desk-otherwise = Nicht zu Ende gespielt …
desk-points-then = Stand in diesem Moment, falls schon begonnen
desk-until = Bis wann
desk-until-resumed = bis auf Weiteres
desk-for-minutes = für { $minutes } Minuten
desk-no-result = Doch kein Ergebnis
desk-later-stands = Spätere Ergebnisse gelten weiter
desk-later-stands-about = Wer jetzt auf dem Platz steht, übernimmt alle späteren Ergebnisse.
desk-later-void = Spätere Ergebnisse sind ungültig
desk-later-void-about = Wer jetzt einen anderen Gegner hat, spielt noch einmal.
desk-takes-place = { $new } nimmt den Platz von { $old } ein
desk-comes-in = { $name } rückt nach
desk-goes-out = { $name } ist raus; der Platz ist offen
desk-result-stands = Das Ergebnis bleibt: { $what }
desk-result-changes = { $old } wird zu: { $new }
desk-result-void = Ungültig, wird neu gespielt: { $what }
desk-result-found = Ergebnis: { $what }
desk-touches-nothing = Kein Match ist betroffen.
desk-touches = { $count ->
    [one] Ein Match ist betroffen
   *[other] { $count } Matches sind betroffen
}
desk-correct-title = Wie lautet das richtige Ergebnis?
desk-stands-now = bisher: { $what }
desk-right-is = Richtig ist:
desk-choose-another = Anderes wählen
desk-later = Was gilt für die Matches, die seither gespielt wurden?
desk-what-it-does = Was sich damit ändert
desk-show = Zeigen
desk-show-all = Alle
desk-show-missing = Noch nicht da
desk-show-here = Da
desk-show-owing = Noch offen
desk-show-paid = Bezahlt
desk-show-waiting = Wartend
desk-show-out = Raus
desk-enter = Anmelden
desk-enter-name = Name
desk-enter-many = Mehrere auf einmal
desk-enter-many-hint = Ein Name pro Zeile. Unbekannte Namen werden als Gäste angelegt.
desk-pasted-title = Erst die Liste ansehen
desk-pasted-hint = Noch ist niemand eingetragen.
desk-pasted-kept = Bei neuen Spielern werden Club und Land übernommen, die Wertungszahl nicht.
desk-pasted-line = Zeile
desk-pasted-who = Wer das ist
desk-pasted-otherwise = Anders lesen
desk-pasted-column = Spalte { $column }
desk-pasted-again = Noch einmal ansehen
desk-pasted-no-name = Hier ist kein Name zu lesen. Diese Zeile bleibt weg.
desk-pasted-twice = Wie in Zeile { $line }
desk-pasted-there = { $name } ist schon eingetragen
desk-pasted-same = Wie { $name } in Zeile { $line }
desk-column-name = Name
desk-column-first-name = Vorname
desk-column-last-name = Nachname
desk-column-club = Club
desk-column-country = Land
desk-column-rating = Wertungszahl
desk-column-nothing = Nicht verwendet
desk-here-of = { $here } von { $all } sind da
desk-find = Spieler suchen
desk-entry-more = Mehr zu { $name }
desk-check-in = { $name } ist da
desk-check-out = { $name } ist doch nicht da
desk-check-in-all = { $count ->
    [one] Diese Person ist da
   *[other] Alle { $count } sind da
}
desk-here = da
desk-is-here = Ist da
desk-nobody-found = Niemand gefunden.
desk-divisions = Klassen
desk-is-waiting = wartet auf einen Platz
desk-is-leaving = steigt nach diesem Match aus
desk-is-withdrawn = ausgestiegen
desk-is-disqualified = disqualifiziert
desk-is-again = wieder eingestiegen
desk-seed = Setzliste speichern
desk-seeds = Setzliste …
desk-seeds-hint = Ein Name pro Zeile, Nummer 1 zuerst. Leer lassen, wenn niemand gesetzt ist.
desk-owes = schuldet { $amount }
desk-sum-due = Fällig
desk-sum-open = Offen
desk-pays = { $amount } gezahlt
desk-pays-and-comes = { $amount } gezahlt und da
desk-is-owed = bekommt noch { $amount }
desk-reinstate = { $name } ist wieder dabei
desk-re-enter = { $name } steigt wieder ein
desk-join-pools = Speichern
desk-pools = Sidepools
desk-seat = Diesen Platz geben
desk-seat-title = Platz von Hand vergeben
desk-seat-by-lot = { $name } auslosen
desk-seat-all-by-lot = { $count ->
    [one] Platz auslosen
   *[other] Plätze für { $count } auslosen
}
desk-place-against = Match { $match }, gegen { $name }
desk-leaves = Ausstieg aus dem Turnier
desk-leave-now = { $name } steigt jetzt aus
desk-leave-after = { $name } steigt nach dem Match aus
desk-disqualify = { $name } wird disqualifiziert
desk-draw = Auslosen
desk-draw-again = Neu auslosen
desk-draw-by-hand = Von Hand auslosen
desk-draw-reason = Warum wird neu ausgelost?
desk-only-here = { $count ->
    [one] Nur die eine Person, die da ist
   *[other] Nur die { $count }, die da sind; die anderen warten
}
desk-is-drawn = Es ist ausgelost.
desk-look-at-draw = Die Auslosung Schritt für Schritt
desk-too-late-to-draw = Ein Match hat begonnen, neu ausgelost wird nicht mehr. Plätze lassen sich noch von Hand tauschen.
desk-slot = Platz { $slot }
desk-hand-hint = Schreibe jeden Namen neben die gezogene Nummer. Ein leerer Platz ist ein Freilos; mit dem Wort „{ $open }“ bleibt er für einen Nachzügler frei.
desk-hand-open = offen
desk-hand-whom = Wer wird ausgelost?
desk-hand-left = Noch ohne Platz
desk-hand-all = { $count ->
    [one] Die eine angemeldete Person
   *[other] Alle { $count } Angemeldeten
}
desk-hand-nobody = Niemand dieses Namens wird ausgelost
desk-hand-several = So heißen mehrere
desk-hand-twice = Steht schon auf Platz { $slot }
desk-hand-empty = Beide Plätze dieses Matches sind leer
desk-hand-missing = Noch ohne Platz: { $names }
desk-exchange = Zwei Plätze tauschen
desk-exchange-one = Diesen Platz
desk-exchange-other = mit diesem
desk-draw-last-chance = Last Chance auslosen
desk-last-chance-who = Wer spielt darin mit?
desk-last-chance-lost = Ausgeschieden und ohne Preis
desk-last-chance-others = Dürfen auch mitspielen
desk-last-chance-prizes = Eine Last Chance hat einen eigenen Preis, darum ändern sich die anderen:
desk-chosen = Ausgewählt
desk-save-tables = Tische speichern
desk-tables-open = Offene Tische
desk-tables-reserved = Reserviert
desk-tables-closed = Gesperrt
desk-tables-hint = Nummern und Bereiche: 1-12, 15. Ein reservierter Tisch wird nur von Hand vergeben.
desk-closed-table = gesperrt
desk-free = frei
desk-crowded = Zwei Matches an einem Tisch
desk-times = Geplante und tatsächliche Zeiten, in Minuten
desk-round = Runde
desk-played = Gespielt
desk-round-minutes = Runde
desk-match-minutes = Match
desk-times-hint = Tatsächlich / geplant. Geplant sind 8 Minuten pro Punkt für ein Match und 11 für eine ganze Runde. Tatsächliche Zeiten gibt es nur mit „Haben begonnen“.
desk-nobody-owes = Niemand schuldet etwas.
desk-still-owed = Noch zu zahlen: { $amount }
desk-pay-in = { $name } hat { $amount } gezahlt
desk-pay-out = { $name } hat { $amount } bekommen
desk-other-amount = Anderer Betrag …
desk-paid-in = Hat gezahlt
desk-paid-out = Hat bekommen
desk-who = Wer
desk-amount-in = Betrag in { $currency }
desk-prizes = Preise
desk-pool = Preistopf
desk-kept = Für die Clubkasse
desk-due = Fällig
desk-given = Vergeben
desk-why = Wie die Preise zustande kommen
desk-why-prize = Preis
desk-why-share = Anteil
desk-why-divided = Wird verteilt
desk-why-rounding = Preise sind ganze Vielfache von { $unit }; der erste bekommt, was beim Runden bleibt.
desk-all-given = Alle fälligen Preise sind vergeben.
desk-award = Fällige Preise vergeben
desk-award-otherwise = Anders vergeben
desk-add-money = Clubkasse legt dazu
desk-still-played = Noch zu spielen: { $names }
choose-format-own = Wie bisher
choose-format-knock-out = K.-o.-System
choose-format-third-place = K.-o.-System mit Match um Platz 3
choose-format-first-losers = Trostrunde für alle, die ihr erstes Match verlieren
choose-format-first-played = Trostrunde für alle, die ihr erstes gespieltes Match verlieren
choose-format-progressive = Progressive Trostrunde
choose-format-second-place = Progressive Trostrunde, ihr Sieger spielt um Platz 2
choose-format-double-elimination = Doppel-K.-o., zweites Finale falls nötig
choose-format-single-final = Doppel-K.-o., ein Finale
payout-own = Wie bisher
payout-typed = Eigene Prozentsätze
payout-usual = Üblich bei so vielen Anmeldungen
payout-winner = Alles für den Sieg
payout-small = 50 / 25, Trostrunde 25
payout-knock-out = 50 / 25 / 12½ / 12½
payout-four = 40 / 25, Trostrunde 25 / 10
payout-twelfths = Zwölftel: 4 2 2 1 1 1 1
payout-typed-legend = Eigene Prozentsätze
payout-typed-hint = Zusammen sind es 100; ein Preis für zwei zählt doppelt. Was nicht gespielt wird, hat keinen Preis; die übrigen behalten ihr Verhältnis.
prize-each = { $prize }, jeder der beiden
prizes-no-percentage = Das ist kein Prozentsatz: 0 bis 100, höchstens eine Nachkommastelle.
prizes-add-up-to = Die Prozente ergeben zusammen { $sum }, nicht 100.
prizes-come-to = Was die Preise ergeben
prizes-of-pool = Von den { $amount }, die jetzt zu verteilen sind:
prizes-of-example = Der Topf ist leer. Von { $amount } wären es:
prizes-look = Beträge zeigen
choose-clock-optional = Wenn beide eine wollen
choose-clock-preferred = Wenn eine Seite eine will
choose-clock-required = Immer
choose-moves-legal = Legal Moves: Wer einen regelwidrigen Zug sieht, lässt ihn berichtigen
choose-moves-responsible = Responsible Moves: Die Gegenseite darf ihn stehen lassen
apart-nobody = Niemand
apart-club = Spieler aus demselben Club
apart-country = Spieler aus demselben Land
about-new = Neues Turnier
about-change = Angaben zum Turnier
about-name = Name
about-date = Datum
about-starts = Beginn
about-place = Ort
about-open = Turnier eröffnen
about-copy = Turnier kopieren …
about-copied = Wie { $name }, ohne die Anmeldungen und das Geld.
about-copied-gets = Es bekommt: { $what }.
about-copied-tables = { $count ->
    [one] ein Tisch
   *[other] { $count } Tische
}
about-save = Speichern
about-more = Anmeldung, Preise, Regeln …
about-currency = Startgeld und Preise in
about-no-money = Ohne Geld
about-entries-open = Selbst anmelden ab
about-entries-close = bis
about-entries-hint = Ohne Beginn meldet nur die Turnierleitung an. Ohne Ende kann man sich bis zur Auslosung anmelden.
about-prizes = Was es zu gewinnen gibt
about-rules = Regeln
about-public = Alle dürfen es ansehen, auch ohne Zugang
about-directors = Auch in der Turnierleitung
desk-cancel = Abbrechen
division-title = Klasse
division-change = So wird { $name } gespielt
division-how = So wird gespielt
division-format = Modus
division-starts-at = Beginn (falls nicht mit dem Turnier)
division-drawn = Es ist ausgelost, der Modus bleibt.
division-lengths = Matchlängen, Finale zuerst
division-lengths-hint = 11 9 7: Finale auf 11, Halbfinale auf 9, alle früheren Runden auf 7.
division-consolation-lengths = In der Trostrunde
division-last-chance-lengths = In einer Last Chance
division-rules = Uhr und Regeln
division-clock = Uhren
division-reserve = Reserve pro Punkt, in Sekunden
division-delay = Frei pro Zug, in Sekunden
division-moves = Züge
division-apart = In der Auslosung getrennt
division-rated = Die Matches werden gewertet
division-holland = Holland-Regel: nach der Crawford-Partie kein Doppel vor dem dritten Zug
division-re-entries = Wiedereinstiege pro Spieler
division-money = Geld, in { $currency }
division-entry-fee = Startgeld, in den Preistopf
division-registration = Anmeldegebühr, in die Clubkasse
division-re-entry = Wiedereinstieg, in den Preistopf
division-payout = Preisverteilung
division-kept = Prozent für die Clubkasse
division-side-pools = Sidepools
division-side-pools-hint = Einer pro Zeile: der Name, dann der Betrag.
division-no-money = Für Startgeld und Preise gib dem Turnier zuerst eine Währung.
enter-title = Anmeldung zum Turnier
enter-me = Zum Turnier anmelden
enter-is-in = Du bist angemeldet, mit Startnummer { $number }.
enter-closed = Selbst anmelden kann man sich gerade nicht.
enter-no-player = Dein Zugang gehört zu keinem Spieler: Wende dich an die Turnierleitung.
enter-until = bis { $time }
enter-entered = { $count ->
    [one] eine Anmeldung
   *[other] { $count } Anmeldungen
}
enter-free = kein Startgeld
enter-costs = { $amount }
desk-open-sheet = Partie für Partie eintragen
desk-next-differ = { $count ->
    [one] In einem Match widersprechen sich die Meldungen
   *[other] In { $count } Matches widersprechen sich die Meldungen
}
desk-next-differ-about = Frag nach und bestätige dann das richtige Ergebnis.
desk-prizes-differ = Vergebene Preise weichen von den fälligen ab: Differenz vergeben
desk-see-all = Alle Matches zeigen
desk-find-match = Spieler oder Tisch suchen
desk-matches = Matches
desk-move = An diesen Tisch verlegen
desk-re-enter-waits = { $name } steigt wieder ein und wartet: Kein Platz ist frei
desk-cash = Kasse
desk-cash-in = Eingenommen
desk-cash-out = Ausgezahlt
desk-cash-box = Sollbestand der Kasse
desk-sum-is = Zusammen müssen es { $amount } sein.
desk-no-fees = Kein Startgeld festgelegt
choose-format-up-to-2 = Trostrunde für alle, die in den ersten zwei Runden verlieren
desk-told-entered = { $count ->
    [one] eine Person angemeldet
   *[other] { $count } angemeldet
}
desk-told-guests = { $count ->
    [one] ein neuer Gast
   *[other] { $count } neue Gäste
}
desk-told-there = { $count ->
    [one] eine Person war schon angemeldet
   *[other] { $count } waren schon angemeldet
}
