email = Mailadresse
email-hint = Für einen Link, falls du dein Passwort vergisst. Sonst sieht sie niemand. Leer: keine Mails.
email-save = Adresse speichern
forgotten = Passwort vergessen?
forgotten-hint = Du bekommst einen Link per Mail, falls zu deinem Benutzernamen eine Mailadresse bekannt ist. Er gilt einmal, innerhalb einer Stunde.
forgotten-named = Benutzername oder Mailadresse
forgotten-send = Link schicken
forgotten-sent = Falls es diesen Benutzernamen mit einer Mailadresse gibt, ist ein Link dorthin unterwegs. Kommt keiner an, lass dir vom Club einen geben.
sign-in-no-login = Noch kein Zugang? Lass dir vom Club einen Link geben.
invite-email = Mailadresse
invite-email-hint = Der Link geht auch dorthin. Lass sie leer, um den Link selbst zu übergeben.
invite-mailed = Er ist auch per Mail unterwegs.
mail-hello = Hallo,
mail-hello-name = Hallo { $name },
mail-invite-subject = Deine Einladung: { $club }
mail-invite =
    { $club } hat dich eingeladen. Öffne diesen Link und wähle einen Benutzernamen und ein Passwort:

    { $url }

    Er gilt einmal, bis { $until }.
mail-reset-subject = Ein neues Passwort: { $club }
mail-reset =
    Jemand hat ein neues Passwort für deinen Zugang bei { $club } verlangt, Benutzername { $login }. Warst du es? Dann öffne diesen Link und wähle eines:

    { $url }

    Er gilt einmal, bis { $until }. Warst du es nicht, brauchst du nichts zu tun: Dein Passwort bleibt, wie es ist.
remind = Per Mail erinnern
mail-reminder-subject = Offene Schulden: { $club }
mail-reminder =
    Das ist bei { $club } noch offen:

    { $lines }
    Dein Konto zeigt es, und wie du es bezahlst:

    { $url }
mail-reminder-payment = { $amount } an { $payee }
