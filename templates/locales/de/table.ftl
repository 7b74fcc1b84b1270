bell = Ton, wenn ich dran bin
live-on = live
live-again = verbindet neu
live-lost = offline
live-kept = Noch nicht gesendet, kein Netz:
live-moved = Am Tisch ging es inzwischen weiter. Trotzdem senden?
live-send = Senden
live-discard = Verwerfen
live-leave = Weiter, es wird später gesendet
live-ask = Jemand hat inzwischen etwas eingetragen. Trotzdem senden?
live-does = Das würde jetzt geschehen:
live-impossible = Nicht mehr möglich:
live-look = Ansehen
live-refused = Nicht ausgeführt:
live-done = OK
live-failed = Das hat nicht geklappt. Versuch es noch einmal.
the-box = Box
    .box = { $Box }
role-box = Box
    .box = { $Box }
role-captain = Captain
    .captain = { $Captain }
role-acting-captain = Ersatz-Captain
    .captain = Ersatz-{ $Captain }
role-dropped-captain = Captain, gepasst
    .captain = { $Captain }, gepasst
role-crew = Crew
    .crew = { $Crew }
role-onlooker = Zuschauer
role-waiting = Ab der nächsten Partie
you = du
cube-at = Doppler auf { $value },
cube-centred = in der Mitte
cube-to-box = ▸ Box
    .box = ▸ { $Box }
cube-to = ▸ { $name }
cube-offered-by-box = Box bietet an
    .box = { $Box } bietet an
cube-offered-by = { $name } bietet an
cube-dropped = gepasst
cube-box-dropped = Box hat gepasst
    .box = { $Box } hat gepasst
points-tonight = Punkte heute:
the-line = Die Reihe
next-up = Als Nächstes
roll-for-order = Reihenfolge auswürfeln
roll-again = Gleichstand: neu würfeln
dice-rolled = Wir haben am Tisch gewürfelt
enter-dice = Würfel eintragen
what-may-be-done = Was du tun kannst
what-is-likeliest = Jetzt am ehesten
game-over = Partie vorbei
undo-what = Rückgängig: { $what }
undo-nothing = Nichts rückgängig zu machen
redo-what = Wiederherstellen: { $what }
redo-all = { $count ->
    [one] { $count } Schritt wiederherstellen
   *[other] Alle { $count } Schritte wiederherstellen
}
not-in-this-game = Nicht in dieser Partie
somebody-joins = Jemand kommt dazu …
club-player = Spieler
choose = Wählen …
or-new-guest = oder ein neuer Gast
join = Kommt dazu
standings = Stand heute Abend
standings-of = Stand vom { $day }
money = Geld
left = gegangen
the-log = Verlauf
log-before = Vor der ersten Partie
taken-back = zurückgenommen
take-back-to-here = Bis hierher zurücknehmen …
take-back-to = Bis hierher zurücknehmen: { $what }
take-back-title = Bis hierher zurücknehmen?
take-back-hint = Nichts wird gelöscht: Es bleibt im Verlauf und lässt sich wiederherstellen, bis etwas anderes geschieht.
take-back-also = Auch bei { $name } wird zurückgenommen.
take-back-acts = { $count ->
    [one] Diesen Schritt zurücknehmen
   *[other] Diese { $count } Schritte zurücknehmen
}
take-back-no-change = Kein Punktestand ändert sich.
change = Änderung
leave-as-it-is = So lassen
now-gathering = Wer spielt mit?
now-roll = Wer beginnt?
now-between = { $box } ist Box, { $captain } Captain
    .seats = { $box } ist { $Box }, { $captain } { $Captain }
now-playing = { $box } spielt gegen das Team, für das { $captain } würfelt
now-playing-alone = { $box } spielt gegen das Team; am Tisch ist niemand, der noch im Spiel ist
decides-for = { $proxy } für { $name }
now-answer = { $who } verdoppelt: Antwort von { $whom } steht aus
now-answer-team = Box verdoppelt: Das Team antwortet
    .box = { $Box } verdoppelt: Das Team antwortet
