import { text as bodyOf } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { uuidv7 } from "../platform/ids";
import { createSandbox } from "../server/bootstrap";
import { createKey, keyCaller } from "../testing/factories";
import { failure } from "../testing/expect-failure";
import { createModel, createProvider } from "../testing/providers";
import { StrictChatBody } from "../testing/strict-upstream";
import { NOW, testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { CompletionsBody } from "./completions-contract";
import { TextCompletion } from "../engine/protocols/contracts/text-completion-contract";
import * as completions from "./completions-service";

let world: World;
let context: Context;

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  const settings = { ...world.context.settings, allowPrivateUpstreams: true };
  context = { ...world.context, settings, caller: keyCaller(world, (await createKey(world)).id) };
});

const create = (request: object) =>
  completions.create(
    { ...context, headers: new Headers() },
    { params: {}, query: {}, body: CompletionsBody.parse(request) },
  );

const tokenOf = (token: string, logprob: number) => ({
  token,
  logprob,
  bytes: [...new TextEncoder().encode(token)],
  top_logprobs: [
    { token, logprob, bytes: null },
    { token: "x", logprob: -9, bytes: null },
  ],
});

/** Candidates with the log probabilities of their tokens, in the upstream's order. */
const CANDIDATES = [
  [tokenOf("so", -2), tokenOf(" so", -2)],
  [tokenOf("best", -0.25), tokenOf(" one", -0.5)],
  [tokenOf("good", -1)],
];
const textOf = (tokens: (typeof CANDIDATES)[number]) => tokens.map(({ token }) => token).join("");
const usage = { prompt_tokens: 2, completion_tokens: 5, total_tokens: 7 };

/** Creates a model whose upstream accepts only valid bodies, and returns as many choices as requested. */
async function modelAtUpstream() {
  const sent: Record<string, unknown>[] = [];
  const { url } = await upstreamServer((request, response) => {
    void bodyOf(request).then((given) => {
      const body = StrictChatBody.parse(JSON.parse(given));
      sent.push(body);
      const said = CANDIDATES.slice(0, body.n ?? 1).map((tokens, index) => ({ tokens, index }));
      const logprobs = (content: unknown) => ({ logprobs: body.logprobs ? { content, refusal: null } : null });
      if (!body.stream) {
        const choices = said.map(({ tokens, index }) => ({
          index,
          message: { role: "assistant", content: textOf(tokens) },
          finish_reason: "stop",
          ...logprobs(tokens),
        }));
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ id: "c", object: "chat.completion", model: "m", choices, usage }));
        return;
      }
      const choice = (index: number, delta: object, more: object) => ({
        id: "c",
        choices: [{ index, delta, finish_reason: null, ...more }],
      });
      const events = said.flatMap(({ tokens, index }) => [
        choice(index, { role: "assistant", content: "" }, {}),
        ...tokens.map((token) => choice(index, { content: token.token }, logprobs([token]))),
        choice(index, {}, { finish_reason: "stop" }),
      ]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        [...events, { id: "c", choices: [], usage }].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") +
          "data: [DONE]\n\n",
      );
    });
  });
  const slug = `p-${uuidv7(NOW)}`;
  const providerId = await createProvider(world, { slug, baseUrl: url });
  await createModel(world, { slug: `acme/${slug}`, providerId });
  return { model: `acme/${slug}`, sent };
}

