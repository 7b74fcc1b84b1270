desk = The director’s desk
desk-places = Desk pages
desk-now = Now
desk-entries = Entries
desk-set-up = Set-up
desk-room = Room
desk-money = Money
desk-moved = The tournament has moved on. Send it anyway?
desk-nobody-came = Neither { $one } nor { $other } came
desk-beats = { $winner } beats { $loser }
desk-concedes = { $loser } concedes to { $winner }
desk-walks-over = { $winner } wins by walkover, { $loser } did not come
desk-walks-over-leaves = { $winner } wins by walkover, { $loser } did not come and withdraws
desk-walks-over-goes-on = { $winner } wins by walkover, { $loser } did not come but plays on
desk-forfeits = { $winner } goes on, { $loser } forfeits
desk-disqualified = { $winner } goes on, { $loser } is disqualified
desk-has-left = { $winner } goes on, { $loser } has left
desk-has-bye = { $winner } has a bye
desk-did-call-several = { $count } matches called
desk-did-open = opened
desk-did-about = details changed
desk-did-directors = directors changed
desk-did-division-added = division { $name } added
desk-did-division-changed = { $name } changed
desk-did-tables = tables changed
desk-did-enter = { $name } enters
desk-did-enter-several = { $count } players enter
desk-did-check-in = { $name } is here
desk-did-check-out = { $name } is not here
desk-did-check-in-several = { $count } players are here
desk-did-check-out-several = { $count } players are not here
desk-did-seed = seeds changed
desk-did-pools = side pools of { $name }
desk-did-draw = the draw
desk-did-last-chance = a last chance drawn
desk-did-seat = { $name } gets a slot
desk-did-seat-by-lot = { $name } gets a slot by lot
desk-did-exchange = two slots exchanged
desk-did-leave-after = { $name } leaves after the match
desk-did-withdraw = { $name } leaves
desk-did-disqualify = { $name } is disqualified
desk-did-re-enter = { $name } enters again
desk-did-reinstate = { $name } is back
desk-did-report = report of { $names }
desk-did-correct = correction of { $names }
desk-did-call = { $names } called to table { $table }
desk-did-uncall = call of { $names } cancelled
desk-did-begin = { $names } begin
desk-did-postpone = { $names } postponed
desk-did-resume = { $names } may be called
desk-did-sheet = score sheet of { $names }
desk-did-pay-in = { $name } has paid { $amount }
desk-did-arrive = { $paid } and is here
desk-did-pay-out = { $name } was paid { $amount }
desk-did-book = { $amount } booked
desk-did-award = the prizes awarded
desk-did-close = the end of the tournament
desk-did-reopen = reopened
desk-did-cancel = the cancellation
desk-waits = waiting { $minutes } min
desk-call-to = Call to table { $table }
desk-plays = playing { $minutes } of about { $planned } min
desk-plays-late = playing { $minutes } min, planned { $planned }
desk-called = called { $minutes } min ago
desk-begin = Mark as started
desk-confirm = Confirm the report of { $who }: { $what }
desk-differ = The two reports differ.
desk-one-said = One player has reported the result.
desk-postponed = postponed
desk-postponed-until = postponed until { $time }
desk-resume = Can be called again
desk-next-over = The tournament is over.
desk-next-cancelled = The tournament was cancelled.
desk-next-division = First, how is it played?
desk-add-division = Add a division
desk-next-reported = { $count ->
    [one] One result to confirm
   *[other] { $count } results to confirm
}
desk-next-award = All matches are played. Award the prizes.
desk-next-all-played = All matches are played.
desk-next-nothing = Nothing to do right now.
desk-next-playing = { $count ->
    [one] One match is under way
   *[other] { $count } matches are under way
}
desk-next-enter = Who plays?
desk-next-enter-in = { $name }: who plays?
desk-next-draw = Ready to draw?
desk-next-draw-in = { $name }: ready to draw?
desk-next-draw-about = { $here } of { $all } players are here.
desk-add-players = Add players
desk-to-draw = Go to the draw
desk-next-ready = { $count ->
    [one] One match is ready
   *[other] { $count } matches are ready
}
desk-set-tables = Which tables do you have?
desk-no-tables = No tables are set up yet. You can enter results without them.
desk-no-free-table = No table is free.
desk-touched-playing = Being played now, at table { $table }.
desk-touched-called = Called to table { $table }.
desk-touched-sheet = Being scored on its sheet.
desk-call-next = { $count ->
    [one] Call the next match to the free table
   *[other] Call the next { $count } to the free tables
}
desk-free-tables = { $count ->
    [one] One table is free.
   *[other] { $count } tables are free.
}
desk-waiting-entries = { $count ->
    [one] One late entry is waiting for a slot
   *[other] { $count } late entries are waiting for a slot
}
desk-not-here = { $count ->
    [one] One player not checked in
   *[other] { $count } players not checked in
}
desk-owe = { $count ->
    [one] One player still owes
   *[other] { $count } players still owe
}
desk-close = Close the tournament
desk-closing = Before you close it
desk-closing-waiting = Never got a slot
desk-closing-keep = Their charges are given back. Tick those whose fees are kept, and say why.
desk-closing-waited = { $name }: { $amount }
desk-closing-reason = Why they are kept
desk-closing-not-given = { $division }: prizes of { $amount } have not been awarded.
desk-closing-given-too-much = { $division }: { $amount } too much has been awarded.
desk-gives-up-last-chance = { $name } has a match to play again and drops out of the last chance.
desk-reopen = Reopen the tournament
desk-cancel-title = Cancel the tournament
desk-cancel-then = Nothing can be entered or called afterwards. It can be undone.
desk-cancel-back = Fees and stakes of { $amount } are credited back to the players.
desk-cancel-owed = You then have to hand back { $amount } to those who have paid. The money page says to whom.
desk-cancel-stays = { $name }: the prizes that were given do not change.
desk-cancel-reason = Why? Everybody can read this.
desk-owed-back = { $count ->
    [one] One player is owed money.
   *[other] { $count } players are owed money.
}
desk-reported = Reported by the players
desk-ready = Ready to call
desk-ready-none = No match is waiting.
desk-playing = Playing
desk-playing-none = No match is under way.
desk-put-off = Postponed
desk-shown-of = { $first }–{ $last } of { $all }
desk-pages = Pages of the list
desk-previous = Previous
desk-next = Next
desk-more = { $count ->
    [one] and one more
   *[other] and { $count } more
}
desk-result = Result
desk-correct = Correct the result …
desk-call = Call
desk-table = Table { $table }
desk-taken = taken
desk-reserved = reserved
desk-postpone = Postpone
desk-uncall = Cancel the call
desk-player = { $name } …
desk-wins = { $name } wins
desk-lost-points = Loser’s points
desk-otherwise = Not played to the end …
desk-points-then = Score at that moment, if it had begun
desk-until = Until when
desk-until-resumed = until I say so
desk-for-minutes = for { $minutes } minutes
desk-no-result = No result after all
desk-later-stands = Later results stand
desk-later-stands-about = The player now in the slot takes over every later result.
desk-later-void = Later results are void
desk-later-void-about = Players whose opponent has changed play again.
desk-takes-place = { $new } takes the place of { $old }
desk-comes-in = { $name } comes in
desk-goes-out = { $name } is out; the slot is open
desk-result-stands = The result stands: { $what }
desk-result-changes = { $old } becomes: { $new }
desk-result-void = Void, to be played again: { $what }
desk-result-found = Result: { $what }
desk-touches-nothing = No match is affected.
desk-touches = { $count ->
    [one] One match is affected
   *[other] { $count } matches are affected
}
desk-correct-title = What is the right result?
desk-stands-now = now: { $what }
desk-right-is = Correct result:
desk-choose-another = Choose another
desk-later = What about the matches played since?
desk-what-it-does = What this changes
desk-show = Show
desk-show-all = All
desk-show-missing = Not checked in
desk-show-here = Here
desk-show-owing = Owing
desk-show-paid = Paid up
desk-show-waiting = Waiting
desk-show-out = Out
desk-enter = Enter
desk-enter-name = Name
desk-enter-many = Several at once
desk-enter-many-hint = One name per line. Unknown names are added as guests.
desk-pasted-title = Check the list first
desk-pasted-hint = Nobody has been entered yet.
desk-pasted-kept = New players keep their club and country. Ratings are not kept.
desk-pasted-line = Line
desk-pasted-who = Who it is
desk-pasted-otherwise = Read the columns differently
desk-pasted-column = Column { $column }
desk-pasted-again = Check again
desk-pasted-no-name = No name can be read here. This line is left out.
desk-pasted-twice = The same as in line { $line }
desk-pasted-there = { $name } has entered already
desk-pasted-same = The same as { $name } in line { $line }
desk-column-name = Name
desk-column-first-name = First name
desk-column-last-name = Last name
desk-column-club = Club
desk-column-country = Country
desk-column-rating = Rating
desk-column-nothing = Not used
desk-here-of = { $here } of { $all } are here
desk-find = Find a player
desk-entry-more = More for { $name }
desk-check-in = { $name } is here
desk-check-out = { $name } is not here after all
desk-check-in-all = { $count ->
    [one] Check in this one
   *[other] Check in all { $count }
}
desk-here = here
desk-is-here = Check in
desk-nobody-found = Nobody found.
desk-divisions = Divisions
desk-is-waiting = waiting for a slot
desk-is-leaving = leaving after this match
desk-is-withdrawn = has left
desk-is-disqualified = disqualified
desk-is-again = entered again
desk-seed = Save the seeds
desk-seeds = Seeds …
desk-seeds-hint = One name per line, the top seed first. Leave it empty for no seeds.
desk-owes = owes { $amount }
desk-sum-due = Due
desk-sum-open = Open
desk-pays = Paid { $amount }
desk-pays-and-comes = Paid { $amount } and here
desk-is-owed = is owed { $amount }
desk-reinstate = { $name } is back
desk-re-enter = { $name } enters again
desk-join-pools = Save
desk-pools = Side pools
desk-seat = Seat here
desk-seat-title = Give a slot by hand
desk-seat-by-lot = Seat { $name } by lot
desk-seat-all-by-lot = { $count ->
    [one] Seat by lot
   *[other] Seat { $count } by lot
}
desk-place-against = Match { $match }, against { $name }
desk-leaves = Leaving the tournament
desk-leave-now = { $name } leaves now
desk-leave-after = { $name } leaves after the match
desk-disqualify = { $name } is disqualified
desk-draw = Draw
desk-draw-again = Draw again
desk-draw-by-hand = Draw by hand
desk-draw-reason = Why is it drawn again?
desk-only-here = { $count ->
    [one] Only the one who is here
   *[other] Only the { $count } who are here; the others wait
}
desk-is-drawn = The draw is made.
desk-look-at-draw = The draw, step by step
desk-too-late-to-draw = A match has begun, so there is no new draw. Slots can still be exchanged by hand.
desk-slot = Slot { $slot }
desk-hand-hint = Write each name beside the number drawn. An empty slot is a bye; the word “{ $open }” keeps it for somebody who comes late.
desk-hand-open = open
desk-hand-whom = Whom to draw
desk-hand-left = To place
desk-hand-all = { $count ->
    [one] The one who has entered
   *[other] All { $count } who have entered
}
desk-hand-nobody = Nobody by that name is to be drawn
desk-hand-several = Several players have that name
desk-hand-twice = Already in slot { $slot }
desk-hand-empty = Both slots of this match are empty
desk-hand-missing = Still without a slot: { $names }
desk-exchange = Exchange two slots
desk-exchange-one = This slot
desk-exchange-other = with this one
desk-draw-last-chance = Draw a last chance
desk-last-chance-who = Who plays in it?
desk-last-chance-lost = Lost, and without a prize
desk-last-chance-others = Can play as well
desk-last-chance-prizes = A last chance has a prize of its own, so the others change:
desk-chosen = Chosen
desk-save-tables = Save the tables
desk-tables-open = Open tables
desk-tables-reserved = Reserved
desk-tables-closed = Closed
desk-tables-hint = Numbers and ranges: 1-12, 15. A reserved table is only given out by hand.
desk-closed-table = closed
desk-free = free
desk-crowded = Two matches at one table
desk-times = Planned and actual, in minutes
desk-round = Round
desk-played = Played
desk-round-minutes = Round
desk-match-minutes = Match
desk-times-hint = Actual / planned. A match is planned at 8 minutes a point, a whole round at 11. Actual times need “Mark as started”.
desk-nobody-owes = Nobody owes anything.
desk-still-owed = { $amount } still to be paid
desk-pay-in = { $name } has paid { $amount }
desk-pay-out = { $name } was paid { $amount }
desk-other-amount = Another amount …
desk-paid-in = Has paid
desk-paid-out = Was paid
desk-who = Who
desk-amount-in = Amount in { $currency }
desk-prizes = Prizes
desk-pool = Pool
desk-kept = Kept by the house
desk-due = Due
desk-given = Awarded
desk-why = How the prizes are worked out
desk-why-prize = Prize
desk-why-share = Share
desk-why-divided = Divided
desk-why-rounding = Prizes are whole multiples of { $unit }; the first prize takes what rounding leaves.
desk-all-given = All prizes due are awarded.
desk-award = Award the prizes due
desk-award-otherwise = Award them differently
desk-add-money = The house adds money
desk-still-played = Still to be played: { $names }
choose-format-own = Unchanged
choose-format-knock-out = Knock-out
choose-format-third-place = Knock-out, with a match for third place
choose-format-first-losers = Consolation for those who lose their first match
choose-format-first-played = Consolation for those who lose the first match they play
choose-format-progressive = Progressive consolation
choose-format-second-place = Progressive, its winner plays for second place
choose-format-double-elimination = Double elimination, second final if needed
choose-format-single-final = Double elimination, one final
payout-own = Unchanged
payout-typed = By custom percentages
payout-usual = Usual for this many entries
payout-winner = All to the winner
payout-small = 50 / 25, consolation 25
payout-knock-out = 50 / 25 / 12½ / 12½
payout-four = 40 / 25, consolation 25 / 10
payout-twelfths = Twelfths: 4 2 2 1 1 1 1
payout-typed-legend = Custom percentages
payout-typed-hint = They add up to 100, and a prize with two winners counts twice. A flight that is not played has no prize, and the others keep their proportions.
prize-each = { $prize }, each of two
prizes-no-percentage = Enter a percentage from 0 to 100, with at most one decimal.
prizes-add-up-to = The percentages add up to { $sum }, not to 100.
prizes-come-to = What the prizes come to
prizes-of-pool = From the { $amount } to be divided now:
prizes-of-example = The pool is empty. From { $amount } it would be:
prizes-look = Preview the amounts
choose-clock-optional = If both players want one
choose-clock-preferred = If either player wants one
choose-clock-required = Always
choose-moves-legal = Legal moves: anybody who sees an illegal play has it corrected
choose-moves-responsible = Responsible moves: the opponent may let it stand
apart-nobody = Nobody
apart-club = Players from the same club
apart-country = Players from the same country
about-new = New tournament
about-change = About the tournament
about-name = Name
about-date = Date
about-starts = Starts at
about-place = Place
about-open = Open the tournament
about-copy = Copy this tournament …
about-copied = Like { $name }, without its entries and its money.
about-copied-gets = Copied: { $what }.
about-copied-tables = { $count ->
    [one] one table
   *[other] { $count } tables
}
about-save = Save
about-more = Entries, prizes, rules …
about-currency = Fees and prizes in
about-no-money = No money
about-entries-open = Players may enter themselves from
about-entries-close = until
about-entries-hint = Without a start, only the director enters players. Without an end, until the draw.
about-prizes = What can be won
about-rules = Rules
about-public = Anybody may see it without a login
about-directors = Other directors
desk-cancel = Cancel
division-title = A division
division-change = How { $name } is played
division-how = How it is played
division-format = Format
division-starts-at = Starts at (if not with the tournament)
division-drawn = The draw is made, so the format stays.
division-lengths = Match lengths, the final first
division-lengths-hint = 11 9 7: the final to 11, semi-finals to 9, all earlier rounds to 7.
division-consolation-lengths = In the consolation
division-last-chance-lengths = In a last chance
division-rules = Clock and rules
division-clock = Clocks
division-reserve = Reserve, in seconds per point
division-delay = Delay, in seconds per move
division-moves = Moves
division-apart = Keep apart in the draw
division-rated = Matches are rated
division-holland = Holland rule: after the Crawford game no double before the third turn
division-re-entries = Re-entries allowed per player
division-money = Money, in { $currency }
division-entry-fee = Entry, into the pool
division-registration = Registration, to the house
division-re-entry = Re-entry, into the pool
division-payout = Payout
division-kept = Per cent kept by the house
division-side-pools = Side pools
division-side-pools-hint = One per line: the name, then the fee.
division-no-money = To have fees and prizes, give the tournament a currency first.
enter-title = Enter
enter-me = Enter me
enter-is-in = You are entered, as number { $number }.
enter-closed = Players cannot enter themselves right now.
enter-no-player = Your login is not linked to a player: ask the director.
enter-until = until { $time }
enter-entered = { $count ->
    [one] one player entered
   *[other] { $count } players entered
}
enter-free = no fee
enter-costs = { $amount }
desk-open-sheet = Score it game by game
desk-next-differ = { $count ->
    [one] Two players’ reports differ
   *[other] In { $count } matches the reports differ
}
desk-next-differ-about = Ask them, then confirm the right result.
desk-prizes-differ = The prizes awarded are no longer those due: award the difference
desk-see-all = Show all matches
desk-find-match = Find a player or a table
desk-matches = Matches
desk-move = Move to this table
desk-re-enter-waits = { $name } enters again and waits: no slot is free
desk-cash = Cash
desk-cash-in = Taken in
desk-cash-out = Paid out
desk-cash-box = Should be in the cash box
desk-sum-is = They must add up to { $amount }.
desk-no-fees = No entry fee is set
choose-format-up-to-2 = Consolation for those who lose in the first two rounds
desk-told-entered = { $count ->
    [one] one entered
   *[other] { $count } entered
}
desk-told-guests = { $count ->
    [one] one new guest
   *[other] { $count } new guests
}
desk-told-there = { $count ->
    [one] one was entered already
   *[other] { $count } were entered already
}
