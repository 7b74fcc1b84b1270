bell = Suono al mio turno
live-on = in diretta
live-again = riconnessione
live-lost = senza rete
live-kept = Non ancora inviato, manca la rete:
live-moved = Il tavolo è andato avanti. Inviare lo stesso?
live-send = Invia
live-discard = Scarta
live-leave = Esci, sarà inviato dopo
live-ask = Nel frattempo qualcuno ha agito. Inviare comunque?
live-does = Ora avrebbe questo effetto:
live-impossible = Non è più possibile:
live-look = Guarda
live-refused = Non eseguito:
live-done = OK
live-failed = Non ha funzionato. Riprova.
the-box = Il box
    .box = { $Box }
role-box = Box
    .box = { $Box }
role-captain = Capitano
    .captain = { $Captain }
role-acting-captain = Capitano supplente
    .captain = { $Captain } (supplente)
role-dropped-captain = Capitano, ha passato
    .captain = { $Captain }, ha passato
role-crew = Squadra
    .crew = { $Crew }
role-onlooker = Spettatore
role-waiting = Entra dalla prossima partita
you = tu
cube-at = Cubo a { $value },
cube-centred = al centro
cube-to-box = ▸ box
    .box = ▸ { $Box }
cube-to = ▸ { $name }
cube-offered-by-box = offre il box
    .box = offre { $Box }
cube-offered-by = offre { $name }
cube-dropped = ha passato
cube-box-dropped = il box ha passato
    .box = { $Box } ha passato
points-tonight = Punti stasera:
the-line = La coda
next-up = Poi tocca a
roll-for-order = Tirate per l’ordine
roll-again = Parità: tirate di nuovo
dice-rolled = Abbiamo tirato al tavolo
enter-dice = Inserisci i dadi
what-may-be-done = Che cosa puoi fare
what-is-likeliest = Più probabile ora
game-over = Partita finita
undo-what = Annulla: { $what }
undo-nothing = Niente da annullare
redo-what = Ripristina: { $what }
redo-all = { $count ->
    [one] Ripristina { $count } azione
   *[other] Ripristina tutte e { $count } le azioni
}
not-in-this-game = Chi non gioca
somebody-joins = Entra qualcuno…
club-player = Giocatore
choose = Scegli…
or-new-guest = oppure un nuovo ospite
join = Entra
standings = Classifica della serata
standings-of = Classifica di { $day }
money = Soldi
left = non c’è più
the-log = Il registro
log-before = Prima della prima partita
taken-back = annullato
take-back-to-here = Annulla fino a qui…
take-back-to = Annulla fino a qui: { $what }
take-back-title = Annullare fino a qui?
take-back-hint = Niente viene cancellato: resta nel registro, e si può ripristinare finché non succede altro.
take-back-also = Si annulla anche al tavolo { $name }.
take-back-acts = { $count ->
    [one] Annulla questa azione
   *[other] Annulla queste { $count } azioni
}
take-back-no-change = La classifica non cambia.
change = Differenza
leave-as-it-is = Lascia tutto com’è
now-gathering = Chi gioca?
now-roll = Chi comincia?
now-between = { $box } è il box, { $captain } il capitano
    .seats = { $box } è { $Box }, { $captain } { $Captain }
now-playing = { $box } contro la squadra, per cui tira { $captain }
now-playing-alone = { $box } gioca contro la squadra; al tavolo non c’è nessuno che sia ancora in gioco
decides-for = { $proxy } per { $name }
now-answer = { $who } raddoppia: tocca a { $whom }
now-answer-team = Il box raddoppia: tocca alla squadra
    .box = { $Box } raddoppia: tocca alla squadra
