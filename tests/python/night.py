"""The README's night, played with the client that is generated from the OpenAPI document."""

import json
import threading

from club import admin, good, player
from owlbox_client import models
from owlbox_client.api.chouettes import (
    follow_chouette,
    give_command,
    open_chouette,
    preview_command,
    settle_up_chouette,
    show_chouette,
)
from owlbox_client.api.ledger import balances, statement

with admin() as club:
    names = ["Anna", "Berto", "Carla", "Dario"]
    anna, berto, carla, dario = (player(club, name).id for name in names)
    called = dict(zip([anna, berto, carla, dario], names, strict=True))
    stake = models.Stake(amount=500, currency="EUR")
    new = models.NewChouette(name="Corner table", stake=stake)
    opened = good(open_chouette.sync_detailed(client=club, body=new), models.CommandAnswer)
    table = opened.chouette.id

    # Listens, as every phone at the table does, from after the opening until it is closed.
    heard: list[models.ChouetteAct] = []

    def listen() -> None:
        request = follow_chouette._get_kwargs(table, after=1)
        with club.get_httpx_client().stream(**request) as stream:
            assert stream.status_code == 200, stream.read()
            frame: dict[str, str] = {}
            for line in stream.iter_lines():
                field, _, value = line.partition(": ")
                if field:
                    frame[field] = value
                elif "data" in frame:
                    told = models.ChouetteFrame.from_dict(frame)
                    assert told.event == "act", told
                    act = models.ChouetteAct.from_dict(json.loads(told.data))
                    assert str(act.version) == told.id, told
                    heard.append(act)
                    frame = {}
                    if isinstance(act.events[-1], models.ChouetteEventClosed):
                        return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()

    def tell(command, happens: type, phase: models.Phase) -> None:
        """Gives a command, of which one thing comes."""
        answer = good(give_command.sync_detailed(table, client=club, body=command), models.CommandAnswer)
        assert [type(event) for event in answer.act.events] == [happens], answer.act.events
        assert answer.chouette.phase is phase, answer.chouette.phase

    for one in called:
        join = models.ChouetteCommandJoin(command="join", player=one)
        tell(join, models.ChouetteEventJoined, models.Phase.GATHERING)
    rolls = [(anna, 6), (berto, 5), (carla, 3), (dario, 2)]
    rolls = [models.Roll(player=one, dice=[models.Die(die)]) for one, die in rolls]
    rolled = models.ChouetteCommandEnterRolls(command="enter_rolls", rolls=rolls)
    tell(rolled, models.ChouetteEventRollsEntered, models.Phase.BETWEEN_GAMES)
    state = good(show_chouette.sync_detailed(table, client=club), models.ChouetteBody)
    assert (state.box, state.captain) == (anna, berto)
    assert state.names[str(anna)] == "Anna"

    def start() -> models.ChouetteCommandStartGame:
        return models.ChouetteCommandStartGame(command="start_game")

    def double(one) -> None:
        command = models.ChouetteCommandDouble(command="double", player=one)
        tell(command, models.ChouetteEventDoubled, models.Phase.PLAYING)

    def take(one, **against) -> None:
        command = models.ChouetteCommandTake(command="take", player=one, **against)
        tell(command, models.ChouetteEventTaken, models.Phase.PLAYING)

    def drop(one) -> None:
        command = models.ChouetteCommandDrop(command="drop", player=one)
        tell(command, models.ChouetteEventDropped, models.Phase.PLAYING)

    def finish(winner: models.Side, win: models.Win) -> models.ChouetteCommandFinish:
        return models.ChouetteCommandFinish(command="finish", winner=winner, win=win)

    # The first game.
    tell(start(), models.ChouetteEventGameStarted, models.Phase.PLAYING)
    double(berto)
    double(carla)
    take(anna, against=[berto])
    drop(anna)
    gammon = finish(models.Side.TEAM, models.Win.GAMMON)
    would = good(preview_command.sync_detailed(table, client=club, body=gammon), models.PreviewAnswer)
    assert [(called[one.player], one.points) for one in would.chouette.standings][0] == ("Berto", 8)
    tell(gammon, models.ChouetteEventGameFinished, models.Phase.BETWEEN_GAMES)
    tell(models.ChouetteCommandUndo(command="undo"), models.ChouetteEventUndone, models.Phase.PLAYING)
    tell(models.ChouetteCommandRedo(command="redo"), models.ChouetteEventRedone, models.Phase.BETWEEN_GAMES)

    # Two phones tap at once: a repeat is answered again, a stale one refused.
    seen = show_chouette.sync_detailed(table, client=club).headers["etag"]

    def from_a_phone(key: str):
        conditions = {"if_match": seen, "idempotency_key": key}
        return give_command.sync_detailed(table, client=club, body=start(), **conditions)

    for _ in range(2):
        assert good(from_a_phone("one-phone"), models.CommandAnswer).act.version == 15
    late = good(from_a_phone("another-phone"), models.Problem)
    assert (late.status, late.code) == (412, models.ProblemCode.STALE_VERSION), late

    # The second game, and the end.
    double(berto)
    take(carla)
    drop(dario)
    take(anna)
    won = finish(models.Side.BOX, models.Win.SINGLE)
    tell(won, models.ChouetteEventGameFinished, models.Phase.BETWEEN_GAMES)
    close = models.ChouetteCommandClose(command="close")
    tell(close, models.ChouetteEventClosed, models.Phase.CLOSED)
    listener.join(timeout=10)
    assert len(heard) == 20, len(heard)

    # The books.
    for one, points, cents in [(anna, -16, -4000), (berto, 18, 4500), (carla, -2, -500), (dario, 0, 0)]:
        balance = {b.unit: b.amount for b in balances.sync(one, client=club)}
        assert balance == {"half_points": points, "EUR": cents}, (called[one], balance)
    page = good(statement.sync_detailed(anna, client=club, unit="EUR"), models.PageStatementLine)
    lines = [(line.game, line.kind, line.amount, line.balance) for line in page.items]
    games = [(1, "game", -2000, -2000), (1, "game", -500, -2500), (1, "game", -500, -3000)]
    taken_back = [(1, "reversal", 2000, -1000), (1, "reversal", 500, -500), (1, "reversal", 500, 0)]
    assert lines == [*games, *taken_back, *games, (2, "game", -1000, -4000)][::-1], lines

    # Settling up: who pays whom.
    debts = good(settle_up_chouette.sync_detailed(table, client=club), models.SettleUpBody)
    paid = sorted((called[pay.payer], called[pay.payee], pay.amount) for pay in debts.payments)
    assert paid == [("Anna", "Berto", 4000), ("Carla", "Berto", 500)], paid
print("the night goes as the README says")
