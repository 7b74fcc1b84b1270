treasury-title = Cassa
books-treasury = Cassa
books-daybook = Prima nota
treasury-waiting = In attesa di una seconda persona
treasury-due = Conti aperti
treasury-owe = I giocatori devono
treasury-owed = I giocatori devono avere
treasury-payments = Il minor numero di pagamenti che salda tutto
treasury-pays = { $payer } paga { $payee }
treasury-mark-paid = Segna come pagato
treasury-partial-hint = Si può pagare una parte: il resto rimane aperto.
treasury-by-person = Per persona
treasury-even = Nessuno deve nulla.
treasury-recent = Ultime registrazioni
treasury-all-records = Tutte le registrazioni
treasury-money = I soldi del circolo
treasury-drawer = In cassa, secondo i libri
treasury-bank = In banca, secondo i libri
treasury-earned = Guadagnato quest’anno
ledger-earned = Guadagnato
ledger-drawer = Cassa
treasury-count = Conta la cassa
treasury-counted = Quanto contiene
treasury-count-hint = Una differenza viene registrata, così i libri concordano con la cassa.
treasury-record = Registra
treasury-payment = Un pagamento
treasury-payer = Chi paga
treasury-payee = A chi
treasury-the-club = Il circolo
treasury-club-hint = Un campo vuoto indica il circolo.
treasury-by-bank = Tramite banca
treasury-amount = Importo
treasury-on = Il
treasury-memo = Nota
treasury-save = Registra
treasury-fee = Una quota
treasury-fee-kind = Per che cosa
treasury-who = Chi
treasury-outside = Spesa o entrata
treasury-outside-way = Quale
treasury-for-what = Per che cosa
treasury-deposit = Cassa e banca
treasury-deposit-way = In che direzione
treasury-to-bank = Dalla cassa alla banca
treasury-from-bank = Dalla banca alla cassa
treasury-adjustment = Una rettifica
treasury-from = Quale saldo scende
treasury-to = Quale saldo sale
treasury-adjust-hint = Un campo vuoto indica il circolo. Oltre il limite del circolo deve approvare una seconda persona.
treasury-opening = Un saldo di apertura
treasury-whose = Di chi
treasury-opening-way = Situazione
treasury-is-owed = a credito
treasury-owes = a debito
treasury-closing = Chiusura
treasury-closed-through = I libri sono chiusi fino a { $month }.
treasury-nothing-closed = Nessun mese è ancora chiuso.
treasury-close-month = Chiudi fino a tutto
treasury-close-hint = In un mese chiuso non cambia più nulla. Una correzione successiva vale per il giorno in cui si fa.
treasury-close = Chiudi
treasury-reopen = Riapri un mese
treasury-reopen-month = Da questo mese
daybook-title = Prima nota
daybook-empty = Ancora nessuna registrazione.
daybook-take-back = Annulla
daybook-take-back-hint = La registrazione resta, e si registra il suo contrario.
daybook-why = Perché
daybook-approve = Approva
daybook-decline = Rifiuta
daybook-proposed = attende approvazione
daybook-taking-back = annullamento in attesa di approvazione
daybook-declined = rifiutata
daybook-taken-back = annullata
daybook-by-bank = { $what }, tramite banca
daybook-adjusted = Da { $from } a { $to }
daybook-counted = Cassa contata: { $counted }, secondo i libri { $expected }
ledger-all = Tutto
ledger-opening = Saldo prima
ledger-closing = Saldo dopo
ledger-gained = In più
ledger-lost = In meno
ledger-signed = Firmato
line-counts-for = mese chiuso: vale per { $day }
treasury-club-name = il circolo
adjustment-limit = Importo che una persona può registrare da sola, in { $currency }
adjustment-limit-hint = Conta per giornata: rettifiche, saldi iniziali, partite precedenti, importazioni e pagamenti propri, e inoltre le quote di un singolo giocatore. Ciò che va oltre, e tutto ciò che è in punti, attende l’approvazione di una seconda persona. Ciò che due persone hanno approvato si annulla in due. Lasciare vuoto per nessun limite.
adjustment-limit-alone = Al momento nessun altro può approvare, quindi il limite non vale: ciò che lo supera attende soltanto che una seconda persona possa tenere i conti.
due-you-owe = Devi { $amount }
due-you-are-owed = Ti spettano { $amount }
due-owes = Deve { $amount }
due-is-owed = Gli spettano { $amount }
due-transfer = Paga con bonifico
due-code = Inquadralo con l’app della tua banca: compila il bonifico.
due-remittance = libri del club
ledger-where = Dove
ledger-narrow = Restringi
line-game = gioco
line-stake = posta
line-bet = scommessa con il box o la squadra
line-extra = extra
line-extra-payment = pagamento di un extra
line-partner = quota del socio
iban = Conto bancario (IBAN)
iban-hint = Mostrato a chi gli deve denaro.
iban-club-hint = Ai soci che devono denaro si mostra come pagare su questo conto.
due-settle = Come saldarlo
treasury-only-these = Salda solo questi
treasury-everybody = Tutti
import-title = Importare da un vecchio club
import-table = Che cosa contiene la tabella
import-standings = Saldi
import-games = Partite passate
import-standings-columns = Una riga di intestazioni, poi una riga per ogni saldo: player, unit (points o una valuta) e amount. Sotto zero è ciò che qualcuno deve.
import-games-columns = Una riga di intestazioni, poi una riga per ogni partita: date, winner, loser, e points, oppure currency e amount, o tutti e tre.
import-file = La tabella
import-choose = Scegli un file (CSV)
import-text = La tabella come testo
import-on = I saldi sono del
import-add-players = Aggiungi i nomi sconosciuti come ospiti
import-add-hint = Restano, anche se l’importazione viene annullata.
import-preview = Controlla
import-record = Registra
import-as-one = Tutto diventa una sola registrazione del giornale, annullabile in un colpo.
import-nothing-booked = Non si registra nulla finché non è tutto giusto.
import-line = Riga { $line }
import-cell = { $column }: «{ $found }»
import-stands = «{ $found }»
import-whole-line = La riga
import-beat = { $winner } batte { $loser }
import-adds = Aggiunti come ospiti: { $names }
import-standings-of = { $count ->
    [one] { $count } saldo
   *[other] { $count } saldi
}
import-games-of = { $count ->
    [one] { $count } partita
   *[other] { $count } partite
}
import-wrong = { $count ->
    [one] Una cosa è sbagliata
   *[other] { $count } cose sono sbagliate
}
import-more = { $count ->
    [one] E un’altra riga.
   *[other] E altre { $count } righe.
}
daybook-standings = { $count ->
    [one] { $count } saldo iniziale
   *[other] { $count } saldi iniziali
}
daybook-past-games = { $count ->
    [one] { $count } partita passata
   *[other] { $count } partite passate
}
line-past-game = partita passata
import-too-large = Il file supera 1 MiB.
import-too-many-lines = Al massimo 5000 righe alla volta. Importa il resto a parte.
import-not-text = Non è testo in UTF-8. Salva la tabella come CSV in UTF-8.
import-nothing-to-book = Non c’è nulla da registrare.
import-unknown-column = Questa intestazione qui non esiste.
import-column-twice = Questa intestazione c’è due volte.
import-missing-column = Manca questa colonna.
import-wrong-cells = Più o meno celle delle intestazioni.
import-open-quote = Manca una virgoletta.
import-empty = Qui non c’è scritto nulla.
import-bad-name = Non è un nome.
import-unknown-player = Nessuno si chiama così.
import-ambiguous-name = Più persone hanno questo soprannome. Scrivi il nome completo.
import-same-player = Nessuno gioca contro se stesso.
import-twice = Questo saldo c’è già.
import-bad-unit = Né points né una valuta come EUR.
import-unknown-currency = Il club non tiene conti in questa valuta.
import-bad-amount = Non è un importo come 12,5, o ha troppe cifre.
import-bad-day = Non è un giorno come 2025-11-30 o 30.11.2025.
import-in-the-future = Questo giorno deve ancora venire.
import-month-closed = Questo mese è chiuso.
