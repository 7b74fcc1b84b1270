"""The event of docs/tournaments.md, played with the client that is generated from the OpenAPI document."""

import datetime

from club import admin, good, player
from owlbox_client import models
from owlbox_client.api.tournaments import (
    command_tournament,
    list_places,
    open_tournament,
    preview_tournament,
    tournament_accounts,
)

with admin() as club:
    about = models.AboutTournament(
        name="Spring Open", date=datetime.date(2026, 4, 18), currency="EUR", public=True
    )
    opened = good(open_tournament.sync_detailed(client=club, body=about), models.TournamentAnswer)

    def tell(command, version: int, *happens: type) -> None:
        """Gives a command, of which these things come."""
        response = command_tournament.sync_detailed(opened.id, client=club, body=command)
        answer = good(response, models.TournamentAnswer)
        assert [type(event) for event in answer.act.events] == list(happens), answer.act.events
        assert answer.version == version, answer.version

    settings = models.DivisionSettings(name="Championship", lengths=[7, 5], fees=models.Fees(entry=2000))
    division = models.TournamentCommandAddDivision(command="add_division", settings=settings)
    tell(division, 2, models.TournamentEventDivisionAdded)

    called = {player(club, name).id: name for name in ["Sara", "Teo", "Ugo", "Vera"]}
    entries = [models.NewEntry(player=one) for one in called]
    enter = models.TournamentCommandEnter(command="enter", entries=entries)
    tell(enter, 4, models.TournamentEventEntered, models.TournamentEventBooked)
    by_hand = models.DrawByHand(by="hand", slots=[1, 2, 3, 4])
    draw = models.TournamentCommandDraw(command="draw", method=by_hand)
    tell(draw, 5, models.TournamentEventDrawn)
    tables = [models.Table(table=1), models.Table(table=2)]
    room = models.TournamentCommandSetTables(command="set_tables", tables=tables)
    tell(room, 6, models.TournamentEventTablesSet)
    call = models.TournamentCommandCallNext(command="call_next", matches=2)
    tell(call, 8, models.TournamentEventCalled, models.TournamentEventCalled)

    def played(upper: int, lower: int) -> models.MatchEndedPlayed:
        return models.MatchEndedPlayed(ending="played", score=[upper, lower])

    walkover = models.MatchEndedWalkover(ending="walkover", winner=models.Slot.UPPER)
    for version, match, ended in [(9, 1, played(5, 3)), (10, 2, walkover), (11, 3, played(7, 6))]:
        result = models.TournamentCommandResult(command="result", match=match, ended=ended)
        tell(result, version, models.TournamentEventResulted)

    # It was Teo who won the first match.
    correct = models.TournamentCommandCorrect(
        command="correct", match=1, ended=played(3, 5), later=models.Later.STANDS
    )
    response = preview_tournament.sync_detailed(opened.id, client=club, body=correct)
    would = good(response, models.TournamentPreview)

    def upper(match: models.MatchView) -> str:
        return would.names[str(match.slots[0].player)]

    touched = [(one.after.match, upper(one.before), upper(one.after)) for one in would.matches]
    assert touched == [(1, "Sara", "Sara"), (3, "Sara", "Teo")], touched
    tell(correct, 12, models.TournamentEventCorrected)

    # The prizes, and the end.
    award = models.TournamentCommandAward(command="award")
    tell(award, 13, models.TournamentEventAwarded)
    response = tournament_accounts.sync_detailed(opened.id, client=club)
    accounts = good(response, models.NamedPlayerAccount)
    balance = {called[account.player]: account.amount for account in accounts.items}
    assert balance == {"Sara": -2000, "Teo": 3400, "Ugo": 600, "Vera": -2000}, balance
    tell(models.TournamentCommandClose(command="close"), 14, models.TournamentEventClosed)
    places = good(list_places.sync_detailed(opened.id, 1, client=club), models.NamedPlace)
    champion = places.items[0]
    assert (champion.best, champion.worst, champion.entry) == (1, 1, 2), champion
print("the tournament goes as docs/tournaments.md says")
