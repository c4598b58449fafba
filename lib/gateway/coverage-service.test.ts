import { beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import * as guardrails from "../features/guardrails/service";
import { ApiError } from "../platform/api-error";
import type { Context } from "../platform/context";
import { samplesOf } from "../testing/contract-samples";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testWorld } from "../testing/test-context";
import { recordingUpstream } from "../testing/upstream-server";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { create as createMessage } from "./messages-service";
import * as inference from "./service";

const MARKER = "MARKER-7Q";
/** Every fourth sample of a protocol is sent. */
const EVERY = 4;

let at: (url: string) => Promise<{ model: string; context: Context }>;

beforeAll(async () => {
  const world = await testWorld();
  const { db } = world.context;
  const filter = { pattern: MARKER, action: "redact" as const, label: "[M]" };
  const body = { name: "Markers", content_filters: [filter] };
  const { id } = (await guardrails.create(world.context, { params: {}, query: {}, body })).data;
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
  const caller = keyCaller(world, (await createKey(world)).id);
  let count = 0;
  at = async (url) => {
    count += 1;
    const providerId = await createProvider(world, { slug: `acme-${count}`, baseUrl: url });
    const model = `acme/${count}`;
    await createModel(world, { slug: model, providerId });
    return { model, context: { ...world.context, caller, headers: new Headers() } };
  };
});

const empty = { params: {}, query: {} };
const hello = { messages: [{ role: "user", content: "hi" }] };

/** A body of each protocol, and the function that sends a valid one. */
const PROTOCOLS: [string, z.ZodType, object, (context: Context, body: unknown) => Promise<unknown> | null][] = [
  [
    "responses",
    ResponsesBody,
    { input: "hi" },
    (context, given) => {
      const { data: body } = ResponsesBody.safeParse(given);
      return body ? inference.createResponse(context, { ...empty, body }) : null;
    },
  ],
  [
    "chat_completions",
    ChatCompletionsBody,
    hello,
    (context, given) => {
      const { data: body } = ChatCompletionsBody.safeParse(given);
      return body ? inference.createChatCompletion(context, { ...empty, body }) : null;
    },
  ],
  [
    "messages",
    MessagesBody,
    { ...hello, max_tokens: 9 },
    (context, given) => {
      const { data: body } = MessagesBody.safeParse(given);
      return body ? createMessage(context, { ...empty, body }) : null;
    },
  ],
];

it.each(PROTOCOLS)(
  "nothing with a marker in a %s request reaches the upstream",
  async (_protocol, contract, rest, send) => {
    const { url, received } = await recordingUpstream();
    const { model, context } = await at(url);
    const statuses: Record<string, number> = {};
    for (const [index, { value, path }] of samplesOf(contract, MARKER).entries()) {
      if (index % EVERY !== 0) continue;
      const body = { ...rest, ...value, ...(path[0] === "preset" ? { preset: null } : {}), model, models: [] };
      const sent = send({ ...context, headers: new Headers() }, body);
      if (sent === null) continue;
      const status = await sent.then(
        () => 200,
        (error: unknown) => (error instanceof ApiError ? error.status : Promise.reject(error as Error)),
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    expect(received.length).toBeGreaterThan(20);
    expect(received.filter((body) => body.includes(MARKER))).toEqual([]);
    expect(statuses[403]).toBeGreaterThan(20);
    expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
  },
  120_000,
);
