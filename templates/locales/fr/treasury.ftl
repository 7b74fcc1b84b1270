treasury-title = Trésorerie
books-treasury = Trésorerie
books-daybook = Journal
treasury-waiting = En attente d’une deuxième personne
treasury-due = Dettes en cours
treasury-owe = Les joueurs doivent
treasury-owed = Les joueurs doivent recevoir
treasury-payments = Le moins de paiements pour tout régler
treasury-pays = { $payer } paie { $payee }
treasury-mark-paid = Marquer comme payé
treasury-partial-hint = On peut en payer une partie : le reste demeure.
treasury-by-person = Par personne
treasury-even = Personne ne doit rien.
treasury-recent = Dernières écritures
treasury-all-records = Toutes les écritures
treasury-money = L’argent du club
treasury-drawer = En caisse, d’après les livres
treasury-bank = En banque, d’après les livres
treasury-earned = Gagné cette année
ledger-earned = Gagné
ledger-drawer = Caisse
treasury-count = Compter la caisse
treasury-counted = Ce qu’elle contient
treasury-count-hint = Un écart est inscrit, pour que les livres s’accordent avec la caisse.
treasury-record = Inscrire
treasury-payment = Un paiement
treasury-payer = Qui paie
treasury-payee = À qui
treasury-the-club = Le club
treasury-club-hint = Un champ vide désigne le club.
treasury-by-bank = Par la banque
treasury-amount = Montant
treasury-on = Le
treasury-memo = Note
treasury-save = Inscrire
treasury-fee = Des frais
treasury-fee-kind = Pour quoi
treasury-who = Qui
treasury-outside = Dépense ou recette
treasury-outside-way = Laquelle
treasury-for-what = Pour quoi
treasury-deposit = Caisse et banque
treasury-deposit-way = Dans quel sens
treasury-to-bank = De la caisse à la banque
treasury-from-bank = De la banque à la caisse
treasury-adjustment = Un ajustement
treasury-from = Quel solde diminue
treasury-to = Quel solde augmente
treasury-adjust-hint = Un champ vide désigne le club. Au-delà de la limite du club, une deuxième personne doit approuver.
treasury-opening = Un solde d’ouverture
treasury-whose = De qui
treasury-opening-way = Il s’agit
treasury-is-owed = d’un avoir
treasury-owes = d’une dette
treasury-closing = Clôture
treasury-closed-through = Les livres sont clos jusqu’à { $month }.
treasury-nothing-closed = Aucun mois n’est encore clos.
treasury-close-month = Clore jusqu’à la fin de
treasury-close-hint = Plus rien ne change dans un mois clos. Une correction ultérieure compte pour le jour où elle est faite.
treasury-close = Clore
treasury-reopen = Rouvrir un mois
treasury-reopen-month = À partir de ce mois
daybook-title = Journal
daybook-empty = Rien n’a encore été inscrit.
daybook-take-back = Annuler
daybook-take-back-hint = L’écriture reste, et son contraire est inscrit.
daybook-why = Pourquoi
daybook-approve = Approuver
daybook-decline = Refuser
daybook-proposed = attend une approbation
daybook-taking-back = annulation en attente d’approbation
daybook-declined = refusé
daybook-taken-back = annulé
daybook-by-bank = { $what }, par la banque
daybook-adjusted = De { $from } à { $to }
daybook-counted = Caisse comptée : { $counted }, d’après les livres { $expected }
ledger-all = Tout
ledger-opening = Solde avant
ledger-closing = Solde après
ledger-gained = En plus
ledger-lost = En moins
ledger-signed = Signé
line-counts-for = mois clos : compte pour le { $day }
treasury-club-name = le club
adjustment-limit = Montant qu’une personne peut inscrire seule, en { $currency }
adjustment-limit-hint = Compté sur une journée : ajustements, soldes initiaux, parties antérieures, importations et paiements de la personne elle-même, ainsi que les frais d’un même joueur. Au-delà, et pour tout ce qui est en points, il faut attendre l’approbation d’une deuxième personne. Ce que deux personnes ont approuvé s’annule à deux. Laissez vide pour aucune limite.
adjustment-limit-alone = Personne d’autre ne peut approuver pour le moment : la limite ne protège donc pas. Ce qui la dépasse attend seulement qu’une deuxième personne puisse tenir les comptes.
due-you-owe = Vous devez { $amount }
due-you-are-owed = On vous doit { $amount }
due-owes = Doit { $amount }
due-is-owed = On lui doit { $amount }
due-transfer = Payer par virement
due-code = À scanner avec l’application de votre banque : elle remplit le virement.
due-remittance = livres du club
ledger-where = Où
ledger-narrow = Restreindre
line-game = partie
line-stake = enjeu
line-bet = pari avec la boîte ou l’équipe
line-extra = extra
line-extra-payment = paiement d’un extra
line-partner = part du partenaire
iban = Compte bancaire (IBAN)
iban-hint = Montré à ceux qui lui doivent de l’argent.
iban-club-hint = On montre aux membres qui doivent de l’argent comment payer sur ce compte.
due-settle = Comment le régler
treasury-only-these = Régler seulement ceux-ci
treasury-everybody = Tout le monde
import-title = Reprendre un ancien club
import-table = Ce que contient le tableau
import-standings = Soldes
import-games = Parties passées
import-standings-columns = Une ligne d’en-têtes, puis une ligne par solde : player, unit (points ou une monnaie) et amount. Au-dessous de zéro, c’est ce que quelqu’un doit.
import-games-columns = Une ligne d’en-têtes, puis une ligne par partie : date, winner, loser, et points, ou currency et amount, ou les trois.
import-file = Le tableau
import-choose = Choisir un fichier (CSV)
import-text = Le tableau en texte
import-on = Les soldes sont du
import-add-players = Ajouter les noms inconnus comme invités
import-add-hint = Ils restent, même si la reprise est annulée.
import-preview = Vérifier
import-record = Comptabiliser
import-as-one = Tout devient une seule écriture du journal, annulable d’un coup.
import-nothing-booked = Rien n’est comptabilisé tant que tout n’est pas juste.
import-line = Ligne { $line }
import-cell = { $column } : « { $found } »
import-stands = « { $found } »
import-whole-line = La ligne
import-beat = { $winner } bat { $loser }
import-adds = Ajoutés comme invités : { $names }
import-standings-of = { $count ->
    [one] { $count } solde
   *[other] { $count } soldes
}
import-games-of = { $count ->
    [one] { $count } partie
   *[other] { $count } parties
}
import-wrong = { $count ->
    [one] Une chose est fausse
   *[other] { $count } choses sont fausses
}
import-more = { $count ->
    [one] Et une ligne de plus.
   *[other] Et { $count } lignes de plus.
}
daybook-standings = { $count ->
    [one] { $count } solde initial
   *[other] { $count } soldes initiaux
}
daybook-past-games = { $count ->
    [one] { $count } partie passée
   *[other] { $count } parties passées
}
line-past-game = partie passée
import-too-large = Le fichier dépasse 1 Mio.
import-too-many-lines = Au plus 5000 lignes à la fois. Apportez le reste à part.
import-not-text = Ce n’est pas du texte en UTF-8. Enregistrez le tableau en CSV, UTF-8.
import-nothing-to-book = Il n’y a rien à comptabiliser.
import-unknown-column = Cet en-tête n’existe pas ici.
import-column-twice = Cet en-tête y est deux fois.
import-missing-column = Cette colonne manque.
import-wrong-cells = Plus ou moins de cases que d’en-têtes.
import-open-quote = Il manque un guillemet.
import-empty = Rien n’est écrit ici.
import-bad-name = Ce n’est pas un nom.
import-unknown-player = Personne ne porte ce nom.
import-ambiguous-name = Plusieurs ont ce surnom. Écrivez le nom complet.
import-same-player = Personne ne joue contre soi-même.
import-twice = Ce solde y est déjà.
import-bad-unit = Ni points ni une monnaie comme EUR.
import-unknown-currency = Le club ne tient pas de comptes dans cette monnaie.
import-bad-amount = Ni un montant comme 12,5, ou trop de décimales.
import-bad-day = Pas un jour comme 2025-11-30 ou 30.11.2025.
import-in-the-future = Ce jour est encore à venir.
import-month-closed = Ce mois est clôturé.
