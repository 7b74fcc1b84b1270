live-on = live
live-again = reconnecting
live-lost = offline
live-kept = Not sent yet, no network:
live-moved = The table has moved on. Still send it?
live-send = Send
live-discard = Discard
live-failed = That did not work. Try again.
the-box = Box
role-box = Box
role-captain = Captain
role-acting-captain = Acting captain
role-dropped-captain = Captain, dropped
role-crew = Crew
role-waiting = In from the next game
role-away = On a break
you = you
cube-at = Cube at { $value },
cube-centred = centred
cube-to-box = ▸ box
cube-to = ▸ { $name }
cube-offered-by-box = box offers
cube-offered-by = { $name } offers
cube-dropped = dropped
cube-box-dropped = box dropped
points-tonight = Points tonight:
the-line = The line
next-up = Next up
roll-for-order = Roll for the order
roll-again = A tie: roll again
dice-rolled = We have rolled at the table
enter-dice = Enter the dice
what-may-be-done = What may be done
game-over = Game over …
undo-what = Undo: { $what }
undo-nothing = Nothing to undo
redo-what = Redo: { $what }
redo-all = { $count ->
    [one] Redo { $count } act
   *[other] Redo all { $count } acts
}
not-in-this-game = Sitting out
somebody-joins = Somebody joins …
club-player = Player
choose = Choose …
or-new-guest = or a new guest
join = Join
standings = Standings tonight
money = Money
left = left
the-log = The log
taken-back = undone
take-back-to-here = Take back to here …
take-back-title = Take back to here?
take-back-hint = Nothing is deleted: it stays in the log, and can be put back as long as nothing else has happened.
take-back-acts = { $count ->
    [one] Take back this act
   *[other] Take back these { $count } acts
}
take-back-no-change = No score changes.
change = Change
leave-as-it-is = Leave it as it is
now-gathering = Who is playing?
now-roll = Who begins?
now-between = { $box } is box, { $captain } captain
now-playing = { $box } plays the team, { $captain } rolls for it
now-answer = { $who } doubles: { $whom } to answer
now-answer-team = Box doubles: the team to answer
now-answer-several = { $who } double: { $whom } to answer
now-closed = The night is over here
say-opened = The table is open
say-joins = { $name } joins
say-leaves = { $name } leaves
say-returns = { $name } comes back
say-draws-order = Draw the order by dice
say-rolled = Rolled: { $rolls }
say-order = Order: { $names }
say-game-starts = Game { $game } starts
say-doubles-everybody = { $who } doubles everybody to { $to }
say-doubles-whom = { $who } doubles { $whom } to { $to }
say-redoubles-whom = { $who } redoubles { $whom } to { $to }
say-doubles = { $who } doubles to { $to }
say-redoubles = { $who } redoubles to { $to }
say-takes = { $who } takes { $to }
say-box-takes = Box takes { $to } from { $from }
say-drops = { $who } drops, loses { $loses }
say-box-drops = Box drops to { $from }, loses { $loses }
say-all-settled = Every bet is settled
say-box-wins-single = Box wins a single game
say-box-wins-gammon = Box wins a gammon
say-box-wins-backgammon = Box wins a backgammon
say-team-wins-single = Team wins a single game
say-team-wins-gammon = Team wins a gammon
say-team-wins-backgammon = Team wins a backgammon
say-seats = { $box } is box, { $captain } captain
say-closes = Close the night
close-hint = Then nobody can enter anything here any more. Undo opens the night again.
say-reopens = Open the night again
say-undone = Undone: { $what }
say-redone = Redone: { $what }
say-undone-several = { $count ->
    [one] Undone: { $count } act
   *[other] Undone: { $count } acts at once
}
say-redone-several = { $count ->
    [one] Redone: { $count } act
   *[other] Redone: { $count } acts at once
}
say-as-far-as = As far as: { $what }
kind-single = Single
kind-gammon = Gammon
kind-backgammon = Backgammon
finish-title = How did game { $game } end?
finish-hint = Choose the result: nothing is recorded before you have seen what everybody gets.
box-wins = Box wins
team-wins = Team wins
this-game = This game
night-after = Night
then = Then
box-is = { $name } is box
captain-is = { $name } is captain
record = Record: { $what }
not-over-yet = Not over yet
box-doubles-some = Box doubles only some …
box-doubles-these = Box doubles those chosen
steps = Undo and end of the game
role-gathered = At the table
