"""A client that is older than its service: every answer has a field, a code, a phase and an event that it does not know."""

import httpx
from club import admin, good, player, read_again
from owlbox_client import models
from owlbox_client.api.chouettes import give_command, open_chouette, read_log, show_chouette
from owlbox_client.api.club import show_settings


def newer(value, within: str = ""):
    """What a later version might answer."""
    if isinstance(value, list):
        more = [{"event": "brand_new", "for": 17}] if within == "events" else []
        return [newer(one) for one in value] + more
    if not isinstance(value, dict):
        return f"brand_new_{within}" if within in {"code", "phase", "language"} else value
    grown = {name: newer(one, name) for name, one in value.items()}
    return grown if within == "names" else {**grown, "brand_new_field": {"in": within}}


class Newer(httpx.BaseTransport):
    """A service of a later version."""

    def __init__(self) -> None:
        self.service = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return read_again(self.service.handle_request(request), newer)


with admin(Newer()) as club:
    anna = player(club, "Anna").id
    rules = models.HouseRules()
    opened = good(open_chouette.sync_detailed(client=club, body=models.NewChouette(name="Corner", rules=rules)), models.CommandAnswer)
    table = opened.chouette.id
    join = models.ChouetteCommandJoin(command="join", player=anna)
    joined = good(give_command.sync_detailed(table, client=club, body=join), models.CommandAnswer)
    assert [type(event) for event in joined.act.events] == [models.ChouetteEventJoined], joined.act.events
    assert joined.chouette.phase == "brand_new_phase", joined.chouette.phase
    assert joined.act["brand_new_field"] == {"in": "act"}, joined.act
    shown = good(show_chouette.sync_detailed(table, client=club), models.ChouetteBody)
    assert shown.names[str(anna)] == "Anna", shown.names
    log = read_log.sync_detailed(table, client=club).parsed
    assert len(log.items) == 2, log
    late = good(give_command.sync_detailed(table, client=club, body=join), models.Problem)
    assert (late.status, late.code) == (422, "brand_new_code"), late
    settings = good(show_settings.sync_detailed(client=club), models.ClubSettingsOutput)
    assert settings.language == "brand_new_language", settings
print("a client takes what it does not know")