now-answer-several = { $who } raddoppiano: tocca a { $whom }
now-closed = Qui la serata è finita
say-opened = Il tavolo è aperto
say-joins = Entra { $name }
say-leaves = { $name } lascia il tavolo
say-returns = Torna { $name }
say-draws-order = Tira i dadi per l’ordine
say-rolled = Tirati: { $rolls }
say-order = Ordine: { $names }
say-takers-move-up = Chi ha accettato sale: { $names }
say-game-starts = Comincia la partita { $game }
say-doubles-everybody = { $who } raddoppia a { $to } contro tutti
say-doubles-whom = { $who } raddoppia a { $to } contro { $whom }
say-redoubles-whom = { $who } ridoppia a { $to } contro { $whom }
say-doubles = { $who } raddoppia a { $to }
say-redoubles = { $who } ridoppia a { $to }
say-takes = { $who } accetta a { $to }
say-drops = { $who } passa e perde { $loses }
say-all-settled = Tutte le scommesse sono chiuse
say-box-wins-single = Il box vince una partita semplice
    .box = { $Box } vince una partita semplice
say-box-wins-gammon = Il box vince un gammon
    .box = { $Box } vince un gammon
say-box-wins-backgammon = Il box vince un backgammon
    .box = { $Box } vince un backgammon
say-team-wins-single = La squadra vince una partita semplice
say-team-wins-gammon = La squadra vince un gammon
say-team-wins-backgammon = La squadra vince un backgammon
say-seats = { $box } è il box, { $captain } il capitano
    .seats = { $box } è { $Box }, { $captain } { $Captain }
say-closes = Chiudi la serata
say-closed = La serata è chiusa
close-hint = Poi qui nessuno potrà più inserire niente. Con «Annulla» la serata si riapre.
say-undone = Annullato: { $what }
say-redone = Ripristinato: { $what }
say-undone-several = { $count ->
    [one] Annullata { $count } azione
   *[other] Annullate { $count } azioni insieme
}
say-redone-several = { $count ->
    [one] Ripristinata { $count } azione
   *[other] Ripristinate { $count } azioni insieme
}
say-as-far-as = Fino a: { $what }
kind-single = Semplice
kind-gammon = Gammon
kind-backgammon = Backgammon
finish-title = Com’è finita la partita { $game }?
finish-hint = Scegli il risultato. Vedrai i punti di tutti prima di registrare qualcosa.
box-wins = Vince il box
    .box = Vince { $Box }
team-wins = Vince la squadra
this-game = Partita
night-after = Serata
then = Poi
box-is = { $name } è il box
    .box = { $name } è { $Box }
captain-is = { $name } è il capitano
    .captain = { $name } è { $Captain }
plays-for-team = { $name } gioca per la squadra
record = Registra: { $what }
record-alone = Registra
record-next = Registra e prossima partita
not-over-yet = Non è ancora finita
everybody-drops-title = Passano tutti?
everybody-drops-hidden = Il risultato si vede quando tutti hanno risposto.
game-over-then = La partita è finita. Poi
not-everybody = Non tutti
box-doubles = Il box raddoppia…
    .box = { $Box } raddoppia…
box-doubles-some = Il box raddoppia solo contro alcuni…
    .box = { $Box } raddoppia solo contro alcuni…
box-doubles-these = Il box raddoppia contro i giocatori scelti
    .box = { $Box } raddoppia contro i giocatori scelti
steps = Annulla e fine partita
role-gathered = Al tavolo
the-team = La squadra
role-partner = Compagno del box
    .box = Compagno ({ $Box })
role-resting = In pausa
role-gone = Non è più qui
role-away = Non è più qui
could-lose = può perdere { $points }
above-limit = limite raggiunto
mark-answered = ha risposto
mark-due = risponde ora
mark-offers-extra = offre un extra
mark-proxy = decide { $name }
mark-follows = segue il capitano
    .captain = segue { $Captain }
mark-consult = può consigliare
extra-against = Extra, con { $name }
with-extra = con extra
cube-beavered-by = { $animal ->
    [beaver] beaver di { $name }
    [raccoon] raccoon di { $name }
    [otter] otter di { $name }
   *[more] ridoppia { $name }
 }
cube-dropped-by = { $name } ha passato
cube-agreed = accordo
fact-late = In questo turno non si raddoppia più
fact-automatics = { $count ->
    [one] 1 raddoppio automatico
   *[other] { $count } raddoppi automatici
 }
fact-carried = { $count ->
    [one] 1 raddoppio automatico riportato
   *[other] { $count } raddoppi automatici riportati
 }
