"""What both programs share: a sign-in, and answers that must be good.

`owlbox_client` is generated from the service's OpenAPI document by the test that runs these programs.
"""

import os
from typing import TypeVar

from owlbox_client import AuthenticatedClient, Client
from owlbox_client.api.access import sign_in
from owlbox_client.api.players import add_player
from owlbox_client.models import NewPlayerBody, PlayerBody, SignInBody, TokensBody
from owlbox_client.types import Response

Body = TypeVar("Body")


def good(response: Response, kind: type[Body]) -> Body:
    """The body of an answer that did what was asked."""
    body = response.parsed
    assert isinstance(body, kind), f"{response.status_code}: {body}"
    return body


def admin() -> AuthenticatedClient:
    """The club's admin, signed in. The environment says where and with which password."""
    url = os.environ["OWLBOX"]
    who = SignInBody(login=os.environ["LOGIN"], password=os.environ["PASSWORD"])
    with Client(base_url=url) as stranger:
        tokens = good(sign_in.sync_detailed(client=stranger, body=who), TokensBody)
    return AuthenticatedClient(base_url=url, token=tokens.access_token)


def player(client: AuthenticatedClient, name: str) -> PlayerBody:
    """A new player."""
    return good(add_player.sync_detailed(client=client, body=NewPlayerBody(name=name)), PlayerBody)