now-answer-several = { $who } verdoppeln: { $whom } antwortet
now-closed = Der Abend ist hier beendet
say-opened = Der Tisch ist eröffnet
say-joins = { $name } kommt dazu
say-leaves = { $name } geht
say-returns = { $name } kommt zurück
say-draws-order = Reihenfolge hier auswürfeln
say-rolled = Gewürfelt: { $rolls }
say-order = Reihenfolge: { $names }
say-takers-move-up = Wer angenommen hat, rückt auf: { $names }
say-game-starts = Partie { $game } beginnt
say-doubles-everybody = { $who } verdoppelt gegen alle auf { $to }
say-doubles-whom = { $who } verdoppelt gegen { $whom } auf { $to }
say-redoubles-whom = { $who } redoppelt gegen { $whom } auf { $to }
say-doubles = { $who } verdoppelt auf { $to }
say-redoubles = { $who } redoppelt auf { $to }
say-takes = { $who } nimmt { $to } an
say-drops = { $who } passt, verliert { $loses }
say-all-settled = Alle Wetten sind entschieden
say-box-wins-single = Einfacher Sieg für die Box
    .box = { $Box } gewinnt einfach
say-box-wins-gammon = Gammon für die Box
    .box = { $Box } gewinnt ein Gammon
say-box-wins-backgammon = Backgammon für die Box
    .box = { $Box } gewinnt ein Backgammon
say-team-wins-single = Einfacher Sieg für das Team
say-team-wins-gammon = Gammon für das Team
say-team-wins-backgammon = Backgammon für das Team
say-seats = { $box } ist Box, { $captain } Captain
    .seats = { $box } ist { $Box }, { $captain } { $Captain }
say-closes = Abend beenden
say-closed = Der Abend ist beendet
close-hint = Danach kann hier niemand mehr etwas eintragen. „Rückgängig“ öffnet den Abend wieder.
say-undone = Rückgängig gemacht: { $what }
say-redone = Wiederhergestellt: { $what }
say-undone-several = { $count ->
    [one] Rückgängig gemacht: { $count } Schritt
   *[other] Rückgängig gemacht: { $count } Schritte auf einmal
}
say-redone-several = { $count ->
    [one] Wiederhergestellt: { $count } Schritt
   *[other] Wiederhergestellt: { $count } Schritte auf einmal
}
say-as-far-as = Bis zu: { $what }
kind-single = Einfach
kind-gammon = Gammon
kind-backgammon = Backgammon
finish-title = Wie ging Partie { $game } aus?
finish-hint = Wähle das Ergebnis. Du siehst alle Punkte, bevor etwas eingetragen wird.
box-wins = Box gewinnt
    .box = { $Box } gewinnt
team-wins = Team gewinnt
this-game = Partie
night-after = Abend
then = Danach:
box-is = { $name } ist Box
    .box = { $name } ist { $Box }
captain-is = { $name } ist Captain
    .captain = { $name } ist { $Captain }
plays-for-team = { $name } spielt für das Team
record = Eintragen: { $what }
record-alone = Eintragen
record-next = Eintragen, nächste Partie
not-over-yet = Noch nicht vorbei
everybody-drops-title = Passen alle?
everybody-drops-hidden = Das Ergebnis erscheint, sobald alle geantwortet haben.
game-over-then = Die Partie ist vorbei. Danach:
not-everybody = Nicht alle
box-doubles = Box verdoppelt …
    .box = { $Box } verdoppelt …
box-doubles-some = Box verdoppelt nur gegen einige …
    .box = { $Box } verdoppelt nur gegen einige …
box-doubles-these = Box verdoppelt gegen diese
    .box = { $Box } verdoppelt gegen diese
steps = Rückgängig und Ende der Partie
role-gathered = Am Tisch
the-team = Team
role-partner = Partner der Box
    .box = Partner ({ $Box })
role-resting = Macht Pause
role-gone = Ist gegangen
role-away = Ist gegangen
could-lose = kann { $points } verlieren
above-limit = Grenze erreicht
mark-answered = hat geantwortet
mark-due = antwortet jetzt
mark-offers-extra = bietet ein Extra an
mark-proxy = { $name } entscheidet
mark-follows = folgt dem Captain
    .captain = folgt: { $Captain }
mark-consult = darf mitreden
extra-against = Extra mit { $name }
with-extra = mit Extra
cube-beavered-by = { $animal ->
    [beaver] { $name }: Beaver
    [raccoon] { $name }: Raccoon
    [otter] { $name }: Otter
   *[more] { $name } redoppelt
 }
cube-dropped-by = { $name } hat gepasst
cube-agreed = Einigung
fact-late = In diesem Zug wird nicht mehr verdoppelt
fact-automatics = { $count ->
    [one] 1 automatisches Doppel
   *[other] { $count } automatische Doppel
 }
fact-carried = { $count ->
    [one] 1 automatisches Doppel übernommen
   *[other] { $count } automatische Doppel übernommen
 }
