bell = Sound on my turn
live-on = live
live-again = reconnecting
live-lost = offline
live-kept = Not sent yet, no network:
live-moved = The table has moved on. Send it anyway?
live-send = Send
live-discard = Discard
live-leave = Leave: it will be sent later
live-ask = Someone else has acted since. Send it anyway?
live-does = It would now do this:
live-impossible = No longer possible:
live-look = Look first
live-refused = Refused:
live-done = OK
live-failed = That did not work. Try again.
the-box = Box
    .box = { $Box }
role-box = Box
    .box = { $Box }
role-captain = Captain
    .captain = { $Captain }
role-acting-captain = Acting captain
    .captain = { $Captain } (acting)
role-dropped-captain = Captain, dropped
    .captain = { $Captain }, dropped
role-crew = Crew
    .crew = { $Crew }
role-onlooker = Onlooker
role-waiting = In from the next game
you = you
cube-at = Cube at { $value },
cube-centred = centred
cube-to-box = ▸ box
    .box = ▸ { $Box }
cube-to = ▸ { $name }
cube-offered-by-box = box offers
    .box = { $Box } offers
cube-offered-by = { $name } offers
cube-dropped = dropped
cube-box-dropped = box dropped
    .box = { $Box } dropped
points-tonight = Points tonight:
the-line = The line
next-up = Next up
roll-for-order = Roll for the order
roll-again = A tie: roll again
dice-rolled = We have rolled at the table
enter-dice = Enter the dice
what-may-be-done = What you can do
what-is-likeliest = Most likely now
game-over = Game over
undo-what = Undo: { $what }
undo-nothing = Nothing to undo
redo-what = Redo: { $what }
redo-all = { $count ->
    [one] Redo { $count } step
   *[other] Redo all { $count } steps
}
not-in-this-game = Sitting out
somebody-joins = Add a player …
club-player = Player
choose = Choose …
or-new-guest = or a new guest
join = Join
standings = Standings tonight
standings-of = Standings of { $day }
money = Money
left = left
the-log = The log
log-before = Before the first game
taken-back = undone
take-back-to-here = Undo back to here …
take-back-to = Undo back to here: { $what }
take-back-title = Undo back to here?
take-back-hint = Nothing is deleted. Undone steps stay in the log, and you can redo them until something else happens.
take-back-also = Also undone at { $name }.
take-back-acts = { $count ->
    [one] Undo this step
   *[other] Undo these { $count } steps
}
take-back-no-change = No score changes.
change = Change
leave-as-it-is = Leave it unchanged
now-gathering = Who is playing?
now-roll = Who begins?
now-between = { $box } is box, { $captain } captain
    .seats = { $box } is { $Box }, { $captain } { $Captain }
now-playing = { $box } plays the team, { $captain } rolls for it
now-playing-alone = { $box } plays the team; no member still in the game is at the table
decides-for = { $proxy } for { $name }
now-answer = { $who } doubles: { $whom } to answer
now-answer-team = Box doubles: the team to answer
    .box = { $Box } doubles: the team to answer
now-answer-several = { $who } double: { $whom } to answer
now-closed = This table is closed for the night
say-opened = The table is open
say-joins = { $name } joins
say-leaves = { $name } leaves
say-returns = { $name } comes back
say-draws-order = Draw the order by dice
say-rolled = Rolled: { $rolls }
say-order = Order: { $names }
say-takers-move-up = Those who took move up: { $names }
say-game-starts = Game { $game } starts
say-doubles-everybody = { $who } doubles everybody to { $to }
say-doubles-whom = { $who } doubles { $whom } to { $to }
say-redoubles-whom = { $who } redoubles { $whom } to { $to }
say-doubles = { $who } doubles to { $to }
say-redoubles = { $who } redoubles to { $to }
say-takes = { $who } takes { $to }
say-drops = { $who } drops, loses { $loses }
say-all-settled = Every bet is settled
say-box-wins-single = Box wins a single game
    .box = { $Box } wins a single game
say-box-wins-gammon = Box wins a gammon
    .box = { $Box } wins a gammon
say-box-wins-backgammon = Box wins a backgammon
    .box = { $Box } wins a backgammon
say-team-wins-single = Team wins a single game
say-team-wins-gammon = Team wins a gammon
say-team-wins-backgammon = Team wins a backgammon
say-seats = { $box } is box, { $captain } captain
    .seats = { $box } is { $Box }, { $captain } { $Captain }
