email = Adresse e-mail
email-hint = Pour un lien, si vous oubliez votre mot de passe. Personne d’autre ne la voit. Vide : pas de courriels.
email-save = Enregistrer l’adresse
forgotten = Mot de passe oublié ?
forgotten-hint = Vous recevez un lien par courriel, si votre identifiant a une adresse e-mail. Il sert une fois, pendant une heure.
forgotten-named = Identifiant ou adresse e-mail
forgotten-send = Envoyer un lien
forgotten-sent = S’il existe un tel identifiant avec une adresse e-mail, un lien lui est envoyé. Si rien n’arrive, demandez un lien au club.
sign-in-no-login = Pas encore d’identifiant ? Demandez un lien au club.
invite-email = Adresse e-mail
invite-email-hint = Le lien y est envoyé aussi. Laissez-la vide pour remettre le lien vous-même.
invite-mailed = Il part aussi par courriel.
mail-hello = Bonjour,
mail-hello-name = Bonjour { $name },
mail-invite-subject = Votre invitation : { $club }
mail-invite =
    { $club } vous invite. Ouvrez ce lien et choisissez un identifiant et un mot de passe :

    { $url }

    Il sert une fois, jusqu’au { $until }.
mail-reset-subject = Un nouveau mot de passe : { $club }
mail-reset =
    Quelqu’un a demandé un nouveau mot de passe pour votre identifiant chez { $club } : { $login }. Était-ce vous ? Alors ouvrez ce lien et choisissez-en un :

    { $url }

    Il sert une fois, jusqu’au { $until }. Si ce n’était pas vous, ne faites rien : votre mot de passe reste le même.
remind = Rappeler par courriel
mail-reminder-subject = Ce que vous devez : { $club }
mail-reminder =
    Voici ce qui reste à payer chez { $club } :

    { $lines }
    Vos comptes le montrent, et comment le payer :

    { $url }
mail-reminder-payment = { $amount } à { $payee }
