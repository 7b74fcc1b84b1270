new-tournament = Nuovo torneo
tournaments-open = In programma e in corso
tournaments-past = Conclusi
all-tournaments = Tutti i tornei
no-open-tournaments = Nessun torneo in programma.
is-today = oggi
won-by = Vincitore
entries-count = { $count ->
    [one] { $count } iscritto
   *[other] { $count } iscritti
}
entries-here = { $count } in sala
matches-playing = { $count ->
    [one] { $count } incontro in corso
   *[other] { $count } incontri in corso
}
matches-left = { $count ->
    [one] { $count } incontro da giocare
   *[other] { $count } incontri da giocare
}
matches-more = { $count ->
    [one] e un altro incontro ({ $count })
   *[other] e altri { $count } incontri
}
matches-waiting = { $count ->
    [one] { $count } incontro aspetta un tavolo.
   *[other] { $count } incontri aspettano un tavolo.
}
all-played = tutto giocato
not-drawn = non ancora sorteggiato
is-over = concluso
is-cancelled = annullato
cancelled-because = Annullato: { $reason }
division-pages = Pagine della categoria
page-bracket = Tabellone
page-draw = Sorteggio
page-entries = Iscritti
column-place = Posto
column-from = Circolo
column-seed = Testa di serie
column-number = N.
column-status = Stato
column-prize = Premio
list-show = Quali
list-all = Tutti
list-here = Presenti
list-waiting = In attesa
list-left = Fuori
list-nobody = Nessuno.
list-whole = Tutto su una pagina
page-places = Piazzamenti
no-divisions = Non c’è ancora niente in programma.
to-desk = Tavolo del direttore
prizes = Premi
rules-sheet = Regolamento
playing-now = In corso
latest-results = Ultimi risultati
room-screen = Lo schermo in sala
embed = Mostra il tabellone su un altro sito
embed-short = Incorpora
embed-hint = Copia questo nell’altra pagina. Mostra il tabellone com’è, e nient’altro del circolo.
embed-element = Da copiare
embed-link = Il suo indirizzo
paper-slips = Foglietti degli incontri
paper-cards = Cartellini dei giocatori
told-format-knock-out = Eliminazione diretta
told-format-third-place = con incontro per il terzo posto
told-format-first-losers = seconda possibilità per chi perde il primo incontro
told-format-first-played = seconda possibilità per chi perde il primo incontro che gioca
format-up-to = { $count ->
    [1] consolazione per chi perde al turno 1
   *[other] consolazione per chi perde nei turni da 1 a { $count }
}
told-format-progressive = consolazione progressiva
format-with-finalist = consolazione per chiunque perda
told-format-second-place = chi la vince gioca per il secondo posto
format-single = doppia eliminazione con finale unica
format-double = doppia eliminazione
told-clock-optional = orologio se entrambi lo vogliono
told-clock-preferred = orologio se uno lo vuole
told-clock-required = con orologio
clock-set = { $reserve } a punto + { $delay } s a mossa
told-moves-legal = mosse legali
told-moves-responsible = mosse responsabili
plays-holland = regola Holland
is-rated = vale per la classifica
lengths-of = { $lengths } a ritroso dalla finale
fee-entry = Iscrizione
fee-registration = Quota al circolo
fee-re-entry = Rientro
money-pool = Montepremi
money-kept = Trattiene il circolo
entries = Iscritti
checked-in = presente
standing-in = in gioco
standing-waiting = aspetta un posto
standing-leaving = lascia dopo questo incontro
standing-withdrawn = ritirato
standing-disqualified = squalificato
standing-entered-again = rientrato
entry-again = { $name } ({ $times })
places = Piazzamenti
still-plays = ancora in gioco
no-places = Nessuno ha ancora un piazzamento.
prizes-given = Premi assegnati
prizes-due = Premi
prize-winner = Vincitore
prize-finalist = Finalista
prize-semi-finalist = Semifinalista
prize-consolation-winner = Vincitore della consolazione
prize-consolation-finalist = Finalista della consolazione
prize-last-chance-winner = Vincitore del last chance
prizes-wait = Manca ancora l’incontro { $match }
match-long = Incontro a { $points }
match-won = ha vinto
match-games = Le partite
match-ways = Come si prosegue
match-in-bracket = Nel tabellone
match-done = Finito
match-empty = Non si gioca
match-waits = Aspetta i suoi giocatori
match-postponed = Più tardi
match-postponed-until = Non prima delle { $when }
match-ready = Si può chiamare
match-ready-since = Pronto dalle
match-called-at = Chiamato
match-began-at = Iniziato
match-ended-at = Finito
match-report = { $name } dice { $score }.
next-at = Al tavolo { $table }, adesso
next-playing = Gioca al tavolo { $table }
next-ready = Prossimo: aspetta la chiamata
next-waits = Prossimo, quando si saprà l’avversario
idle-not-drawn = Non è stato ancora sorteggiato niente.
idle-starts = Si comincia { $when }. Il sorteggio non è ancora stato fatto.
division-starts = inizio { $time }
idle-out = Qui non ci sono altri incontri.
way-nobody = Qui nessuno si chiama così.
way-several = Si chiamano così in diversi:
bracket-page = Tabellone di { $event }
draws = Sorteggi
draw-nth = Sorteggio { $number }
draw-last-chance = Last chance { $number }
draw-reason = Rifatto il sorteggio: { $reason }
draw-by-hand = Questo sorteggio è stato fatto a mano: i posti li ha decisi il direttore.
report-title = Com’è finita?
report-won = Ho vinto
report-lost = Ho perso
report-confirm = Conferma { $score }
report-other-score = Un altro punteggio
report-score = { $mine }–{ $theirs }
report-you-said = Hai detto { $score }.
report-other-said = { $name } ha detto { $score }.
report-take-back = Ritira quello che ho detto
report-how = Tocca il punteggio. Quando dite la stessa cosa, quello è il risultato; fino ad allora puoi toccarne un altro.
to-cash-desk = La cassa
my-matches = Le mie partite
next-put-off = Prossima: rinviata finché lo dice il direttore
next-put-off-until = Prossima: rinviata alle { $time }
report-differ = Non dite la stessa cosa: andate dal direttore.
report-by-card = Giochi qui? Inquadra il codice sul tuo cartellino, o accedi, per dire com’è finita.
way-not-played = non giocata
way-place = Posto { $place } su { $of }
