desk = Direzione di gara
desk-places = Pagine della direzione
desk-now = Adesso
desk-entries = Iscritti
desk-set-up = Impostazioni
desk-room = Sala
desk-money = Cassa
desk-moved = Il torneo è andato avanti. Inviarlo lo stesso?
desk-nobody-came = Mancano sia { $one } sia { $other }
desk-beats = { $winner } batte { $loser }
desk-concedes = { $loser } abbandona, vince { $winner }
desk-walks-over = { $winner } va avanti, { $loser } non c’è
desk-walks-over-leaves = { $winner } va avanti, { $loser } non c’è e si ritira
desk-walks-over-goes-on = { $winner } va avanti, { $loser } non c’è ma continua
desk-forfeits = { $winner } va avanti, { $loser } perde a tavolino
desk-disqualified = { $winner } va avanti, squalifica per { $loser }
desk-has-left = { $winner } va avanti, { $loser } lascia il torneo
desk-has-bye = { $winner } ha un bye
desk-did-call-several = { $count } match chiamati
desk-did-open = apertura
desk-did-about = dati cambiati
desk-did-directors = direttori cambiati
desk-did-division-added = categoria { $name } aggiunta
desk-did-division-changed = impostazioni di { $name } cambiate
desk-did-tables = tavoli cambiati
desk-did-enter = { $name } si iscrive
desk-did-enter-several = { $count } giocatori si iscrivono
desk-did-check-in = { $name } è qui
desk-did-check-out = { $name } non è qui
desk-did-check-in-several = { $count } giocatori sono qui
desk-did-check-out-several = { $count } giocatori non sono qui
desk-did-seed = teste di serie cambiate
desk-did-pools = side pool di { $name }
desk-did-draw = il sorteggio
desk-did-last-chance = last chance sorteggiato
desk-did-seat = { $name } ha un posto
desk-did-seat-by-lot = { $name } ha un posto a sorte
desk-did-exchange = due posti scambiati
desk-did-leave-after = { $name } si ritira dopo il match
desk-did-withdraw = { $name } si ritira
desk-did-disqualify = squalifica di { $name }
desk-did-re-enter = { $name } si iscrive di nuovo
desk-did-reinstate = { $name } è di nuovo in gioco
desk-did-report = risultato di { $names } indicato
desk-did-correct = correzione di { $names }
desk-did-call = chiamata di { $names } al tavolo { $table }
desk-did-uncall = chiamata di { $names } annullata
desk-did-begin = { $names } cominciano
desk-did-postpone = match di { $names } rinviato
desk-did-resume = { $names } di nuovo da chiamare
desk-did-sheet = foglio di { $names }
desk-did-pay-in = { $name } ha pagato { $amount }
desk-did-arrive = { $paid } ed è qui
desk-did-pay-out = { $name } ha ricevuto { $amount }
desk-did-book = { $amount } registrati
desk-did-award = i premi assegnati
desk-did-close = la fine del torneo
desk-did-reopen = riaperto
desk-did-cancel = l’annullamento
desk-waits = aspetta da { $minutes } min
desk-call-to = Chiama al tavolo { $table }
desk-plays = gioca da { $minutes } di circa { $planned } min
desk-plays-late = gioca da { $minutes } min, previsti { $planned }
desk-called = chiamato { $minutes } min fa
desk-begin = Hanno cominciato
desk-confirm = Conferma: { $what } (secondo { $who })
desk-differ = I due risultati sono diversi.
desk-one-said = Un giocatore ha indicato il risultato.
desk-postponed = rinviato
desk-postponed-until = rinviato fino alle { $time }
desk-resume = Si può richiamare
desk-next-over = Il torneo è finito.
desk-next-cancelled = Il torneo è stato annullato.
desk-next-division = Prima: come si gioca?
desk-add-division = Aggiungi una categoria
desk-next-reported = { $count ->
    [one] Un risultato è da confermare
   *[other] { $count } risultati sono da confermare
}
desk-next-award = Tutti i match sono giocati. Assegna i premi.
desk-next-all-played = Tutti i match sono giocati.
desk-next-nothing = Ora non c’è nulla da fare.
desk-next-playing = { $count ->
    [one] Si gioca un match
   *[other] Si giocano { $count } match
}
desk-next-enter = Chi gioca?
desk-next-enter-in = { $name }: chi gioca?
desk-next-draw = Pronti per il sorteggio?
desk-next-draw-in = { $name }: pronti per il sorteggio?
desk-next-draw-about = { $here } giocatori su { $all } sono qui.
desk-add-players = Aggiungi giocatori
desk-to-draw = Al sorteggio
desk-next-ready = { $count ->
    [one] Un match è pronto
   *[other] { $count } match sono pronti
}
desk-set-tables = Quali tavoli ci sono?
desk-no-tables = Nessun tavolo è ancora indicato. I risultati si possono inserire comunque.
desk-no-free-table = Nessun tavolo è libero.
desk-touched-playing = Si sta giocando, al tavolo { $table }.
desk-touched-called = Chiamato al tavolo { $table }.
desk-touched-sheet = In corso sul suo foglio.
desk-call-next = { $count ->
    [one] Chiama il prossimo al tavolo libero
   *[other] Chiama i prossimi { $count } ai tavoli liberi
}
desk-free-tables = { $count ->
    [one] Un tavolo è libero.
   *[other] { $count } tavoli sono liberi.
}
desk-waiting-entries = { $count ->
    [one] Un ritardatario aspetta un posto
   *[other] { $count } ritardatari aspettano un posto
}
desk-not-here = { $count ->
    [one] Un giocatore non ancora visto
   *[other] { $count } giocatori non ancora visti
}
desk-owe = { $count ->
    [one] Un giocatore deve ancora pagare
   *[other] { $count } giocatori devono ancora pagare
}
desk-close = Chiudi il torneo
desk-closing = Prima di chiudere
desk-closing-waiting = Non hanno mai avuto un posto
desk-closing-keep = Le quote vengono restituite. Segna chi non riavrà la sua, e di’ perché.
desk-closing-waited = { $name }: { $amount }
desk-closing-reason = Perché si trattengono
desk-closing-not-given = { $division }: premi per { $amount } non sono stati assegnati.
desk-closing-given-too-much = { $division }: sono stati assegnati { $amount } più di quanto c’è.
desk-gives-up-last-chance = { $name } ha di nuovo un match da giocare e lascia il last chance.
desk-reopen = Riapri il torneo
desk-cancel-title = Annulla il torneo
desk-cancel-then = Dopo non si può più inserire né chiamare niente. Si può tornare indietro.
desk-cancel-back = Quote e puntate per { $amount } vengono riaccreditate ai giocatori.
desk-cancel-owed = { $amount } va poi reso a chi ha pagato; la pagina della cassa dice a chi.
desk-cancel-stays = { $name }: i premi assegnati restano come sono.
desk-cancel-reason = Perché? Lo leggono tutti.
desk-owed-back = { $count ->
    [one] Un giocatore deve riavere soldi.
   *[other] { $count } giocatori devono riavere soldi.
}
desk-reported = Indicati dai giocatori
desk-ready = Da chiamare
desk-ready-none = Nessun match aspetta.
desk-playing = In corso
desk-playing-none = Nessun match in corso.
desk-put-off = Rinviati
desk-shown-of = { $first }–{ $last } di { $all }
desk-pages = Pagine dell’elenco
desk-previous = Precedenti
desk-next = Seguenti
desk-more = { $count ->
    [one] e un altro
   *[other] e altri { $count }
}
desk-result = Risultato
desk-correct = Correggi il risultato…
desk-call = Chiama
desk-table = Tavolo { $table }
desk-taken = occupato
desk-reserved = riservato
desk-postpone = Rinvia
desk-uncall = Annulla la chiamata
desk-player = { $name }…
desk-wins = Vince { $name }
desk-lost-points = Punti di chi perde
desk-otherwise = Non giocato fino alla fine…
desk-points-then = Punti in quel momento, se era cominciato
desk-until = Fino a quando
desk-until-resumed = finché non lo dico
desk-for-minutes = per { $minutes } minuti
desk-no-result = Nessun risultato, dopo tutto
desk-later-stands = I risultati successivi restano validi
desk-later-stands-about = Chi ora occupa il posto prende tutti i risultati successivi.
desk-later-void = I risultati successivi sono nulli
desk-later-void-about = Chi ora ha un altro avversario gioca di nuovo.
desk-takes-place = { $new } prende il posto di { $old }
desk-comes-in = Entra { $name }
desk-goes-out = Esce { $name }; il posto è libero
desk-result-stands = Il risultato resta: { $what }
desk-result-changes = { $old } diventa: { $new }
desk-result-void = Nullo, da rigiocare: { $what }
desk-result-found = Risultato: { $what }
desk-touches-nothing = Nessun match è interessato.
desk-touches = { $count ->
    [one] Un match è interessato
   *[other] { $count } match sono interessati
}
desk-correct-title = Qual è il risultato giusto?
desk-stands-now = ora: { $what }
desk-right-is = Risultato giusto:
desk-choose-another = Scegli un altro
desk-later = E i match giocati dopo?
desk-what-it-does = Che cosa cambia
desk-show = Mostra
desk-show-all = Tutti
desk-show-missing = Non ancora visti
desk-show-here = Presenti
desk-show-owing = Da pagare
desk-show-paid = In regola
desk-show-waiting = In attesa
desk-show-out = Fuori
desk-enter = Iscrivi
desk-enter-name = Nome
desk-enter-many = Più nomi insieme
desk-enter-many-hint = Un nome per riga. I nomi sconosciuti sono aggiunti come ospiti.
desk-pasted-title = Prima guarda l’elenco
desk-pasted-hint = Nessuno è ancora iscritto.
desk-pasted-kept = I nuovi giocatori tengono circolo e paese, non l’Elo.
desk-pasted-line = Riga
desk-pasted-who = Chi è
desk-pasted-otherwise = Leggi in altro modo
desk-pasted-column = Colonna { $column }
desk-pasted-again = Guarda di nuovo
desk-pasted-no-name = Qui non si legge nessun nome. Questa riga è tralasciata.
desk-pasted-twice = Come alla riga { $line }
desk-pasted-there = { $name } è già tra gli iscritti
desk-pasted-same = La stessa persona di { $name } alla riga { $line }
desk-column-name = Nome e cognome
desk-column-first-name = Nome
desk-column-last-name = Cognome
desk-column-club = Circolo
desk-column-country = Paese
desk-column-rating = Elo
desk-column-nothing = Non usata
desk-here-of = { $here } su { $all } sono qui
desk-find = Cerca un giocatore
desk-entry-more = Altro per { $name }
desk-check-in = { $name } è qui
desk-check-out = { $name } in realtà non è qui
desk-check-in-all = { $count ->
    [one] Questa persona è qui
   *[other] Tutti e { $count } sono qui
}
desk-here = qui
desk-is-here = È qui
desk-nobody-found = Nessuno.
desk-divisions = Categorie
desk-is-waiting = aspetta un posto
desk-is-leaving = si ritira dopo questo match
desk-is-withdrawn = ritiro
desk-is-disqualified = squalifica
desk-is-again = rientro
desk-seed = Salva le teste di serie
desk-seeds = Teste di serie…
desk-seeds-hint = Un nome per riga, la prima testa di serie in alto. Lascia vuoto se non ce ne sono.
desk-owes = deve { $amount }
desk-sum-due = Dovuto
desk-sum-open = Da pagare
desk-pays = Pagato { $amount }
desk-pays-and-comes = Pagato { $amount } e presente
desk-is-owed = deve avere { $amount }
desk-reinstate = { $name } è di nuovo in gioco
desk-re-enter = { $name } si iscrive di nuovo
desk-join-pools = Salva
desk-pools = Side pool
desk-seat = Metti qui
desk-seat-title = Assegna un posto a mano
desk-seat-by-lot = Sorteggia il posto di { $name }
desk-seat-all-by-lot = { $count ->
    [one] Sorteggia il posto
   *[other] Sorteggia { $count } posti
}
desk-place-against = Match { $match }, contro { $name }
desk-leaves = Ritiro dal torneo
desk-leave-now = { $name } si ritira ora
desk-leave-after = { $name } si ritira dopo il match
desk-disqualify = { $name }: squalifica
desk-draw = Sorteggia
desk-draw-again = Sorteggia di nuovo
desk-draw-by-hand = Sorteggia a mano
desk-draw-reason = Perché si sorteggia di nuovo?
desk-only-here = { $count ->
    [one] Solo chi è qui
   *[other] Solo i { $count } che sono qui; gli altri aspettano
}
desk-is-drawn = Il sorteggio è fatto.
desk-look-at-draw = Il sorteggio, passo per passo
desk-too-late-to-draw = Un match è cominciato: non si sorteggia di nuovo. I posti si possono ancora scambiare a mano.
desk-slot = Posto { $slot }
desk-hand-hint = Scrivi ogni nome accanto al numero estratto. Un posto vuoto è un bye; la parola «{ $open }» lo tiene libero per un ritardatario.
desk-hand-open = libero
desk-hand-whom = Chi sorteggiare
desk-hand-left = Da sistemare
desk-hand-all = { $count ->
    [one] Chi è iscritto
   *[other] Tutti i { $count } iscritti
}
desk-hand-nobody = Nessuno con questo nome è da sorteggiare
desk-hand-several = Più giocatori hanno questo nome
desk-hand-twice = Occupa già il posto { $slot }
desk-hand-empty = I due posti di questo match sono vuoti
desk-hand-missing = Ancora senza posto: { $names }
desk-exchange = Scambia due posti
desk-exchange-one = Questo posto
desk-exchange-other = con questo
desk-draw-last-chance = Sorteggia un last chance
desk-last-chance-who = Chi ci gioca?
desk-last-chance-lost = Eliminati e senza premio
desk-last-chance-others = Possono giocare anche
desk-last-chance-prizes = Un last chance ha un premio tutto suo, quindi gli altri cambiano:
desk-chosen = Scelti
desk-save-tables = Salva i tavoli
desk-tables-open = Tavoli aperti
desk-tables-reserved = Riservati
desk-tables-closed = Chiusi
desk-tables-hint = Numeri e intervalli: 1-12, 15. Un tavolo riservato si usa solo a mano.
desk-closed-table = chiuso
desk-free = libero
desk-crowded = Due match a un tavolo
desk-times = Previsto e reale, in minuti
desk-round = Turno
desk-played = Giocati
desk-round-minutes = Turno
desk-match-minutes = Match
desk-times-hint = Reale / previsto. Si prevedono 8 minuti a punto per un match e 11 per un turno intero. Per i tempi reali serve «Hanno cominciato».
desk-nobody-owes = Nessuno deve nulla.
desk-still-owed = Ancora da pagare: { $amount }
desk-pay-in = { $name } ha pagato { $amount }
desk-pay-out = { $name } ha ricevuto { $amount }
desk-other-amount = Un altro importo…
desk-paid-in = Ha pagato
desk-paid-out = Ha ricevuto
desk-who = Chi
desk-amount-in = Importo in { $currency }
desk-prizes = Premi
desk-pool = Montepremi
desk-kept = Trattenuto dal circolo
desk-due = Dovuto
desk-given = Assegnato
desk-why = Come si calcolano i premi
desk-why-prize = Premio
desk-why-share = Quota
desk-why-divided = Da dividere
desk-why-rounding = I premi sono multipli interi di { $unit }; il primo prende ciò che resta dall’arrotondamento.
desk-all-given = Tutti i premi dovuti sono assegnati.
desk-award = Assegna i premi dovuti
desk-award-otherwise = Assegnali diversamente
desk-add-money = Il circolo aggiunge denaro
desk-still-played = Ancora da giocare: { $names }
choose-format-own = Come adesso
choose-format-knock-out = Eliminazione diretta
choose-format-third-place = Eliminazione diretta, con finale per il terzo posto
choose-format-first-losers = Consolazione per chi perde il primo match
choose-format-first-played = Consolazione per chi perde il primo match che gioca
choose-format-progressive = Consolazione progressiva
choose-format-second-place = Progressiva, chi la vince gioca per il secondo posto
choose-format-double-elimination = Doppia eliminazione, finale rigiocata se serve
choose-format-single-final = Doppia eliminazione, una sola finale
payout-own = Come adesso
payout-typed = Secondo percentuali proprie
payout-usual = Come d’uso per tanti iscritti
payout-winner = Tutto al vincitore
payout-small = 50 / 25, consolazione 25
payout-knock-out = 50 / 25 / 12½ / 12½
payout-four = 40 / 25, consolazione 25 / 10
payout-twelfths = Dodicesimi: 4 2 2 1 1 1 1
payout-typed-legend = Percentuali proprie
payout-typed-hint = In tutto fanno 100; un premio per due vale doppio. Un tabellone che non si gioca non ha premio; gli altri mantengono le proporzioni.
prize-each = { $prize }, ciascuno dei due
prizes-no-percentage = Non è una percentuale: da 0 a 100, al massimo un decimale.
prizes-add-up-to = Le percentuali fanno { $sum } in tutto, non 100.
prizes-come-to = A quanto ammontano i premi
prizes-of-pool = Dei { $amount } da dividere adesso:
prizes-of-example = Il montepremi è vuoto. Di { $amount } sarebbero:
prizes-look = Mostra gli importi
choose-clock-optional = Se entrambi sono d’accordo
choose-clock-preferred = Se uno dei due vuole
choose-clock-required = Sempre
choose-moves-legal = Mosse legali: chi vede una mossa irregolare la fa correggere
choose-moves-responsible = Mosse responsabili: l’avversario può lasciarla passare
apart-nobody = Nessuno
apart-club = Giocatori di uno stesso circolo
apart-country = Giocatori di uno stesso paese
about-new = Nuovo torneo
about-change = Informazioni sul torneo
about-name = Nome
about-date = Data
about-starts = Inizio
about-place = Luogo
about-open = Apri il torneo
about-copy = Copia questo torneo…
about-copied = Come { $name }, senza iscritti e senza soldi.
about-copied-gets = Ne riprende: { $what }.
about-copied-tables = { $count ->
    [one] un tavolo
   *[other] { $count } tavoli
}
about-save = Salva
about-more = Iscrizioni, premi, regole…
about-currency = Quote e premi in
about-no-money = Senza denaro
about-entries-open = I giocatori si iscrivono da soli dal
about-entries-close = fino al
about-entries-hint = Senza inizio li iscrive solo il direttore. Senza fine si iscrivono fino al sorteggio.
about-prizes = Che cosa si può vincere
about-rules = Regolamento
about-public = Tutti possono guardarlo senza accesso
about-directors = Altri direttori
desk-cancel = Torna indietro
division-title = Categoria
division-change = Come si gioca { $name }
division-how = Come si gioca
division-format = Formula
division-starts-at = Inizio (se diverso dal torneo)
division-drawn = Il sorteggio è fatto: la formula non cambia più.
division-lengths = Lunghezza dei match, la finale per prima
division-lengths-hint = 11 9 7: la finale a 11, le semifinali a 9, tutti i turni prima a 7.
division-consolation-lengths = Nella consolazione
division-last-chance-lengths = In un last chance
division-rules = Orologio e regole
division-clock = Orologi
division-reserve = Riserva, in secondi a punto
division-delay = Tempo libero, in secondi a mossa
division-moves = Mosse
division-apart = Tenuti lontani nel sorteggio
division-rated = I match valgono per l’Elo
division-holland = Regola Holland: dopo la partita Crawford nessun raddoppio prima del terzo turno
division-re-entries = Rientri permessi per giocatore
division-money = Denaro, in { $currency }
division-entry-fee = Iscrizione, al montepremi
division-registration = Quota al circolo
division-re-entry = Rientro, al montepremi
division-payout = Ripartizione
division-kept = Percentuale trattenuta dal circolo
division-side-pools = Side pool
division-side-pools-hint = Uno per riga: il nome, poi quanto costa.
division-no-money = Per quote e premi dai prima una valuta al torneo.
enter-title = Iscrizione
enter-me = Iscrivimi
enter-is-in = Iscrizione fatta, con il numero { $number }.
enter-closed = Ora i giocatori non possono iscriversi da soli.
enter-no-player = Il tuo accesso non è collegato a un giocatore: chiedi al direttore.
enter-until = fino a { $time }
enter-entered = { $count ->
    [one] un iscritto
   *[other] { $count } iscritti
}
enter-free = senza quota
enter-costs = { $amount }
desk-open-sheet = Segna partita per partita
desk-next-differ = { $count ->
    [one] I risultati di due giocatori sono diversi
   *[other] In { $count } match i risultati sono diversi
}
desk-next-differ-about = Chiedi a loro, poi conferma il risultato giusto.
desk-prizes-differ = I premi assegnati non sono più quelli dovuti: assegna la differenza
desk-see-all = Mostra tutti i match
desk-find-match = Trova un giocatore o un tavolo
desk-matches = Match
desk-move = Sposta a questo tavolo
desk-re-enter-waits = { $name } si iscrive di nuovo, e aspetta: nessun posto è libero
desk-cash = Cassa
desk-cash-in = Incassato
desk-cash-out = Pagato
desk-cash-box = Dovrebbe esserci in cassa
desk-sum-is = Devono fare { $amount }.
desk-no-fees = Non c’è una quota d’iscrizione
choose-format-up-to-2 = Consolazione per chi perde nei primi due turni
desk-told-entered = { $count ->
    [one] un iscritto
   *[other] { $count } iscritti
}
desk-told-guests = { $count ->
    [one] un nuovo ospite
   *[other] { $count } nuovi ospiti
}
desk-told-there = { $count ->
    [one] uno era già iscritto
   *[other] { $count } erano già iscritti
}