more-acts = Altro…
to-settle = Accordo…
to-order = Inserisci l’ordine…
to-stakes = Poste…
to-starts = Da dove partono i cubi…
to-split = Dividi il tavolo…
to-merge = Tutti a un altro tavolo…
to-players = Un giocatore inserito due volte…
to-rules = Regole della casa…
to-other-game = Un altro gioco…
say-game-of = { $said }: { $variant }
variant-standard = Backgammon
variant-nackgammon = Nackgammon
variant-hyper-backgammon = Hyper-backgammon
variant-misere = a perdere
variant-inverse = il gioco inverso
variant-plakoto = Plakoto
variant-fevga = Fevga
to-correct = Correggi una partita…
to-settle-up = Chi paga chi…
to-proxy = Chi decide per { $name }
now-too-few = Per una partita servono almeno in { $count }
now-split-due = Più di { $most }: dividete il tavolo prima della prossima partita
now-partner-due = Il box ha bisogno di un compagno
    .box = { $Box } ha bisogno di un compagno
now-asked-for-partner = { $name }: compagno del box?
    .box = { $name }: compagno ({ $Box })?
now-tie-waits = Parità: { $name } vuole il raddoppio automatico?
now-due-first = Prima risponde { $name }: accetta o passa?
now-due = Risponde { $name }: accetta o passa?
now-at-once = Tutti rispondono insieme, in segreto: tocca a { $names }
now-beavered = { $animal ->
    [beaver] Beaver a { $to }: tocca a { $whom }
    [raccoon] Raccoon a { $to }: tocca a { $whom }
    [otter] Otter a { $to }: tocca a { $whom }
   *[more] Subito ridoppiato a { $to }: tocca a { $whom }
 }
now-asked-for-extra = { $name }: un extra contro { $taker }?
now-must-beaver = Accetta solo { $name }: beaver o passa?
now-extras-offered = Accetta solo { $name }: prende gli extra di { $from } o passa?
yours-answer-first = Tocca a te: accetti o passi?
yours-answer = Accetti o passi?
yours-answered = Hai risposto
yours-hidden = La tua risposta resta nascosta finché non hanno risposto tutti.
yours-change = Hai detto: { $what }. Puoi cambiare finché non hanno risposto tutti.
yours-extra = Un extra contro { $taker }?
yours-beaver-or-drop = Accetti solo tu: beaver o passi?
yours-must-drop = Accetti solo tu: devi passare anche tu
yours-extras = Accetti gli extra di { $from }, o passi?
yours-alone = Tutti gli altri hanno passato.
yours-partnership = Vuoi fare da compagno al box?
    .box = Vuoi fare da compagno ({ $Box })?
yours-for = Decidi tu per { $name }.
yours-tie = Parità: vuoi il raddoppio automatico?
answer-take = accetto
answer-drop = passo
answer-beaver = beaver
say-rules-changed = Cambiano le regole della casa
say-rules-changed-these = Regole della casa cambiate: { $settings }
say-takes-break = { $name } fa una pausa
say-decides = Per { $name } decide { $proxy }
say-decides-alone-again = { $name } torna a decidere per sé
say-follows-captain = Il cubo di { $name } segue quello del capitano
say-merged = Doppione: { $duplicate } era { $name }
say-stake = { $name } gioca per { $units } volte la posta
say-start = Il cubo di { $name } parte da { $value }
say-split = { $names } formano un altro tavolo
say-goes-over = Tutti vanno a un altro tavolo
say-partnership = Compagno del box? Si chiede in ordine a: { $names }
    .box = Compagno ({ $Box })? Si chiede in ordine a: { $names }
say-declines-partnership = { $name } non vuole fare da compagno
say-partner = { $name } fa da compagno al box
    .box = { $name } fa da compagno ({ $Box })
say-partner-drawn = { $name } fa da compagno al box, per sorteggio
    .box = { $name } fa da compagno ({ $Box }), per sorteggio
say-partners = Compagno del box: { $names }
    .box = Compagno ({ $Box }): { $names }
say-declines-box = { $name } rinuncia al box
    .box = { $name } rinuncia ({ $Box })
