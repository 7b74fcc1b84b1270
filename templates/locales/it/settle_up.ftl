settle-up = Chi dà quanto a chi
settle-playing = Una partita è in corso. Conta quando è finita.
all-even = Nessuno deve niente a nessuno.
hands-to = dà a
paid = Pagato
told-payment = : { $payer } ha dato { $amount } a { $payee }
was-paid = pagato
undo-paid = Annulla
payments-exact = { $count ->
    [one] Un pagamento sistema tutto.
   *[other] { $count } pagamenti sistemano tutto. Meno non bastano.
}
payments-many = { $count ->
    [one] Un pagamento sistema tutto.
   *[other] { $count } pagamenti sistemano tutto.
}
unpaid-stays = Ciò che non si paga adesso resta nei conti e si può pagare quando si vuole.
column-paid = pagato
column-open = aperto
column-game = Partita
column-result = Risultato
leaver-title = Qualcuno va via prima
leaver-hint = Uno o più degli altri saldano chi va via, e ne prendono il posto nei conti.
leaver-who = Chi va via
leaver-owed = { $name } deve avere { $amount }. Chi paga?
leaver-owes = { $name } deve { $amount }. A chi?
leaver-work-out = Fai il conto
leaver-still-owed = { $name } deve avere ancora { $amount }.
leaver-still-owes = { $name } deve ancora { $amount }.
as-much-as-due = quanto spetta
amount-of = Importo per { $name }
score-sheet = Partita per partita
print-sheet = Stampa il foglio
line-payment = pagamento
line-contested = { $what }, contestata
line-upheld = { $what }, non più contestata
line-corrected = Corretto: { $what }
line-merged = Inserito due volte: { $what }
line-entry-fee = quota di iscrizione
line-registration = diritti di segreteria
line-side-pool = montepremi a parte
line-re-entry = rientro
line-added = aggiunto dalla casa
line-kept = trattenuto dalla casa
line-prize = premio
line-paid-in = versato
line-paid-out = pagato
line-refund = rimborso
line-returned = restituito
line-of-tournament = Torneo
line-of-session = Sessione a soldi
line-with-pool = il montepremi
line-with-house = la casa
one-point = { $points } punto
some-points = { $points } punti
leaver-too-much = È più dei { $amount } ancora aperti.
leaver-bad-amount = Un importo è un numero maggiore di zero, come 30 o 7,50.
settle-whole-night = Tutta la serata
settle-night-link = I conti di tutta la serata
settle-night-plays = si gioca
settle-night-playing = Una partita è in corso. I conti della serata si chiudono quando è finita.
settle-night-pay = Registra tutto come pagato
settle-night-books = Dopo di che i conti di ogni tavolo sono pari.
settle-night-crosswise = Nessuno dà niente a nessuno: quello che uno deve a un tavolo gli è dovuto a un altro.
settle-night-sessions = Sessioni a soldi
settle-night-sessions-hint = Non contano qui sopra: ognuna si salda sul suo foglio.
settle-night-back = Annulla l’ultima registrazione
column-won = vinto
