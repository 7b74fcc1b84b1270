new-tournament = New tournament
tournaments-open = Coming and under way
tournaments-past = Over
all-tournaments = All tournaments
no-open-tournaments = No tournament is announced.
is-today = today
won-by = Winner
entries-count = { $count ->
    [one] { $count } entry
   *[other] { $count } entries
}
entries-here = { $count } in the room
matches-playing = { $count ->
    [one] { $count } match under way
   *[other] { $count } matches under way
}
matches-left = { $count ->
    [one] { $count } match to play
   *[other] { $count } matches to play
}
matches-more = { $count ->
    [one] and { $count } more match
   *[other] and { $count } more matches
}
matches-waiting = { $count ->
    [one] { $count } match is waiting for a table.
   *[other] { $count } matches are waiting for a table.
}
all-played = all played
not-drawn = not drawn yet
is-over = over
is-cancelled = cancelled
cancelled-because = Cancelled: { $reason }
division-pages = Pages of the division
page-bracket = Bracket
page-draw = Draw
page-entries = Entries
column-place = Place
column-from = Club
column-seed = Seed
column-number = No.
column-status = Status
column-prize = Prize
list-show = Show
list-all = All
list-here = Here
list-waiting = Waiting
list-left = Left
list-nobody = Nobody.
list-whole = All on one page
page-places = Places
no-divisions = No division has been announced yet.
to-desk = Director’s desk
prizes = Prizes
rules-sheet = Rules
playing-now = Under way
latest-results = Latest results
room-screen = The screen on the wall
embed = Show the bracket on another site
embed-short = Embed
embed-hint = Copy this into the other page. It shows the current bracket, and nothing else of the club.
embed-element = To copy
embed-link = Its address
paper-slips = Match slips
paper-cards = Cards for the players
told-format-knock-out = Knock-out
told-format-third-place = with a match for third place
told-format-first-losers = consolation for those who lose their first match
told-format-first-played = consolation for those who lose the first match they play
format-up-to = { $count ->
    [1] consolation for the losers of round 1
   *[other] consolation for the losers of rounds 1 to { $count }
}
told-format-progressive = progressive consolation
format-with-finalist = consolation for everybody who loses
told-format-second-place = its winner plays for second place
format-single = double elimination with one final
format-double = double elimination
told-clock-optional = clock if both want it
told-clock-preferred = clock if one wants it
told-clock-required = with clock
clock-set = { $reserve } a point + { $delay } s a move
told-moves-legal = legal moves
told-moves-responsible = responsible moves
plays-holland = Holland rule
is-rated = rated
lengths-of = { $lengths } from the final back
fee-entry = Entry
fee-registration = Registration
fee-re-entry = Re-entry
money-pool = In the pool
money-kept = The house keeps
entries = Entries
checked-in = here
standing-in = plays
standing-waiting = waiting for a slot
standing-leaving = leaving after this match
standing-withdrawn = withdrawn
standing-disqualified = disqualified
standing-entered-again = entered again
entry-again = { $name } ({ $times })
places = Places
still-plays = still plays
no-places = No places are decided yet.
prizes-given = Prizes awarded
prizes-due = Prizes
prize-winner = Winner
prize-finalist = Finalist
prize-semi-finalist = Losing semi-finalist
prize-consolation-winner = Winner of the consolation
prize-consolation-finalist = Finalist of the consolation
prize-last-chance-winner = Winner of the last chance
prizes-wait = Match { $match } must be played first
match-long = Match to { $points }
match-won = won
match-games = The games
match-ways = Next matches
match-in-bracket = In the bracket
match-done = Over
match-empty = Nobody plays this match
match-waits = Waiting for its players
match-postponed = Later
match-postponed-until = Not before { $when }
match-ready = Can be called
match-ready-since = Ready since
match-called-at = Called
match-began-at = Started
match-ended-at = Ended
match-report = { $name } reports { $score }.
next-at = Called to table { $table }: now
next-playing = Plays at table { $table }
next-ready = Next: wait to be called
next-waits = Next, when the opponent is known
idle-not-drawn = The draw has not been made yet.
idle-starts = Play starts { $when }. The draw has not been made yet.
division-starts = starts { $time }
idle-out = No more matches here.
way-nobody = Nobody here has that name.
way-several = Several players here have that name:
bracket-page = Bracket of { $event }
draws = Draws
draw-nth = Draw { $number }
draw-last-chance = Last chance { $number }
draw-reason = Drawn again: { $reason }
draw-by-hand = The director made this draw by hand.
report-title = How did it end?
report-won = I won
report-lost = I lost
report-confirm = Confirm { $score }
report-other-score = Another score
report-score = { $mine }–{ $theirs }
report-you-said = You reported { $score }.
report-other-said = { $name } reported { $score }.
report-take-back = Withdraw my report
report-how = Tap the score. Once both of you report the same score, it is the result. Until then you can change yours.
to-cash-desk = The cash desk
my-matches = My matches
next-put-off = Next: postponed until the director says so
next-put-off-until = Next: postponed until { $time }
report-differ = Your reports differ: see the director.
report-by-card = Do you play in this match? Scan the code on your card, or sign in, to report the result.
way-not-played = not played
way-place = Place { $place } of { $of }
