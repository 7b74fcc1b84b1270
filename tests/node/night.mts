// The night of docs/night-with-curl.md, through types that are generated from the OpenAPI document: what it
// does not know does not compile.

import assert from "node:assert/strict";
import { env } from "node:process";

import createClient, { type FetchResponse } from "openapi-fetch";
import type { components, paths } from "./owlbox.d.ts";

type Command = components["schemas"]["ChouetteCommand"];

const owlbox = createClient<paths>({ baseUrl: env.OWLBOX! });

/** The body of an answer that did what was asked. */
function good<T extends Record<string | number, any>, O, M extends `${string}/${string}`>(
  answer: FetchResponse<T, O, M>,
) {
  assert.ok(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
}

const who = { login: env.LOGIN!, password: env.PASSWORD! };
const tokens = good(await owlbox.POST("/api/v1/sign-in", { body: who }));
owlbox.use({
  onRequest({ request }) {
    request.headers.set("authorization", `Bearer ${tokens.access_token}`);
  },
});

async function player(name: string): Promise<string> {
  return good(await owlbox.POST("/api/v1/players", { body: { name } })).id;
}
const [anna, berto] = [await player("Anna"), await player("Berto")];
const [carla, dario] = [await player("Carla"), await player("Dario")];

const stake = { amount: 500, currency: "EUR" };
const opened = good(await owlbox.POST("/api/v1/chouettes", { body: { name: "Corner table", stake } }));
const path = { id: opened.chouette.id };

// Listens from after the opening until the table is closed.
async function heard(): Promise<string[]> {
  const query = { after: 1 };
  const follow = { params: { path, query }, parseAs: "stream" } as const;
  const { data, response } = await owlbox.GET("/api/v1/chouettes/{id}/events", follow);
  assert.equal(response.status, 200);
  const events: string[] = [];
  let text = "";
  for await (const part of data!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const frames = text.split("\n\n");
    text = frames.pop()!;
    for (const frame of frames) {
      const told = /^data: (.*)$/m.exec(frame)?.[1];
      if (told === undefined) continue;
      const act: components["schemas"]["ChouetteAct"] = JSON.parse(told);
      events.push(...act.events.map(({ event }) => event));
      if (events.at(-1) === "closed") return events;
    }
  }
  throw new Error(`the stream ends after ${events}`);
}
const listening = heard();

/** Gives a command, of which one thing comes. */
async function tell(body: Command, event: string) {
  const answer = good(await owlbox.POST("/api/v1/chouettes/{id}/commands", { params: { path }, body }));
  assert.deepEqual(answer.act.events.map((one) => one.event), [event]);
  return answer;
}

for (const one of [anna, berto, carla, dario]) await tell({ command: "join", player: one }, "joined");
const rolled = await tell({
  command: "enter_rolls",
  rolls: [
    { player: anna, dice: [6] },
    { player: berto, dice: [5] },
    { player: carla, dice: [3] },
    { player: dario, dice: [2] },
  ],
}, "rolls_entered");
assert.deepEqual([rolled.chouette.box, rolled.chouette.captain], [anna, berto]);

// The first game.
await tell({ command: "start_game" }, "game_started");
await tell({ command: "double", player: berto }, "doubled");
await tell({ command: "double", player: carla }, "doubled");
await tell({ command: "take", player: anna, against: [berto] }, "taken");
await tell({ command: "drop", player: anna }, "dropped");
const gammon: Command = { command: "finish", winner: "team", win: "gammon" };
const would = good(await owlbox.POST("/api/v1/chouettes/{id}/preview", { params: { path }, body: gammon }));
assert.equal(would.chouette.standings?.find((one) => one.player === berto)?.points, 8);
await tell(gammon, "game_finished");
await tell({ command: "undo" }, "undone");
await tell({ command: "redo" }, "redone");

// Two phones tap at once: a repeat is answered again, a stale one refused.
const seen = good(await owlbox.GET("/api/v1/chouettes/{id}", { params: { path } })).version;
async function fromAPhone(key: string) {
  const header = { "If-Match": `"${seen}"`, "Idempotency-Key": key };
  const params = { path, header };
  return owlbox.POST("/api/v1/chouettes/{id}/commands", { params, body: { command: "start_game" } });
}
const first = good(await fromAPhone("one-phone"));
assert.equal(good(await fromAPhone("one-phone")).act.version, first.act.version);
const late = await fromAPhone("another-phone");
assert.deepEqual([late.error?.status, late.error?.code], [412, "stale_version"]);

// The second game, and the end.
await tell({ command: "double", player: berto }, "doubled");
await tell({ command: "take", player: carla }, "taken");
await tell({ command: "drop", player: dario }, "dropped");
await tell({ command: "take", player: anna }, "taken");
await tell({ command: "finish", winner: "box", win: "single" }, "game_finished");
await tell({ command: "close" }, "closed");
assert.equal((await listening).length, 20);

// The books, and who pays whom.
const balances = good(await owlbox.GET("/api/v1/players/{id}/balances", { params: { path: { id: anna } } }));
const sums = balances.map(({ unit, amount }) => [unit, amount]).sort();
assert.deepEqual(sums, [["EUR", -4000], ["half_points", -16]]);
const debts = good(await owlbox.GET("/api/v1/chouettes/{id}/settle-up", { params: { path } }));
const paid = debts.payments.toSorted((one, other) => other.amount - one.amount);
const told = paid.map(({ payer, payee, amount }) => [payer, payee, amount]);
assert.deepEqual(told, [[anna, berto, 4000], [carla, berto, 500]]);
