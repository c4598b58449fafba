import fc from "fast-check";
import { readResponse } from "./read-response";
import type { UpstreamProtocol } from "../engine/protocols/vocabulary";
import type { Protocol } from "../engine/endpoint";
import { collect, relay, type Report, type StreamEncoder } from "../engine/protocols/observe";

type Body = Record<string, unknown>;

export const heading = { id: "gen-1", created: 1, model: "acme/one", isByok: false };
const report: Report = async () => ({ costUsd: 0.25, completedAt: 2, serviceMetadata: null });
const never = new AbortController().signal;

export const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Body;
export const without = (value: unknown, names: Iterable<string>): Body => {
  const others = new Set(names);
  return Object.fromEntries(Object.entries(value as Body).filter(([name]) => !others.has(name)));
};

export const word = fc.string({ minLength: 1, maxLength: 12 });
const anything = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
export const vendor = fc
  .dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), anything, { maxKeys: 3 })
  .map((fields) => ({ ...fields }));
export const withVendor = <Of extends object>(fields: fc.Arbitrary<Of>): fc.Arbitrary<Body> =>
  fc.tuple(fields, vendor).map(([known, unknown]) => ({ ...known, ...unknown }));
export const count = fc.nat({ max: 1_000_000 });

/** Returns the events that a caller receives for an upstream's stream. */
export async function relayed(events: readonly Body[], encoder: StreamEncoder, protocol: Protocol): Promise<Body[]> {
  const text = [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"].join("");
  const answer = new Response(text, { headers: { "content-type": "text/event-stream" } });
  return shown(readResponse(answer, protocol), encoder);
}

/** Returns the events that a caller receives for an upstream's whole response. */
export const relayedChunks = (answer: Body, encoder: StreamEncoder, protocol: UpstreamProtocol): Promise<Body[]> =>
  shown(readResponse(Response.json(answer), protocol), encoder);

async function shown(batches: Parameters<typeof relay>[0], encoder: StreamEncoder): Promise<Body[]> {
  let text = "";
  for await (const piece of relay(batches, encoder, never, report)) text += piece;
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Body);
}

/** Fields of usage that Signalbox adds. */
export const SET_IN_USAGE = ["cost", "cost_details", "is_byok"];

/** Reads an upstream's whole response. */
export const collected = (answer: Body, protocol: UpstreamProtocol) =>
  collect(readResponse(Response.json(answer), protocol), never, report);