async function streamed(request: object) {
  const answer = await create({ ...request, stream: true });
  if (!(answer instanceof EventStream)) throw new Error("isn't a stream");
  const text = await new Response(answer.body).text();
  return [...text.matchAll(/^data: (\{.*)$/gm)].flatMap(
    ([, json = ""]) => TextCompletion.parse(JSON.parse(json)).choices,
  );
}

describe("echo", () => {
  it("puts the prompt before each completion, whole and streamed", async () => {
    const request = { model: "sandbox/echo", prompt: ["one", "two"], n: 2, echo: true };
    const { choices } = TextCompletion.parse(await create(request));
    const expected = ["oneYou said: one", "oneYou said: one", "twoYou said: two", "twoYou said: two"];
    expect(choices.map(({ text }) => text)).toEqual(expected);
    const events = await streamed(request);
    const joined = expected.map((_, at) =>
      events
        .filter(({ index }) => index === at)
        .map(({ text }) => text)
        .join(""),
    );
    expect(joined).toEqual(expected);
  });

  it("has the prompt as the filters left it", async () => {
    const { db } = context;
    const filter = { slug: "email", action: "redact", scan_scope: "all_messages", scope: "request" };
    const data = { id: uuidv7(NOW), workspaceId: world.workspaceId, name: "G", contentFilterBuiltins: [filter] };
    const { id } = await db.guardrail.create({ data });
    const where = { id: world.workspaceId };
    await db.workspace.update({ where, data: { defaultGuardrailId: id } });
    const answer = await create({ model: "sandbox/echo", prompt: "ann@example.com", echo: true });
    await db.workspace.update({ where, data: { defaultGuardrailId: null } });
    expect(answer).toMatchObject({ choices: [{ text: "[EMAIL]You said: [EMAIL]" }] });
  });
});

const LEGACY = {
  tokens: ["so", " so"],
  token_logprobs: [-2, -2],
  top_logprobs: [
    { so: -2, x: -9 },
    { " so": -2, x: -9 },
  ],
  text_offset: [0, 2],
};

describe("logprobs", () => {
  it("are requested from the upstream, and returned in the format of completions", async () => {
    const { model, sent } = await modelAtUpstream();
    const { choices } = TextCompletion.parse(await create({ model, prompt: "Hi", logprobs: 2 }));
    expect(choices).toEqual([{ index: 0, text: "so so", finish_reason: "stop", logprobs: LEGACY }]);
    const none = TextCompletion.parse(await create({ model, prompt: "Hi", logprobs: 0 }));
    expect(none.choices[0]?.logprobs).toEqual({ ...LEGACY, top_logprobs: null });
    expect(TextCompletion.parse(await create({ model, prompt: "Hi" })).choices[0]?.logprobs).toBeNull();
    expect(sent.map(({ logprobs, top_logprobs }) => [logprobs, top_logprobs])).toEqual([
      [true, 2],
      [true, undefined],
      [undefined, undefined],
    ]);
  });

  it("are streamed with their place in the whole text", async () => {
    const { model } = await modelAtUpstream();
    const events = await streamed({ model, prompt: "Hi", logprobs: 1 });
    const parts = events.flatMap(({ logprobs }) => logprobs ?? []);
    expect(parts.flatMap(({ text_offset }) => text_offset)).toEqual([0, 2]);
    expect(parts.flatMap(({ top_logprobs }) => top_logprobs)).toEqual(LEGACY.top_logprobs);
  });
});

describe("best_of", () => {
  it("returns the candidates with the highest mean log probability, and charges all", async () => {
    const { model, sent } = await modelAtUpstream();
    const best = TextCompletion.parse(await create({ model, prompt: "Hi", best_of: 3 }));
    expect(best.choices).toEqual([{ index: 0, text: "best one", finish_reason: "stop", logprobs: null }]);
    expect(best.usage).toMatchObject(usage);
    const two = TextCompletion.parse(await create({ model, prompt: "Hi", best_of: 3, n: 2, logprobs: 0 }));
    expect(two.choices.map(({ index, text, logprobs }) => [index, text, logprobs?.tokens])).toEqual([
      [0, "best one", ["best", " one"]],
      [1, "good", ["good"]],
    ]);
    expect(sent.map(({ n, logprobs }) => [n, logprobs])).toEqual([
      [3, true],
      [3, true],
    ]);
  });

  it("keeps the order of candidates whose probability is unknown", async () => {
    const { choices } = TextCompletion.parse(await create({ model: "sandbox/echo", prompt: "Hi", best_of: 3, n: 2 }));
    expect(choices.map(({ index, text }) => [index, text])).toEqual([
      [0, "You said: Hi"],
      [1, "You said: Hi"],
    ]);
  });

  it("counts towards the most choices of a request", async () => {
    const refused = await failure(create({ model: "sandbox/echo", prompt: Array<string>(7).fill("a"), best_of: 20 }));
    expect([refused.status, JSON.stringify(refused.metadata)]).toEqual([400, expect.stringContaining('"best_of"')]);
  });
});
