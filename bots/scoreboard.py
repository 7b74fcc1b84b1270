#!/usr/bin/env python3
"""Prints a line for every result in the club, as it happens: at tables, of matches, in tournaments.

    OWLBOX_URL=https://club.example OWLBOX_TOKEN=owlt_... python3 scoreboard.py

Without a token it follows what the club shows to everybody. Change `say` to post the line to a chat.
"""

import http.client
import json
import os
import time
import urllib.request

API = os.environ["OWLBOX_URL"].rstrip("/") + "/api/v1"
PROOF = {"Authorization": f"Bearer {token}"} if (token := os.environ.get("OWLBOX_TOKEN")) else {}


def ask(path, **headers):  # The stream is never silent for longer than ten seconds.
    return urllib.request.urlopen(urllib.request.Request(API + path, headers={**headers, **PROOF}), timeout=60)


def say(line):
    print(line, flush=True)


def tell(act):
    for event in act["events"]:  # Later versions of the service tell more: skip what you do not know.
        if event["event"] == "game_finished":
            table = json.load(ask(f"/chouettes/{act['id']}"))
            say(f"{table['name']}: game {event['game']} won by the {event['winner']}, {event['win'] or 'drops'}")
        elif event["event"] == "game_won":
            match = json.load(ask(f"/matches/{act['id']}"))
            upper, lower = (match["names"][player] for player in match["players"])
            say(f"{upper} {match['score'][0]}-{match['score'][1]} {lower}" + (", finished" if match["outcome"] else ""))
        elif event["event"] == "resulted":
            match = json.load(ask(f"/tournaments/{act['id']}/divisions/{event['division']}/matches/{event['match']}"))
            upper, lower = (match["names"].get(slot["player"], "nobody") for slot in match["slots"])
            score = (match["outcome"] or {}).get("score") or ["", ""]
            say(f"{upper} {score[0]}-{score[1]} {lower}, match {event['match']}")


last = seen = {}  # The id of the last event that was told: the stream goes on after it, without a gap.
while True:
    try:
        with ask("/events", **last) as stream:
            say("following the club")
            for field, _, value in (line.decode().rstrip("\n").partition(": ") for line in stream):
                if field == "id":
                    seen = {"Last-Event-ID": value}
                elif field == "data":
                    tell(json.loads(value))
                elif not field:
                    last = seen
    except (OSError, http.client.HTTPException) as error:  # The service starts again, or the network is gone.
        code = getattr(error, "code", 503)
        if code in (400, 401, 403):
            raise
        last = last if code != 410 else {}
    time.sleep(1)
