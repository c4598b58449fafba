import { describe, expect, it } from "vitest";
import { endpointOf } from "../testing/endpoints";
import type { Endpoint } from "./plan";
import { describeFailures, firstAnswer, NoAnswer, statusForCaller, type Ask } from "./upstream";

const endpoint = (name: string): Endpoint =>
  endpointOf({ id: name, model: { slug: "m/m" }, provider: { slug: name, name: name.toUpperCase() }, upstreamModel: "m", prices: { prompt: "0", completion: "0" } });

const completion = { id: "1", object: "chat.completion", created: 0, model: "m", choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }] };
const good: Ask = async () => Response.json(completion);
const answers = (status: number, body = '{"error":{"message":"no"}}'): Ask => async () => new Response(body, { status });
const streams = (text: string): Ask => async () => new Response(text, { headers: { "content-type": "text/event-stream" } });
const breaks: Ask = async () => {
  throw new TypeError("fetch failed");
};
const hangs: Ask = (_endpoint, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

/** Asks endpoints a, b, c … that behave as given. */
function search(behaviours: Ask[], signal = new AbortController().signal) {
  const endpoints = behaviours.map((_, index) => endpoint("abc".charAt(index)));
  return firstAnswer(endpoints, (asked, until) => (behaviours[endpoints.indexOf(asked)] ?? good)(asked, until), signal, 50);
}

async function failed(behaviours: Ask[]) {
  const error: unknown = await search(behaviours).catch((reason: unknown) => reason);
  if (!(error instanceof NoAnswer)) throw new Error("expected no answer");
  return { statuses: error.attempts.map(({ status }) => status), told: describeFailures(error.failures) };
}

describe("firstAnswer", () => {
  it.each<[string, Ask]>([
    ["a broken connection", breaks],
    ["silence", hangs],
    ["408", answers(408)],
    ["429", answers(429)],
    ["500", answers(500)],
    ["503", answers(503)],
    ["a stream that begins with an error", streams('data: {"error":{"message":"overloaded"}}\n\n')],
    ["a page of HTML", answers(200, "<html>")],
    ["a stream of nothing", streams("")],
  ])("after %s asks the next endpoint", async (_name, bad) => {
    const { endpoint: asked, attempts, failures } = await search([bad, good]);
    expect([asked.provider.slug, attempts.length, failures.length]).toEqual(["b", 2, 1]);
  });

  it.each([400, 401, 404, 422])("after %i asks nobody else: another endpoint would refuse too", async (status) => {
    expect((await failed([answers(status), good])).statuses).toEqual([status]);
  });

  it("hands over the part that it waited for", async () => {
    const { chunks } = await search([good]);
    const { value } = await chunks.next();
    expect(value?.choices[0]?.delta.content).toBe("hi");
  });

  it("tells the last failure and keeps those before it", async () => {
    const { told } = await failed([answers(503, '{"error":{"message":"busy"}}'), breaks, answers(500, "oops")]);
    expect(told).toEqual({
      message: "Provider returned error",
      status: 502,
      provider_name: "C",
      raw: "oops",
      previous_errors: [
        { code: 503, message: "busy", provider_name: "A", raw: '{"error":{"message":"busy"}}' },
        { code: 502, message: "fetch failed", provider_name: "B", raw: null },
      ],
    });
  });

  it("stops when the client leaves", async () => {
    const client = new AbortController();
    const searching = search([hangs, good], client.signal);
    client.abort(new Error("left"));
    await expect(searching).rejects.toThrow("left");
  });

  it("answers silence everywhere with a timeout", async () => {
    expect((await failed([hangs])).told).toMatchObject({ status: 524, message: "Request timed out. Please try again later." });
  });
});

describe("statusForCaller", () => {
  it.each([[429, 529], [529, 529], [408, 524], [504, 524], [524, 524], [400, 400], [413, 400], [422, 400], [401, 502], [404, 502], [500, 502], [503, 502], [null, 502]])("%s becomes %i", (status, told) => {
    expect(statusForCaller(status)).toBe(told);
  });
});
