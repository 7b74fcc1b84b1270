#!/usr/bin/env python3
"""Posts the result of every chouette to a chat when its table closes. It is sent what happens by a webhook.

    OWLBOX_URL=https://club.example OWLBOX_TOKEN=owlt_... OWLBOX_SECRET=whsec_... \\
        CHAT_URL=https://chat.example/hooks/... PORT=8090 python3 night_result.py

The token reads the table. The webhook's URL leads here through a proxy that encrypts; OWLBOX_SECRET is its
secret. CHAT_URL is an incoming webhook of Slack, Mattermost, Rocket.Chat, or Discord with "/slack" at its end.
"""

import base64
import collections
import hmac
import http.server
import json
import os
import time
import urllib.request

API = os.environ["OWLBOX_URL"].rstrip("/") + "/api/v1"
SECRET = base64.b64decode(os.environ["OWLBOX_SECRET"].removeprefix("whsec_"))
told = collections.deque(maxlen=1000)  # Something may be sent twice: its id tells.


def ask(url, body, headers):  # Owlbox waits ten seconds for our answer.
    return urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=4)


def is_signed(headers, body):
    signed = f"{headers.get('webhook-id')}.{(at := headers.get('webhook-timestamp', '0'))}.".encode() + body
    tag = "v1," + base64.b64encode(hmac.digest(SECRET, signed, "sha256")).decode()
    return hmac.compare_digest(tag, headers.get("webhook-signature", "")) and abs(time.time() - int(at)) < 300


def tell(act):
    if any(event["event"] == "closed" for event in act.get("events", [])):
        proof = {"Authorization": f"Bearer {os.environ['OWLBOX_TOKEN']}"}
        table = json.load(ask(f"{API}/chouettes/{act['id']}", None, proof))
        scores = sorted(table["standings"], key=lambda score: -score["points"])  # In half points.
        players = ", ".join(f"{table['names'][score['player']]} {score['points'] / 2:+g}" for score in scores)
        result = {"text": f"{table['name']}, {table['night']}, games: {table['games']}. {players}"}
        ask(os.environ["CHAT_URL"], json.dumps(result).encode(), {"Content-Type": "application/json"})


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10  # Nobody holds up the others for longer.
    def do_POST(self):
        body = self.rfile.read(min(abs(int(self.headers["content-length"])), 1 << 20))
        if not is_signed(self.headers, body):
            return self.send_error(401)
        if self.headers["webhook-id"] not in told:
            tell(json.loads(body))  # If this fails there is no answer, and Owlbox sends it again.
            told.append(self.headers["webhook-id"])
        self.send_response(204)
        self.end_headers()


with http.server.HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Receiver) as server:
    print("listening", flush=True)
    server.serve_forever()