say-closes = Close the night
say-closed = The night is closed
close-hint = After that, nothing more can be entered here. Undo opens the table again.
say-undone = Undone: { $what }
say-redone = Redone: { $what }
say-undone-several = { $count ->
    [one] Undone: { $count } step
   *[other] Undone: { $count } steps at once
}
say-redone-several = { $count ->
    [one] Redone: { $count } step
   *[other] Redone: { $count } steps at once
}
say-as-far-as = Up to: { $what }
kind-single = Single
kind-gammon = Gammon
kind-backgammon = Backgammon
finish-title = How did game { $game } end?
finish-hint = Choose the result. You see everybody’s score before anything is recorded.
box-wins = Box wins
    .box = { $Box } wins
team-wins = Team wins
this-game = This game
night-after = Night
then = Then
box-is = { $name } is box
    .box = { $name } is { $Box }
captain-is = { $name } is captain
    .captain = { $name } is { $Captain }
plays-for-team = { $name } plays for the team
record = Record: { $what }
record-alone = Record
record-next = Record, next game
not-over-yet = Not over yet
everybody-drops-title = Does everybody drop?
everybody-drops-hidden = The result is shown once all have answered.
game-over-then = The game is over. Then
not-everybody = Not everybody
box-doubles = Box doubles …
    .box = { $Box } doubles …
box-doubles-some = Box doubles only some …
    .box = { $Box } doubles only some …
box-doubles-these = Box doubles those chosen
    .box = { $Box } doubles those chosen
steps = Undo and end of the game
role-gathered = At the table
the-team = Team
role-partner = Partner of the box
    .box = Partner ({ $Box })
role-resting = On a break
role-gone = Has left
role-away = Has left
could-lose = could lose { $points }
above-limit = limit reached
mark-answered = has answered
mark-due = answers now
mark-offers-extra = offers an extra
mark-proxy = { $name } decides
mark-follows = follows the captain
    .captain = follows { $Captain }
mark-consult = may advise
extra-against = Extra, with { $name }
with-extra = with extra
cube-beavered-by = { $animal ->
    [beaver] { $name } beavers
    [raccoon] { $name } raccoons
    [otter] { $name } otters
   *[more] { $name } redoubles
 }
cube-dropped-by = { $name } dropped
cube-agreed = settled
fact-late = No more doubles this turn
fact-automatics = { $count ->
    [one] 1 automatic double
   *[other] { $count } automatic doubles
 }
fact-carried = { $count ->
    [one] 1 automatic double carried over
   *[other] { $count } automatic doubles carried over
 }
more-acts = More …
to-settle = Settle bets …
to-order = Set the order …
to-stakes = Stakes …
to-starts = Where cubes start …
to-split = Split the table …
to-merge = Move to another table …
to-players = Merge duplicate players …
to-rules = House rules …
to-other-game = Another game …
say-game-of = { $said }: { $variant }
variant-standard = Backgammon
variant-nackgammon = Nackgammon
variant-hyper-backgammon = Hyper-backgammon
variant-misere = the losing game
variant-inverse = the inverse game
variant-plakoto = Plakoto
variant-fevga = Fevga
to-correct = Correct a game …
to-settle-up = Who pays whom …
to-proxy = Who decides for { $name }
now-too-few = At least { $count } are needed for a game
now-split-due = More than { $most }: split the table before the next game
now-partner-due = The box needs a partner
    .box = { $Box } needs a partner
now-asked-for-partner = { $name }: partner of the box?
    .box = { $name }: partner ({ $Box })?
now-tie-waits = A tie: does { $name } want the automatic double?
now-due-first = { $name } answers first: take or drop?
now-due = { $name } answers: take or drop?
now-at-once = All answer at once, in secret: { $names } to answer
now-beavered = { $animal ->
    [beaver] A beaver to { $to }: { $whom } to answer
    [raccoon] A raccoon to { $to }: { $whom } to answer
    [otter] An otter to { $to }: { $whom } to answer
   *[more] Redoubled at once to { $to }: { $whom } to answer
 }
now-asked-for-extra = { $name }: an extra against { $taker }?
now-must-beaver = { $name } took alone: beaver or drop?
now-extras-offered = { $name } took alone: take the extras of { $from }, or drop?
yours-answer-first = You answer now: take or drop?
yours-answer = Take or drop?
yours-answered = You have answered
yours-hidden = Your answer stays hidden until all have answered.
yours-change = You said: { $what }. You may change it until all have answered.
yours-extra = An extra against { $taker }?
yours-beaver-or-drop = You took alone: beaver or drop?
yours-must-drop = You took alone: you must drop too
yours-extras = The extras of { $from }, or drop?
yours-alone = All others have dropped.
yours-partnership = Will you be the box’s partner?
    .box = Will you be the partner ({ $Box })?
