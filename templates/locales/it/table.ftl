live-on = in diretta
live-again = riconnessione
live-lost = senza rete
live-kept = Non ancora inviato, manca la rete:
live-moved = Il tavolo è andato avanti. Inviare lo stesso?
live-send = Invia
live-discard = Scarta
live-failed = Non ha funzionato. Riprova.
the-box = Il box
role-box = Box
role-captain = Capitano
role-acting-captain = Capitano in gioco
role-dropped-captain = Capitano, ha passato
role-crew = Squadra
role-waiting = Entra dalla prossima partita
role-away = In pausa
you = tu
cube-at = Cubo a { $value },
cube-centred = al centro
cube-to-box = ▸ box
cube-to = ▸ { $name }
cube-offered-by-box = offre il box
cube-offered-by = offre { $name }
cube-dropped = ha passato
cube-box-dropped = il box ha passato
points-tonight = Punti stasera:
the-line = La fila
next-up = Poi tocca a
roll-for-order = Tirate per l’ordine
roll-again = Parità: tirate di nuovo
dice-rolled = Abbiamo tirato al tavolo
enter-dice = Inserisci i dadi
what-may-be-done = Che cosa si può fare
game-over = Partita finita …
undo-what = Annulla: { $what }
undo-nothing = Niente da annullare
redo-what = Ripristina: { $what }
redo-all = { $count ->
    [one] Ripristina { $count } azione
   *[other] Ripristina tutte e { $count } le azioni
}
not-in-this-game = Chi non gioca
somebody-joins = Entra qualcuno …
club-player = Giocatore
choose = Scegli …
or-new-guest = oppure un nuovo ospite
join = Entra
standings = Classifica della serata
money = Soldi
left = via
the-log = Il registro
taken-back = annullato
take-back-to-here = Annulla fino a qui …
take-back-title = Annullare fino a qui?
take-back-hint = Niente viene cancellato: resta nel registro, e si può ripristinare finché non succede altro.
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
now-playing = { $box } contro la squadra, per cui tira { $captain }
now-answer = { $who } raddoppia: tocca a { $whom }
now-answer-team = Il box raddoppia: tocca alla squadra
now-answer-several = { $who } raddoppiano: tocca a { $whom }
now-closed = Qui la serata è finita
say-opened = Il tavolo è aperto
say-joins = Entra { $name }
say-leaves = { $name } lascia il tavolo
say-returns = Torna { $name }
say-draws-order = Tira i dadi per l’ordine
say-rolled = Tirati: { $rolls }
say-order = Ordine: { $names }
say-game-starts = Comincia la partita { $game }
say-doubles-everybody = { $who } raddoppia a { $to } contro tutti
say-doubles-whom = { $who } raddoppia a { $to } contro { $whom }
say-redoubles-whom = { $who } ridoppia a { $to } contro { $whom }
say-doubles = { $who } raddoppia a { $to }
say-redoubles = { $who } ridoppia a { $to }
say-takes = { $who } accetta a { $to }
say-box-takes = Il box accetta il cubo di { $from } a { $to }
say-drops = { $who } passa e perde { $loses }
say-box-drops = Il box passa con { $from } e perde { $loses }
say-all-settled = Tutte le scommesse sono chiuse
say-box-wins-single = Il box vince una partita semplice
say-box-wins-gammon = Il box vince un gammon
say-box-wins-backgammon = Il box vince un backgammon
say-team-wins-single = La squadra vince una partita semplice
say-team-wins-gammon = La squadra vince un gammon
say-team-wins-backgammon = La squadra vince un backgammon
say-seats = { $box } è il box, { $captain } il capitano
say-closes = Chiudi la serata
close-hint = Poi qui nessuno potrà più inserire niente. Annulla riapre la serata.
say-reopens = Riapri la serata
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
finish-hint = Scegli il risultato: niente viene registrato prima che tu abbia visto quanto tocca a ciascuno.
box-wins = Vince il box
team-wins = Vince la squadra
this-game = Partita
night-after = Serata
then = Poi
box-is = { $name } è il box
captain-is = { $name } è il capitano
record = Registra: { $what }
not-over-yet = Non è ancora finita
box-doubles-some = Il box raddoppia solo contro alcuni …
box-doubles-these = Il box raddoppia contro i giocatori scelti
steps = Annulla e fine partita
role-gathered = Al tavolo
