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
    [one] { $count } match in corso
   *[other] { $count } match in corso
}
matches-left = { $count ->
    [one] { $count } match da giocare
   *[other] { $count } match da giocare
}
matches-more = { $count ->
    [one] e un altro match ({ $count })
   *[other] e altri { $count } match
}
matches-waiting = { $count ->
    [one] { $count } match aspetta un tavolo.
   *[other] { $count } match aspettano un tavolo.
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
list-show = Mostra
list-all = Tutti
list-here = Presenti
list-waiting = In attesa
list-left = Fuori
list-nobody = Nessuno.
list-whole = Tutto su una pagina
page-places = Piazzamenti
no-divisions = Nessuna categoria è ancora annunciata.
to-desk = Direzione di gara
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
paper-slips = Foglietti dei match
paper-cards = Cartellini dei giocatori
told-format-knock-out = Eliminazione diretta
told-format-third-place = con match per il terzo posto
told-format-first-losers = consolazione per chi perde il primo match
told-format-first-played = consolazione per chi perde il primo match che gioca
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
clock-set = { $reserve } a punto + { $delay } s a mossa
told-moves-legal = mosse legali
told-moves-responsible = mosse responsabili
plays-holland = regola Holland
is-rated = vale per l’Elo
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
standing-leaving = lascia dopo questo match
standing-withdrawn = ritiro
standing-disqualified = squalifica
standing-entered-again = rientro
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
prizes-wait = Manca ancora il match { $match }
match-long = Match a { $points } punti
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
match-report = { $name } indica { $score }.
next-at = Al tavolo { $table }, adesso
next-playing = Gioca al tavolo { $table }
next-ready = Prossimo: aspetta la chiamata
next-waits = Prossimo, quando si saprà l’avversario
idle-not-drawn = Il sorteggio non è ancora stato fatto.
idle-starts = Si comincia { $when }. Il sorteggio non è ancora stato fatto.
division-starts = inizio { $time }
idle-out = Qui non ci sono altri match.
way-nobody = Qui nessuno si chiama così.
way-several = Si chiamano così in diversi:
bracket-page = Tabellone di { $event }
draws = Sorteggi
draw-nth = Sorteggio { $number }
draw-last-chance = Last chance { $number }
draw-reason = Rifatto il sorteggio: { $reason }
draw-by-hand = Il direttore ha fatto questo sorteggio a mano.
report-title = Com’è finita?
report-won = Ho vinto
report-lost = Ho perso
report-confirm = Conferma { $score }
report-other-score = Un altro punteggio
report-score = { $mine }–{ $theirs }
report-you-said = Hai indicato { $score }.
report-other-said = { $name } ha indicato { $score }.
report-take-back = Ritira il mio risultato
report-how = Tocca il punteggio. Quando indicate tutti e due lo stesso, quello è il risultato; fino ad allora puoi cambiare il tuo.
to-cash-desk = La cassa
my-matches = I miei match
next-put-off = Prossimo: rinviato finché non decide il direttore
next-put-off-until = Prossimo: rinviato alle { $time }
report-differ = I vostri risultati sono diversi: andate dal direttore.
report-by-card = Giochi in questo match? Inquadra il codice sul tuo cartellino, o accedi, per indicare il risultato.
way-not-played = non giocato
way-place = Posto { $place } su { $of }
