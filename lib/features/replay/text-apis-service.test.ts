import { expect, it } from "vitest";
import { CompletionsBody } from "../../gateway/completions-contract";
import { create as createCompletion } from "../../gateway/completions-service";
import { EmbeddingsBody } from "../../gateway/embeddings-contract";
import { create as createEmbeddings } from "../../gateway/embeddings-service";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { create as createMessage } from "../../gateway/messages-service";
import type { Context } from "../../platform/context";
import { EventStream } from "../../platform/http/event-stream";
import { createSandbox } from "../../server/bootstrap";
import { createKey, keyCaller } from "../../testing/factories";
import { NOW, testWorld } from "../../testing/test-context";
import { Replay, ReplayBody } from "./contract";
import { replay } from "./service";

it("embeddings, text completions and messages are replayed by their texts, and selected by their protocol", async () => {
  const world = await testWorld();
  const { context } = world;
  await createSandbox(context.db, world.organizationId, NOW);
  const key = await createKey(world);
  const fresh = (): Context => ({ ...context, headers: new Headers(), caller: keyCaller(world, key.id) });
  const input = { params: {}, query: {} };
  const texts = ["Hello", "The code is XYZ-1"];
  const model = "sandbox/echo";
  await createEmbeddings(fresh(), { ...input, body: EmbeddingsBody.parse({ model, input: texts }) });
  await createCompletion(fresh(), { ...input, body: CompletionsBody.parse({ model, prompt: texts[1] }) });
  const messages = [{ role: "user", content: texts[1] }];
  const message = { model, max_tokens: 20, system: texts[0], messages };
  await createMessage(fresh(), { ...input, body: MessagesBody.parse(message) });
  const guardrail = { content_filters: [{ pattern: "XYZ-[0-9]+", label: "[CODE]", action: "redact" }] };
  const ask = async (body: object) => {
    const answer = await replay(context, { ...input, body: ReplayBody.parse({ guardrail, ...body }) });
    if (answer instanceof EventStream) throw new Error("expected no stream");
    return Replay.parse(answer.data);
  };
  expect(await ask({})).toMatchObject({ evaluated: 3, newly_redacted: 3 });
  for (const [protocol, index] of [
    ["embeddings", 1],
    ["completions", 0],
    ["messages", 1],
  ]) {
    const { rows } = await ask({ selection: { filters: { protocol } } });
    expect(rows).toMatchObject([
      { change: "newly_redacted", found: [{ path: ["messages", index, "content"], rule: "[CODE]" }] },
    ]);
  }
});