more-acts = Mehr …
to-settle = Einigung …
to-order = Reihenfolge eintragen …
to-stakes = Einsätze …
to-starts = Anfangswert der Doppler …
to-split = Tisch teilen …
to-merge = An einen anderen Tisch …
to-players = Spieler doppelt eingetragen …
to-rules = Hausregeln …
to-other-game = Anderes Spiel …
say-game-of = { $said }: { $variant }
variant-standard = Backgammon
variant-nackgammon = Nackgammon
variant-hyper-backgammon = Hyper-Backgammon
variant-misere = Verlierspiel
variant-inverse = Inverses Spiel
variant-plakoto = Plakoto
variant-fevga = Fevga
to-correct = Partie korrigieren …
to-settle-up = Wer zahlt wem …
to-proxy = Wer für { $name } entscheidet
now-too-few = Für eine Partie braucht es mindestens { $count }
now-split-due = Mehr als { $most }: Teilt den Tisch vor der nächsten Partie
now-partner-due = Die Box braucht einen Partner
    .box = { $Box } braucht einen Partner
now-asked-for-partner = { $name }: Partner der Box?
    .box = { $name }: Partner ({ $Box })?
now-tie-waits = Eröffnungspasch: Will { $name } das automatische Doppel?
now-due-first = { $name } antwortet zuerst: annehmen oder passen?
now-due = { $name } antwortet: annehmen oder passen?
now-at-once = Alle antworten zugleich und verdeckt. Noch offen: { $names }
now-beavered = { $animal ->
    [beaver] Beaver auf { $to }: Antwort von { $whom } steht aus
    [raccoon] Raccoon auf { $to }: Antwort von { $whom } steht aus
    [otter] Otter auf { $to }: Antwort von { $whom } steht aus
   *[more] Sofort auf { $to } redoppelt: Antwort von { $whom } steht aus
 }
now-asked-for-extra = { $name }: ein Extra gegen { $taker }?
now-must-beaver = { $name } hat allein angenommen: beavern oder passen?
now-extras-offered = { $name } hat allein angenommen: Extras von { $from } annehmen oder passen?
yours-answer-first = Du antwortest jetzt: annehmen oder passen?
yours-answer = Annehmen oder passen?
yours-answered = Du hast geantwortet
yours-hidden = Deine Antwort bleibt verdeckt, bis alle geantwortet haben.
yours-change = Deine Antwort: { $what }. Du kannst sie ändern, bis alle geantwortet haben.
yours-extra = Ein Extra gegen { $taker }?
yours-beaver-or-drop = Du hast allein angenommen: beavern oder passen?
yours-must-drop = Du hast allein angenommen: Du musst auch passen
yours-extras = Extras von { $from } annehmen oder passen?
yours-alone = Alle anderen haben gepasst.
yours-partnership = Willst du Partner der Box sein?
    .box = Willst du Partner ({ $Box }) sein?
yours-for = Du entscheidest für { $name }.
yours-tie = Eröffnungspasch: Willst du das automatische Doppel?
answer-take = annehmen
answer-drop = passen
answer-beaver = beavern
say-rules-changed = Die Hausregeln ändern sich
say-rules-changed-these = Hausregeln geändert: { $settings }
say-takes-break = { $name } macht Pause
say-decides = { $proxy } entscheidet für { $name }
say-decides-alone-again = { $name } entscheidet wieder selbst
say-follows-captain = Der Doppler von { $name } folgt dem des Captains
say-merged = { $duplicate } war { $name }, doppelt eingetragen
say-stake = { $name } spielt um das { $units }-Fache des Einsatzes
say-start = Der Doppler von { $name } beginnt bei { $value }
say-split = { $names } gehen an einen eigenen Tisch
say-goes-over = Alle gehen an einen anderen Tisch
say-partnership = Partner der Box? Der Reihe nach gefragt: { $names }
    .box = Partner ({ $Box })? Der Reihe nach gefragt: { $names }
say-declines-partnership = { $name } will nicht Partner sein
say-partner = { $name } ist Partner der Box
    .box = { $name } ist Partner ({ $Box })
say-partner-drawn = { $name } ist Partner der Box, durch das Los
    .box = { $name } ist Partner ({ $Box }), durch das Los
say-partners = Partner der Box: { $names }
    .box = Partner ({ $Box }): { $names }
say-declines-box = { $name } lehnt die Box ab
    .box = { $name } lehnt ab ({ $Box })
