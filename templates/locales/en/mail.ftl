email = Mail address
email-hint = For a link if you forget your password. Nobody else sees it. Empty it to get no mail.
email-save = Save the address
forgotten = Forgotten your password?
forgotten-hint = You get a link by mail, if your login has a mail address. It works once, within an hour.
forgotten-named = Login or mail address
forgotten-send = Send me a link
forgotten-sent = If there is such a login with a mail address, a link is on its way to it. If none comes, ask the club for a link.
sign-in-no-login = No login yet? Ask the club for a link.
invite-email = Mail address
invite-email-hint = The link goes there as well. Leave it empty to hand the link over yourself.
invite-mailed = It is on its way by mail, too.
mail-hello = Hello,
mail-hello-name = Hello { $name },
mail-invite-subject = Your invitation to { $club }
mail-invite =
    { $club } has invited you. Open this link, and choose a login and a password:

    { $url }

    It works once, until { $until }.
mail-reset-subject = A new password for { $club }
mail-reset =
    Somebody has asked for a new password for your login at { $club }: { $login }. Was it you? Then open this link, and choose one:

    { $url }

    It works once, until { $until }. If it was not you, do nothing: your password stays the same.
remind = Remind them by mail
mail-reminder-subject = What you owe at { $club }
mail-reminder =
    This is still open at { $club }:

    { $lines }
    Your ledger shows it, and how to pay it:

    { $url }
mail-reminder-payment = { $amount } to { $payee }
