desk = The director’s desk
desk-places = Pages of the desk
desk-now = Now
desk-entries = Entries
desk-set-up = Set-up
desk-room = Room
desk-money = Money
desk-moved = The tournament has moved on. Still send it?
desk-nobody-came = Neither { $one } nor { $other } came
desk-beats = { $winner } beats { $loser }
desk-concedes = { $loser } concedes to { $winner }
desk-walks-over = { $winner } walks over, { $loser } did not come
desk-forfeits = { $winner } goes on, { $loser } forfeits
desk-disqualified = { $winner } goes on, { $loser } is disqualified
desk-has-left = { $winner } goes on, { $loser } has left
desk-has-bye = { $winner } has a bye
desk-did-call-several = { $count } matches called
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
desk-did-seat = { $name } has a place
desk-did-exchange = two places exchanged
desk-did-leave-after = { $name } leaves after the match
desk-did-withdraw = { $name } leaves
desk-did-disqualify = { $name } is disqualified
desk-did-re-enter = { $name } enters again
desk-did-reinstate = { $name } is back
desk-did-report = report of { $names }
desk-did-correct = correction of { $names }
desk-did-call = { $names } called to table { $table }
desk-did-uncall = { $names } not called
desk-did-begin = { $names } begin
desk-did-postpone = { $names } put off
desk-did-resume = { $names } may be called
desk-did-sheet = score sheet of { $names }
desk-did-pay-in = { $name } has paid { $amount }
desk-did-pay-out = { $name } was handed { $amount }
desk-did-book = { $amount } booked
desk-did-award = the prizes given
desk-did-close = the end of the tournament
desk-did-reopen = reopened
desk-waits = waits { $minutes } min
desk-call-to = Call to table { $table }
desk-plays = plays { $minutes } of about { $planned } min
desk-plays-late = plays { $minutes } min, planned { $planned }
desk-called = called { $minutes } min ago
desk-begin = They have begun
desk-confirm = Confirm what { $who } says: { $what }
desk-differ = The two say different things.
desk-one-said = One player has reported the result.
desk-postponed = put off
desk-postponed-until = put off until { $time }
desk-resume = May be called again
desk-next-over = The tournament is over.
desk-next-division = First, how is it played?
desk-add-division = Add a division
desk-next-reported = { $count ->
    [one] A result waits to be confirmed
   *[other] { $count } results wait to be confirmed
}
desk-next-award = Everything is played. Give the prizes.
desk-next-all-played = Everything is played.
desk-next-nothing = Nothing to do right now.
desk-next-playing = { $count ->
    [one] One match is played
   *[other] { $count } matches are played
}
desk-next-enter = Who plays?
desk-next-enter-in = { $name }: who plays?
desk-next-draw = Ready to draw?
desk-next-draw-in = { $name }: ready to draw?
desk-next-draw-about = { $here } of { $all } players are here.
desk-add-players = Add players
desk-to-draw = To the draw
desk-next-ready = { $count ->
    [one] One match is ready
   *[other] { $count } matches are ready
}
desk-set-tables = Which tables are there?
desk-no-tables = No tables are named yet. Results can be entered all the same.
desk-no-free-table = No table is free.
desk-call-next = { $count ->
    [one] Call the next match to the free table
   *[other] Call the next { $count } to the free tables
}
desk-free-tables = { $count ->
    [one] One table is free.
   *[other] { $count } tables are free.
}
desk-waiting-entries = { $count ->
    [one] One late entry waits for a place
   *[other] { $count } late entries wait for a place
}
desk-not-here = { $count ->
    [one] One player not seen yet
   *[other] { $count } players not seen yet
}
desk-owe = { $count ->
    [one] One player still owes
   *[other] { $count } players still owe
}
desk-close = Close the tournament
desk-closing = Before it is closed
desk-closing-waiting = They waited for a slot to the end
desk-closing-keep = What they were charged is given back. Tick those whose fees are kept, and say why.
desk-closing-waited = { $name }: { $amount }
desk-closing-reason = Why they are kept
desk-closing-not-given = { $division }: prizes of { $amount } were not given.
desk-closing-given-too-much = { $division }: { $amount } more was given than there is.
desk-gives-up-last-chance = { $name } has a match to play again and gives up the last chance.
desk-reopen = Open it again
desk-reported = Said by the players
desk-ready = Ready to call
desk-ready-none = Nobody waits.
desk-playing = Playing
desk-playing-none = Nobody plays.
desk-put-off = Put off
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
desk-postpone = Put off
desk-uncall = Take the call back
desk-player = { $name } …
desk-wins = { $name } wins
desk-lost-points = The other’s points
desk-otherwise = Not played to the end …
desk-points-then = Points at that moment, if it was begun
desk-until = Until when
desk-until-resumed = until I say so
desk-for-minutes = for { $minutes } minutes
desk-no-result = It has no result after all
desk-later-stands = What was played later stands
desk-later-stands-about = The player who now sits there takes over every later result.
desk-later-void = Later results are void
desk-later-void-about = Players whose opponent has changed play again.
desk-takes-place = { $new } takes the place of { $old }
desk-comes-in = { $name } comes in
desk-goes-out = { $name } goes out; who comes here is open
desk-result-stands = The result stands: { $what }
desk-result-changes = { $old } becomes: { $new }
desk-result-void = Void, to be played again: { $what }
desk-result-found = Result: { $what }
desk-touches-nothing = No match is touched.
desk-touches = { $count ->
    [one] One match is touched
   *[other] { $count } matches are touched
}
desk-correct-title = What is the right result?
desk-stands-now = now: { $what }
desk-right-is = Right is:
desk-choose-another = Choose another
desk-later = What becomes of what was played since?
desk-what-it-does = What it does
desk-show = Which
desk-show-all = All
desk-show-missing = Not seen yet
desk-show-waiting = Waiting
desk-show-out = Out
desk-enter = Enter
desk-enter-name = Name
desk-enter-many = Several at once
desk-enter-many-hint = One name per line. Unknown names are added as guests.
desk-here-of = { $here } of { $all } are here
desk-find = Find a player
desk-check-in = { $name } is here
desk-check-out = { $name } is not here after all
desk-check-in-all = { $count ->
    [one] Tick off this one
   *[other] Tick off all { $count }
}
desk-here = here
desk-is-here = Is here
desk-nobody-found = Nobody.
desk-divisions = Divisions
desk-is-waiting = waits for a place
desk-is-leaving = leaves after the match
desk-is-withdrawn = has left
desk-is-disqualified = disqualified
desk-is-again = entered again
desk-seed = Save the seeds
desk-seeds = Seeds …
desk-seeds-hint = A name a line, the first first. Nobody for none.
desk-owes = owes { $amount }
desk-is-owed = is owed { $amount }
desk-reinstate = { $name } is back
desk-re-enter = { $name } enters again
desk-join-pools = Save
desk-pools = Side pools
desk-seat = Seat here
desk-seat-title = A place by hand
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
desk-is-drawn = It is drawn.
desk-look-at-draw = The draw, step by step
desk-too-late-to-draw = A match has begun: it is not drawn again. Places can still be exchanged by hand.
desk-slot = Place { $slot }
desk-exchange = Exchange two places
desk-exchange-one = This place
desk-exchange-other = with this one
desk-draw-last-chance = Draw a last chance
desk-last-chance-who = Who plays in it?
desk-save-tables = Save the tables
desk-tables-open = Tables for whoever comes next
desk-tables-reserved = Reserved
desk-tables-closed = Closed
desk-tables-hint = Numbers and ranges: 1-12, 15. A reserved table is only used by hand.
desk-closed-table = closed
desk-free = free
desk-crowded = Two matches at one table
desk-times = Planned and real, in minutes
desk-round = Round
desk-played = Played
desk-round-minutes = Round
desk-match-minutes = Match
desk-times-hint = Real before the stroke, planned after it: 8 minutes a point for a match, 11 for a whole round. Real times need “They have begun”.
desk-nobody-owes = Nobody owes anything.
desk-still-owed = { $amount } still to be paid
desk-pay-in = { $name } has paid { $amount }
desk-pay-out = { $name } was handed { $amount }
desk-other-amount = Another amount …
desk-paid-in = Has paid
desk-paid-out = Was handed
desk-who = Who
desk-amount-in = Amount in { $currency }
desk-prizes = Prizes
desk-pool = Pool
desk-kept = Kept by the house
desk-due = Due
desk-given = Given
desk-all-given = All given as it is due.
desk-award = Give the prizes as they are due
desk-award-otherwise = Give them otherwise
desk-add-money = The house adds money
desk-still-played = Still to be played: { $names }
choose-format-own = As it is
choose-format-knock-out = Knock-out
choose-format-third-place = Knock-out, with a match for third place
choose-format-first-losers = Consolation for those who lose their first match
choose-format-progressive = Progressive consolation
choose-format-second-place = Progressive, its winner plays for second place
choose-format-double-elimination = Double elimination, final played again if need be
choose-format-single-final = Double elimination, one final
payout-own = As it is
payout-usual = As is usual for so many
payout-winner = All to the winner
payout-small = 50 / 25, consolation 25
payout-knock-out = 50 / 25 / 12½ / 12½
payout-four = 40 / 25, consolation 25 / 10
payout-twelfths = Twelfths: 4 2 2 1 1 1 1
choose-clock-optional = If both agree
choose-clock-preferred = If either wants
choose-clock-required = Always
choose-moves-legal = Legal moves: an illegal play is put right by whoever sees it
choose-moves-responsible = Responsible moves: the opponent may let it stand
apart-nobody = Nobody
apart-club = Players of one club
apart-country = Players of one country
about-new = New tournament
about-change = About the tournament
about-name = Name
about-date = Date
about-place = Place
about-open = Open the tournament
about-save = Save
about-more = Entries, prizes, rules …
about-currency = Fees and prizes in
about-no-money = No money
about-entries-open = Players enter themselves from
about-entries-close = until
about-entries-hint = Empty: the director enters them. Without an end, until the draw.
about-prizes = What can be won
about-rules = Rules
about-public = Everybody may look at it without a login
about-directors = Also direct it
desk-cancel = Cancel
division-title = A division
division-change = How { $name } is played
division-how = How it is played
division-format = Format
division-drawn = It is drawn: its format stays.
division-lengths = Lengths, the final’s first
division-lengths-hint = 11 9 7: the final to 11, semi-finals to 9, all before to 7.
division-consolation-lengths = In the consolation
division-last-chance-lengths = In a last chance
division-rules = Clock and rules
division-clock = Clocks
division-reserve = Seconds a point in reserve
division-delay = Seconds a move
division-moves = Moves
division-apart = Drawn apart
division-rated = Matches are rated
division-holland = Holland rule: after the Crawford game no double before the third turn
division-re-entries = How often somebody may enter again
division-money = Money, in { $currency }
division-entry-fee = Entry, into the pool
division-registration = Registration, to the house
division-re-entry = Re-entry, into the pool
division-payout = Payout
division-kept = Per cent kept by the house
division-side-pools = Side pools
division-side-pools-hint = A line each: the name, then what it costs.
division-no-money = For fees and prizes give the tournament a currency first.
enter-title = Enter
enter-me = Enter me
enter-is-in = You are in, as number { $number }.
enter-closed = Players cannot enter themselves right now.
enter-no-player = Your login belongs to no player: ask the director.
enter-until = until { $time }
enter-entered = { $count ->
    [one] one player entered
   *[other] { $count } players entered
}
enter-free = no fee
enter-costs = { $amount }
desk-open-sheet = Score it game by game
desk-next-differ = { $count ->
    [one] Two players do not say the same
   *[other] In { $count } matches the two do not say the same
}
desk-next-differ-about = Ask them, and confirm what is right.
desk-prizes-differ = The prizes given are not those due now: give the difference
desk-see-all = Show all matches
desk-find-match = Find a player or a table
desk-matches = Matches
desk-move = Move to this table
desk-re-enter-waits = { $name } enters again, and waits: no place is free
desk-cash = Cash
desk-cash-in = Taken in
desk-cash-out = Handed out
desk-cash-box = Should be in the box
desk-sum-is = They are to come to { $amount }.
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
    [one] one was in already
   *[other] { $count } were in already
}
