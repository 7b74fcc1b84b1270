treasury-title = Treasury
books-treasury = Treasury
books-daybook = Daybook
treasury-waiting = Waiting for a second person
treasury-due = Open debts
treasury-owe = Players owe
treasury-owed = Players are owed
treasury-payments = The fewest payments that settle all of it
treasury-pays = { $payer } pays { $payee }
treasury-mark-paid = Mark as paid
treasury-partial-hint = A part can be paid now: the rest stays open.
treasury-by-person = By person
treasury-even = Nobody owes anything.
treasury-recent = Recorded last
treasury-all-records = All records
treasury-money = The club’s money
treasury-drawer = In the drawer, by the books
treasury-bank = At the bank, by the books
treasury-earned = Earned this year
ledger-earned = Earned
ledger-drawer = Drawer
treasury-count = Count the drawer
treasury-counted = What is in it
treasury-count-hint = A difference from the books is booked, so that they agree with the drawer.
treasury-record = Record
treasury-payment = A payment
treasury-payer = Who pays
treasury-payee = To whom
treasury-the-club = The club
treasury-club-hint = Leave a field empty for the club.
treasury-by-bank = By bank
treasury-amount = Amount
treasury-on = On
treasury-memo = Memo
treasury-save = Record
treasury-fee = A fee
treasury-fee-kind = What for
treasury-who = Who
treasury-outside = Expense or income
treasury-outside-way = Which
treasury-for-what = For what
treasury-deposit = Drawer and bank
treasury-deposit-way = Which way
treasury-to-bank = From the drawer to the bank
treasury-from-bank = From the bank to the drawer
treasury-adjustment = An adjustment
treasury-from = Whose balance falls
treasury-to = Whose balance rises
treasury-adjust-hint = Leave a field empty for the club. Above the club’s limit a second person has to approve.
treasury-opening = An opening balance
treasury-whose = Whose
treasury-opening-way = They
treasury-is-owed = are owed, or have
treasury-owes = owe
treasury-closing = Closing
treasury-closed-through = The books are closed up to { $month }.
treasury-nothing-closed = No month is closed yet.
treasury-close-month = Close up to and including
treasury-close-hint = Nothing in a closed month changes any more. What is corrected later counts for the day of the correction.
treasury-close = Close
treasury-reopen = Open a month again
treasury-reopen-month = From this month on
daybook-title = Daybook
daybook-empty = Nothing has been recorded yet.
daybook-take-back = Take back
daybook-take-back-hint = The record stays, and its reversal is booked.
daybook-why = Why
daybook-approve = Approve
daybook-decline = Decline
daybook-proposed = waits for approval
daybook-taking-back = waits for approval to be taken back
daybook-declined = declined
daybook-taken-back = taken back
daybook-by-bank = { $what }, by bank
daybook-adjusted = From { $from } to { $to }
daybook-counted = Drawer counted: { $counted }, by the books { $expected }
ledger-all = All
ledger-opening = Balance before
ledger-closing = Balance after
ledger-gained = Plus
ledger-lost = Minus
ledger-signed = Signed
line-counts-for = its month was closed: counts for { $day }
treasury-club-name = the club
adjustment-limit = Largest amount one person can book alone, in { $currency }
adjustment-limit-hint = Counted over a day: adjustments, opening balances, past games, imports and payments of their own; and the fees of any one player. More than that, and anything in points, waits until a second person approves it. What two people approved is taken back by two. Leave it empty for no limit.
adjustment-limit-alone = Nobody else can approve anything at present, so the limit does not hold: what is above it only waits until a second person may keep the books.
due-you-owe = You owe { $amount }
due-you-are-owed = You are owed { $amount }
due-owes = Owes { $amount }
due-is-owed = Is owed { $amount }
due-transfer = How to pay by bank
due-code = Scan it with your banking app: it fills in the transfer.
due-remittance = club books
ledger-where = Where
ledger-narrow = Narrow
line-game = game
line-stake = stake
line-bet = bet with the box or the team
line-extra = extra
line-extra-payment = payment for an extra
line-partner = partner’s share
iban = Bank account (IBAN)
iban-hint = Shown to whoever owes them money.
iban-club-hint = Members who owe money are shown how to pay it to this account.
due-settle = How to settle it
treasury-only-these = Settle only these
treasury-everybody = Everybody
import-title = Import from an old club
import-table = What the table has
import-standings = Standings
import-games = Past games
import-standings-columns = A row of headings, then a line for each standing: player, unit (points or a currency) and amount. Below zero is what somebody owes.
import-games-columns = A row of headings, then a line for each game: date, winner, loser, and points, or currency and amount, or all three.
import-file = The table
import-choose = Choose a file (CSV)
import-text = The table as text
import-on = The standings are of
import-add-players = Add names that nobody has as guests
import-add-hint = They stay, even if the import is taken back.
import-preview = Look at it
import-record = Record
import-as-one = All of it becomes one record of the daybook, and is taken back as one.
import-nothing-booked = Nothing can be booked until all of it is right.
import-line = Line { $line }
import-cell = { $column }: “{ $found }”
import-stands = “{ $found }”
import-whole-line = The line
import-beat = { $winner } beat { $loser }
import-adds = Added as guests: { $names }
import-standings-of = { $count ->
    [one] { $count } standing
   *[other] { $count } standings
}
import-games-of = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
import-wrong = { $count ->
    [one] One thing is wrong
   *[other] { $count } things are wrong
}
import-more = { $count ->
    [one] And one more line.
   *[other] And { $count } more lines.
}
daybook-standings = { $count ->
    [one] { $count } opening balance
   *[other] { $count } opening balances
}
daybook-past-games = { $count ->
    [one] { $count } past game
   *[other] { $count } past games
}
line-past-game = past game
import-too-large = The file is larger than 1 MiB.
import-too-many-lines = At most 5,000 lines at once. Bring the rest separately.
import-not-text = This is not text in UTF-8. Save the table as CSV in UTF-8.
import-nothing-to-book = There is nothing to book.
import-unknown-column = No such heading here.
import-column-twice = This heading is there twice.
import-missing-column = This column is missing.
import-wrong-cells = More or fewer cells than headings.
import-open-quote = A quotation mark is missing.
import-empty = Nothing stands here.
import-bad-name = This is no name.
import-unknown-player = Nobody has this name.
import-ambiguous-name = Several have this nickname. Write the full name.
import-same-player = Nobody plays against themselves.
import-twice = This standing is there already.
import-bad-unit = Neither points nor a currency like EUR.
import-unknown-currency = The club keeps no books in this currency.
import-bad-amount = No amount like 12.5, or too many digits.
import-bad-day = No day like 2025-11-30 or 30.11.2025.
import-in-the-future = This day is still to come.
import-month-closed = This month is closed.