say-game-starts-on-board = Partie { $game } auf dem Brett
say-tie-doubles = Eröffnungspasch: Doppler auf { $to }
say-tie-declined = Eröffnungspasch: Box lehnt das Doppel ab
    .box = Eröffnungspasch: { $Box } lehnt das Doppel ab
say-tie-nothing = Eröffnungspasch: Die Doppler bleiben
say-tie-carried = Eröffnungspasch: Doppel für die nächste Partie
say-doubles-for-team = { $who } verdoppelt für das Team auf { $to }
say-redoubles-for-team = { $who } redoppelt für das Team auf { $to }
say-beavers = { $animal ->
    [beaver] { $who }: Beaver auf { $to }
    [raccoon] { $who }: Raccoon auf { $to }
    [otter] { $who }: Otter auf { $to }
   *[more] { $who } redoppelt sofort auf { $to }
 }
say-beavers-whom = { $animal ->
    [beaver] { $who }: Beaver gegen { $whom } auf { $to }
    [raccoon] { $who }: Raccoon gegen { $whom } auf { $to }
    [otter] { $who }: Otter gegen { $whom } auf { $to }
   *[more] { $who } redoppelt sofort gegen { $whom } auf { $to }
 }
say-answered = { $name } hat geantwortet
say-takes-from = { $who } nimmt { $to } von { $from } an
say-drops-to = { $who } passt gegen { $from }, verliert { $loses }
say-everybody-takes = Alle nehmen an
say-everybody-drops = Alle passen
say-everybody-doubles = Alle verdoppeln gegen die Box
    .box = Alle verdoppeln gegen { $Box }
say-they-double = { $who } verdoppeln
say-they-take = { $who } nehmen an
say-they-drop = { $who } passen
say-plays-on = Gewürfelt: nächster Zug
say-alone-must-drop = { $name } hat allein angenommen und muss passen
say-alone-must-beaver = { $name } hat allein angenommen: beavern oder passen
say-alone-extras = { $name } hat allein angenommen. Nach Extras gefragt: { $asked }
say-offers-extra = { $name } bietet ein Extra an
say-passes-extra = { $name } bietet kein Extra an
say-extras = Extra von { $from } an { $taker }: Doppler auf { $to }, { $pays } bezahlt
say-takes-extras = { $taker } nimmt die Extras von { $from } auf { $to } an, { $pays } bezahlt
say-settles = { $payee } bekommt { $points } von { $payer }
say-drops-alone = { $who } passt
say-drops-to-alone = { $who } passt gegen { $from }
say-extras-alone = Extra von { $from } an { $taker }: Doppler auf { $to }
say-takes-extras-alone = { $taker } nimmt die Extras von { $from } auf { $to } an
say-settles-alone = { $one } und { $other } einigen sich
say-corrected-alone = Partie { $game } korrigiert
say-share = Anteil von { $name }: { $share }
say-corrected = Partie { $game } korrigiert: { $changes }
say-pays = { $payer } zahlt { $amount } an { $payee }
say-board-tied = Eröffnungswurf: beide { $die }
say-board-opens = { $who } beginnt mit { $roll }
say-board-cocked = { $who }: Würfel liegt schief
say-board-rolls = { $who } würfelt { $roll }
say-board-rolls-early = { $who } würfelt zu früh { $roll }
say-board-plays = { $who } zieht { $roll }
say-board-passes = { $who } kann nicht ziehen
say-board-leaves = { $who } nimmt nach einem regelwidrigen Zug die Würfel auf
say-board-accepts-play = { $who } lässt den Zug gelten
say-board-sends-back = { $who } weist den Zug zurück
say-board-resigns = { $who } gibt auf: { $kind }
say-board-accepts = { $who } nimmt die Aufgabe an
say-board-rejects = { $who } lehnt die Aufgabe ab
say-board-doubles = { $who } verdoppelt auf { $to }
say-board-beavers = { $who }: Beaver auf { $to }
say-board-takes = { $who } nimmt den Doppler auf { $to } an
say-board-drops = { $who } passt
say-board-anew = Beide Mütter sind gefangen: Niemand gewinnt, und die Partie beginnt neu
say-board-else = Die Partie auf dem Brett ist vorbei
bar = Bar
off = aus
jacoby-nobody = Jacoby: Kein Doppler, der noch im Spiel ist, wurde gedreht. Die Partie zählt einfach.
jacoby-only = Jacoby: Mehr als einfach zählt sie nur, wo der Doppler gedreht wurde: { $names }.
rules-otherwise-common = Sonst die üblichen Regeln
