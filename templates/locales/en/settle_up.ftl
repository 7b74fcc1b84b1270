settle-up = Who pays whom
settle-playing = A game is on. It counts when it is over.
all-even = Nobody owes anybody anything.
hands-to = pays
paid = Paid
told-payment = : { $payer } has paid { $payee } { $amount }
was-paid = paid
undo-paid = Undo
payments-exact = { $count ->
    [one] One payment settles everything.
   *[other] { $count } payments settle everything. No fewer would do.
}
payments-many = { $count ->
    [one] One payment settles everything.
   *[other] { $count } payments settle everything.
}
unpaid-stays = What is not paid now stays in the books and can be paid any time.
column-paid = paid
column-open = open
column-game = Game
column-result = Result
leaver-title = Somebody leaves early
leaver-hint = One or more of the others settle with the leaver and take over what was owed.
leaver-who = Who leaves
leaver-owed = { $name } is owed { $amount }. Who pays?
leaver-owes = { $name } owes { $amount }. To whom?
leaver-work-out = Work it out
leaver-still-owed = { $name } is still owed { $amount }.
leaver-still-owes = { $name } still owes { $amount }.
as-much-as-due = what is due
amount-of = Amount for { $name }
score-sheet = Game by game
print-sheet = Print the sheet
line-payment = payment
line-contested = { $what }, contested
line-upheld = { $what }, no longer contested
line-corrected = Corrected: { $what }
line-merged = Entered twice: { $what }
line-entry-fee = entry fee
line-registration = registration fee
line-side-pool = side pool
line-re-entry = re-entry
line-added = added by the house
line-kept = kept by the house
line-prize = prize
line-paid-in = paid in
line-paid-out = paid out
line-refund = refund
line-returned = given back
line-of-tournament = Tournament
line-of-session = Money session
line-with-pool = the pool
line-with-house = the house
one-point = { $points } point
some-points = { $points } points
leaver-too-much = That is more than the { $amount } still open.
leaver-bad-amount = An amount is a number above zero, like 30 or 7.50.
settle-whole-night = The whole night
settle-night-link = Settle up the whole night
settle-night-plays = game on
settle-night-playing = A game is on. The night can be settled up when it is over.
settle-night-pay = Record it all as paid
settle-night-books = After that every table’s sheet is even.
settle-night-crosswise = No payments are needed: debts at one table cancel out at another.
settle-night-sessions = Money sessions
settle-night-sessions-hint = Not counted above. Each is settled on its own sheet.
settle-night-back = Undo what was recorded last
column-won = won
