"""What the programs share: a sign-in, answers that must be good, and what a client does not know left out.

`owlbox_client` is generated from the service's OpenAPI document by the test that runs these programs.
"""

import json
import os
import re
from typing import TypeVar

import httpx
from owlbox_client import AuthenticatedClient, Client, models
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


def read_again(answer: httpx.Response, change) -> httpx.Response:
    """The answer with its JSON changed; as it is if it is none."""
    if "json" not in answer.headers.get("content-type", ""):
        return answer
    body = change(json.loads(answer.read()))
    gone = {"content-length", "content-encoding", "transfer-encoding"}
    headers = {name: value for name, value in answer.headers.items() if name not in gone}
    return httpx.Response(answer.status_code, headers=headers, content=json.dumps(body))


KNOWN_EVENTS = {
    event
    for kind in (getattr(models, name) for name in models.__all__)
    for event in re.findall(r"Literal\[[\"'](\w+)[\"']\]", str(getattr(kind, "__annotations__", {}).get("event", "")))
}


def known(value):
    """The value without the events that the client does not know. The document says that they are to be skipped."""
    if isinstance(value, list):
        return [known(one) for one in value if not is_unknown_event(one)]
    if isinstance(value, dict):
        return {name: known(one) for name, one in value.items()}
    return value


def is_unknown_event(value) -> bool:
    return isinstance(value, dict) and isinstance(value.get("event"), str) and value["event"] not in KNOWN_EVENTS


class Known(httpx.BaseTransport):
    """Reads the answers of a service that may be newer than the client."""

    def __init__(self, service: httpx.BaseTransport) -> None:
        self.service = service

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return read_again(self.service.handle_request(request), known)


def admin(service: httpx.BaseTransport | None = None) -> AuthenticatedClient:
    """The club's admin, signed in. The environment says where and with which password."""
    url = os.environ["OWLBOX"]
    settings = {"transport": Known(service or httpx.HTTPTransport())}
    who = SignInBody(login=os.environ["LOGIN"], password=os.environ["PASSWORD"])
    with Client(base_url=url, httpx_args=settings) as stranger:
        tokens = good(sign_in.sync_detailed(client=stranger, body=who), TokensBody)
    settings = {"transport": Known(service or httpx.HTTPTransport())}
    return AuthenticatedClient(base_url=url, token=tokens.access_token, httpx_args=settings)


def player(client: AuthenticatedClient, name: str) -> PlayerBody:
    """A new player."""
    return good(add_player.sync_detailed(client=client, body=NewPlayerBody(name=name)), PlayerBody)
