treasury-title = Kasse
books-treasury = Kasse
books-daybook = Journal
treasury-waiting = Wartet auf eine zweite Person
treasury-due = Offene Beträge
treasury-owe = Spieler schulden
treasury-owed = Spieler bekommen
treasury-payments = Die wenigsten Zahlungen, die alles ausgleichen
treasury-pays = { $payer } zahlt an { $payee }
treasury-mark-paid = Als bezahlt eintragen
treasury-partial-hint = Auch ein Teil kann bezahlt werden: Der Rest bleibt offen.
treasury-by-person = Nach Person
treasury-even = Niemand schuldet etwas.
treasury-recent = Zuletzt gebucht
treasury-all-records = Alle Buchungen
treasury-money = Geld des Clubs
treasury-drawer = In der Kasse, laut Büchern
treasury-bank = Auf der Bank, laut Büchern
treasury-earned = In diesem Jahr erwirtschaftet
ledger-earned = Erwirtschaftet
ledger-drawer = Kasse
treasury-count = Kasse zählen
treasury-counted = Was darin ist
treasury-count-hint = Eine Abweichung wird gebucht, damit Bücher und Kasse übereinstimmen.
treasury-record = Buchen
treasury-payment = Zahlung
treasury-payer = Wer zahlt
treasury-payee = An wen
treasury-the-club = Clubkasse
treasury-club-hint = Ein leeres Feld steht für die Clubkasse.
treasury-by-bank = Über die Bank
treasury-amount = Betrag
treasury-on = Am
treasury-memo = Notiz
treasury-save = Buchen
treasury-fee = Gebühr
treasury-fee-kind = Wofür
treasury-who = Wer
treasury-outside = Ausgabe oder Einnahme
treasury-outside-way = Was
treasury-for-what = Wofür
treasury-deposit = Kasse und Bank
treasury-deposit-way = Richtung
treasury-to-bank = Von der Kasse zur Bank
treasury-from-bank = Von der Bank zur Kasse
treasury-adjustment = Berichtigung
treasury-from = Wessen Konto sinkt
treasury-to = Wessen Konto steigt
treasury-adjust-hint = Ein leeres Feld steht für die Clubkasse. Über der Grenze des Clubs muss eine zweite Person freigeben.
treasury-opening = Anfangsbestand
treasury-whose = Von wem
treasury-opening-way = Steht
treasury-is-owed = im Guthaben oder vorhanden
treasury-owes = in der Schuld
treasury-closing = Abschluss
treasury-closed-through = Die Bücher sind bis { $month } abgeschlossen.
treasury-nothing-closed = Noch kein Monat ist abgeschlossen.
treasury-close-month = Abschließen bis einschließlich
treasury-close-hint = In einem abgeschlossenen Monat ändert sich nichts mehr. Spätere Berichtigungen zählen für den Tag der Berichtigung.
treasury-close = Abschließen
treasury-reopen = Monat wieder öffnen
treasury-reopen-month = Ab diesem Monat
daybook-title = Journal
daybook-empty = Noch ist nichts gebucht.
daybook-take-back = Zurücknehmen
daybook-take-back-hint = Die Buchung bleibt stehen, und ihre Gegenbuchung kommt dazu.
daybook-why = Warum
daybook-approve = Freigeben
daybook-decline = Ablehnen
daybook-proposed = wartet auf Freigabe
daybook-taking-back = Rücknahme wartet auf Freigabe
daybook-declined = abgelehnt
daybook-taken-back = zurückgenommen
daybook-by-bank = { $what }, über die Bank
daybook-adjusted = Von { $from } an { $to }
daybook-counted = Kasse gezählt: { $counted }, laut Büchern { $expected }
ledger-all = Alles
ledger-opening = Stand davor
ledger-closing = Stand danach
ledger-gained = Plus
ledger-lost = Minus
ledger-signed = Signiert
line-counts-for = Monat abgeschlossen: zählt für { $day }
treasury-club-name = Clubkasse
adjustment-limit = Was eine Person allein buchen darf, in { $currency }
adjustment-limit-hint = Über einen Tag gezählt: Berichtigungen, Anfangsbestände, frühere Partien, Importe und eigene Zahlungen, dazu die Gebühren eines einzelnen Spielers. Mehr als das, und alles in Punkten, wartet, bis eine zweite Person es freigibt. Was zwei freigegeben haben, nehmen auch nur zwei zurück. Leer lassen: keine Grenze.
adjustment-limit-alone = Zurzeit kann sonst niemand etwas freigeben, deshalb greift die Grenze nicht: Was darüber liegt, wartet nur, bis eine zweite Person die Bücher führen darf.
due-you-owe = Du schuldest { $amount }
due-you-are-owed = Du bekommst noch { $amount }
due-owes = Schuldet { $amount }
due-is-owed = Bekommt noch { $amount }
due-transfer = Per Bank bezahlen
due-code = Mit der Banking-App scannen: sie füllt die Überweisung aus.
due-remittance = Clubkasse
ledger-where = Wo
ledger-narrow = Eingrenzen
line-game = Partie
line-stake = Einsatz
line-bet = Wette mit Box oder Team
line-extra = Extra
line-extra-payment = Zahlung für ein Extra
line-partner = Anteil des Partners
iban = Bankkonto (IBAN)
iban-hint = Wird denen gezeigt, die der Person Geld schulden.
iban-club-hint = Mitgliedern, die Geld schulden, wird gezeigt, wie sie auf dieses Konto zahlen.
due-settle = Wie es beglichen wird
treasury-only-these = Nur diese ausgleichen
treasury-everybody = Alle
import-title = Aus einem alten Club übernehmen
import-table = Was die Tabelle enthält
import-standings = Stände
import-games = Frühere Spiele
import-standings-columns = Eine Zeile mit Überschriften, dann eine Zeile je Stand: player, unit (points oder eine Währung) und amount. Unter null steht, was jemand schuldet.
import-games-columns = Eine Zeile mit Überschriften, dann eine Zeile je Spiel: date, winner, loser, und points, oder currency und amount, oder alle drei.
import-file = Die Tabelle
import-choose = Datei wählen (CSV)
import-text = Die Tabelle als Text
import-on = Die Stände sind vom
import-add-players = Unbekannte Namen als Gäste aufnehmen
import-add-hint = Sie bleiben, auch wenn die Übernahme zurückgenommen wird.
import-preview = Ansehen
import-record = Buchen
import-as-one = Alles wird ein Eintrag im Tagebuch und als einer zurückgenommen.
import-nothing-booked = Gebucht wird erst, wenn alles stimmt.
import-line = Zeile { $line }
import-cell = { $column }: „{ $found }“
import-stands = „{ $found }“
import-whole-line = Die Zeile
import-beat = { $winner } schlug { $loser }
import-adds = Als Gäste aufgenommen: { $names }
import-standings-of = { $count ->
    [one] { $count } Stand
   *[other] { $count } Stände
}
import-games-of = { $count ->
    [one] { $count } Spiel
   *[other] { $count } Spiele
}
import-wrong = { $count ->
    [one] Eines stimmt nicht
   *[other] { $count } Dinge stimmen nicht
}
import-more = { $count ->
    [one] Und eine weitere Zeile.
   *[other] Und { $count } weitere Zeilen.
}
daybook-standings = { $count ->
    [one] { $count } Anfangsstand
   *[other] { $count } Anfangsstände
}
daybook-past-games = { $count ->
    [one] { $count } früheres Spiel
   *[other] { $count } frühere Spiele
}
line-past-game = früheres Spiel
import-too-large = Die Datei ist größer als 1 MiB.
import-too-many-lines = Höchstens 5000 Zeilen auf einmal. Den Rest bitte gesondert einlesen.
import-not-text = Das ist kein Text in UTF-8. Die Tabelle als CSV in UTF-8 speichern.
import-nothing-to-book = Es gibt nichts zu buchen.
import-unknown-column = Diese Überschrift gibt es hier nicht.
import-column-twice = Diese Überschrift steht zweimal da.
import-missing-column = Diese Spalte fehlt.
import-wrong-cells = Mehr oder weniger Felder als Überschriften.
import-open-quote = Ein Anführungszeichen fehlt.
import-empty = Hier steht nichts.
import-bad-name = Das ist kein Name.
import-unknown-player = Niemand heißt so.
import-ambiguous-name = Mehrere haben diesen Spitznamen. Bitte den vollen Namen schreiben.
import-same-player = Niemand spielt gegen sich selbst.
import-twice = Dieser Stand steht schon da.
import-bad-unit = Weder points noch eine Währung wie EUR.
import-unknown-currency = Der Club führt keine Bücher in dieser Währung.
import-bad-amount = Kein Betrag wie 12,5, oder zu viele Stellen.
import-bad-day = Kein Tag wie 2025-11-30 oder 30.11.2025.
import-in-the-future = Dieser Tag kommt erst noch.
import-month-closed = Dieser Monat ist abgeschlossen.