say-game-starts-on-board = Partita { $game } sul tavoliere
say-tie-doubles = Parità all’inizio: cubi a { $to }
say-tie-declined = Parità all’inizio: il box rinuncia al raddoppio
    .box = Parità all’inizio: { $Box } rinuncia al raddoppio
say-tie-nothing = Parità all’inizio: i cubi restano
say-tie-carried = Parità all’inizio: raddoppia la prossima partita
say-doubles-for-team = { $who } raddoppia a { $to } per la squadra
say-redoubles-for-team = { $who } ridoppia a { $to } per la squadra
say-beavers = { $animal ->
    [beaver] { $who }: beaver a { $to }
    [raccoon] { $who }: raccoon a { $to }
    [otter] { $who }: otter a { $to }
   *[more] { $who } ridoppia subito a { $to }
 }
say-beavers-whom = { $animal ->
    [beaver] { $who }: beaver a { $to } contro { $whom }
    [raccoon] { $who }: raccoon a { $to } contro { $whom }
    [otter] { $who }: otter a { $to } contro { $whom }
   *[more] { $who } ridoppia subito a { $to } contro { $whom }
 }
say-answered = { $name } ha risposto
say-takes-from = { $who } accetta il cubo di { $from } a { $to }
say-drops-to = { $who } passa con { $from } e perde { $loses }
say-everybody-takes = Accettano tutti
say-everybody-drops = Passano tutti
say-everybody-doubles = Tutti raddoppiano contro il box
    .box = Tutti raddoppiano contro { $Box }
say-they-double = { $who } raddoppiano
say-they-take = { $who } accettano
say-they-drop = { $who } passano
say-plays-on = Dadi tirati
say-alone-must-drop = Accetta solo { $name }, e deve passare
say-alone-must-beaver = Accetta solo { $name }: beaver o passa
say-alone-extras = Accetta solo { $name }. Extra chiesti a: { $asked }
say-offers-extra = { $name } offre un extra
say-passes-extra = { $name } non dà extra
say-extras = { $from } dà un extra a { $taker }: cubo a { $to }, pagati { $pays }
say-takes-extras = { $taker } prende gli extra di { $from } a { $to }, pagati { $pays }
say-settles = { $payee } riceve { $points } da { $payer }
say-drops-alone = { $who } passa
say-drops-to-alone = { $who } passa con { $from }
say-extras-alone = { $from } dà un extra a { $taker }: cubo a { $to }
say-takes-extras-alone = { $taker } prende gli extra di { $from } a { $to }
say-settles-alone = { $one } e { $other } chiudono la loro scommessa
say-corrected-alone = Partita { $game } corretta
say-share = Parte di { $name }: { $share }
say-corrected = Partita { $game } corretta: { $changes }
say-pays = { $payer } paga { $amount } a { $payee }
say-board-tied = Primo tiro: due { $die }
say-board-opens = { $who } comincia con { $roll }
say-board-cocked = { $who }: dadi storti
say-board-rolls = { $who } tira { $roll }
say-board-rolls-early = { $who } tira { $roll } troppo presto
say-board-plays = { $who } gioca { $roll }
say-board-passes = { $who } non può muovere
say-board-leaves = { $who } alza i dadi dopo una mossa irregolare
say-board-accepts-play = { $who } accetta la mossa
say-board-sends-back = { $who } fa rifare la mossa
say-board-resigns = { $who } abbandona: { $kind }
say-board-accepts = { $who } accetta l’abbandono
say-board-rejects = { $who } rifiuta l’abbandono
say-board-doubles = { $who } raddoppia a { $to }
say-board-beavers = { $who } fa beaver a { $to }
say-board-takes = { $who } accetta il cubo a { $to }
say-board-drops = { $who } passa
say-board-anew = Le due madri sono inchiodate: nessuno vince, e la partita ricomincia
say-board-else = La partita sul tavoliere è finita
bar = bar
off = fuori
jacoby-nobody = Jacoby: nessun cubo ancora in gioco è stato girato. Vale come partita semplice.
jacoby-only = Jacoby: gammon e backgammon valgono solo sui cubi girati, con { $names }.
rules-otherwise-common = Per il resto le regole comuni