yours-for = You decide for { $name }.
yours-tie = A tie: do you want the automatic double?
answer-take = take
answer-drop = drop
answer-beaver = beaver
say-rules-changed = The house rules change
say-rules-changed-these = House rules changed: { $settings }
say-takes-break = { $name } takes a break
say-decides = { $proxy } decides for { $name }
say-decides-alone-again = { $name } decides alone again
say-follows-captain = { $name }’s cube follows the captain’s
say-merged = { $duplicate } was { $name }, entered twice
say-stake = { $name } plays for { $units } times the stake
say-start = { $name }’s cube starts at { $value }
say-split = { $names } leave for a table of their own
say-goes-over = Everybody moves to another table
say-partnership = Partner of the box? Asked in turn: { $names }
    .box = Partner ({ $Box })? Asked in turn: { $names }
say-declines-partnership = { $name } declines to be partner
say-partner = { $name } is partner of the box
    .box = { $name } is partner ({ $Box })
say-partner-drawn = { $name } is partner of the box, by lot
    .box = { $name } is partner ({ $Box }), by lot
say-partners = Partner of the box: { $names }
    .box = Partner ({ $Box }): { $names }
say-declines-box = { $name } declines the box
    .box = { $name } declines ({ $Box })
say-game-starts-on-board = Game { $game } starts on the board
say-tie-doubles = Opening tie: cubes to { $to }
say-tie-declined = Opening tie: the box declines the double
    .box = Opening tie: { $Box } declines the double
say-tie-nothing = Opening tie: cubes stay
say-tie-carried = Opening tie: doubles the next game
say-doubles-for-team = { $who } doubles for the team to { $to }
say-redoubles-for-team = { $who } redoubles for the team to { $to }
say-beavers = { $animal ->
    [beaver] { $who } beavers to { $to }
    [raccoon] { $who } raccoons to { $to }
    [otter] { $who } otters to { $to }
   *[more] { $who } redoubles at once to { $to }
 }
say-beavers-whom = { $animal ->
    [beaver] { $who } beavers { $whom } to { $to }
    [raccoon] { $who } raccoons { $whom } to { $to }
    [otter] { $who } otters { $whom } to { $to }
   *[more] { $who } redoubles { $whom } at once to { $to }
 }
say-answered = { $name } has answered
say-takes-from = { $who } takes { $to } from { $from }
say-drops-to = { $who } drops the double of { $from }, loses { $loses }
say-everybody-takes = Everybody takes
say-everybody-drops = Everybody drops
say-everybody-doubles = Everybody doubles the box
    .box = Everybody doubles { $Box }
say-they-double = { $who } double
say-they-take = { $who } take
say-they-drop = { $who } drop
say-plays-on = Dice rolled
say-alone-must-drop = { $name } took alone and must drop
say-alone-must-beaver = { $name } took alone: beaver or drop
say-alone-extras = { $name } took alone. Asked for extras: { $asked }
say-offers-extra = { $name } offers an extra
say-passes-extra = { $name } gives no extra
say-extras = { $from } gives { $taker } an extra: cube at { $to }, { $pays } paid
say-takes-extras = { $taker } takes the extras of { $from } at { $to }, { $pays } paid
say-settles = { $payee } gets { $points } from { $payer }
say-drops-alone = { $who } drops
say-drops-to-alone = { $who } drops the double of { $from }
say-extras-alone = { $from } gives { $taker } an extra: cube at { $to }
say-takes-extras-alone = { $taker } takes the extras of { $from } at { $to }
say-settles-alone = { $one } and { $other } settle their bet
say-corrected-alone = Game { $game } corrected
say-share = { $name }’s share: { $share }
say-corrected = Game { $game } corrected: { $changes }
say-pays = { $payer } pays { $payee } { $amount }
say-board-tied = Opening roll: both { $die }
say-board-opens = { $who } begins with { $roll }
say-board-cocked = { $who }: cocked dice
say-board-rolls = { $who } rolls { $roll }
say-board-rolls-early = { $who } rolls { $roll } too early
say-board-plays = { $who } plays { $roll }
say-board-passes = { $who } cannot move
say-board-leaves = { $who } lifts the dice after an illegal play
say-board-accepts-play = { $who } accepts the play
say-board-sends-back = { $who } sends the play back
say-board-resigns = { $who } resigns: { $kind }
say-board-accepts = { $who } accepts the resignation
say-board-rejects = { $who } rejects the resignation
say-board-doubles = { $who } doubles to { $to }
say-board-beavers = { $who } beavers to { $to }
say-board-takes = { $who } takes the cube at { $to }
say-board-drops = { $who } drops
say-board-anew = Both mothers are pinned: nobody wins, and the game starts again
say-board-else = The game on the board is over
bar = bar
off = off
jacoby-nobody = Jacoby: no cube still in play was turned, so it counts as a single game.
jacoby-only = Jacoby: this counts only on cubes in play that were turned, with { $names }.
rules-otherwise-common = Otherwise the common rules
