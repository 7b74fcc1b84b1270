email = Indirizzo e-mail
email-hint = Per un link, se dimentichi la password. Nessun altro lo vede. Vuoto: niente e-mail.
email-save = Salva l’indirizzo
forgotten = Password dimenticata?
forgotten-hint = Ricevi un link per e-mail, se il tuo nome utente ha un indirizzo e-mail. Vale una volta, entro un’ora.
forgotten-named = Nome utente o indirizzo e-mail
forgotten-send = Mandami un link
forgotten-sent = Se esiste un tale nome utente con un indirizzo e-mail, un link è in arrivo. Se non arriva nulla, chiedi un link al circolo.
sign-in-no-login = Non hai ancora un accesso? Chiedi un link al circolo.
invite-email = Indirizzo e-mail
invite-email-hint = Il link va anche lì. Lascialo vuoto per consegnare il link di persona.
invite-mailed = È in arrivo anche per e-mail.
mail-hello = Ciao,
mail-hello-name = Ciao { $name },
mail-invite-subject = Il tuo invito: { $club }
mail-invite =
    { $club } ti ha invitato. Apri questo link e scegli un nome utente e una password:

    { $url }

    Vale una volta, fino al { $until }.
mail-reset-subject = Una nuova password: { $club }
mail-reset =
    Qualcuno ha chiesto una nuova password per il tuo nome utente presso { $club }: { $login }. Eri tu? Allora apri questo link e scegline una:

    { $url }

    Vale una volta, fino al { $until }. Se non eri tu, non fare nulla: la tua password resta com’è.
remind = Ricorda per e-mail
mail-reminder-subject = Quello che devi: { $club }
mail-reminder =
    Ecco che cosa resta da pagare presso { $club }:

    { $lines }
    Lo mostra il tuo conto, e come pagarlo:

    { $url }
mail-reminder-payment = { $amount } a { $payee }
