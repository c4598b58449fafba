import { beforeAll, expect, it } from "vitest";
import * as guardrails from "../features/guardrails/service";
import { ApiError } from "../platform/api-error";
import type { Context } from "../platform/context";
import { samplesOf } from "../testing/contract-samples";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testWorld } from "../testing/test-context";
import { recordingUpstream } from "../testing/upstream-server";
import { ChatCompletionsBody, ResponsesBody } from "./contract";
import * as inference from "./service";

const MARKER = "MARKER-7Q";
/** Every fourth sample of a protocol is sent. */
const EVERY = 4;

let at: (url: string) => Promise<Context>;

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
    await createModel(world, { slug: `acme/${count}`, providerId });
    return { ...world.context, caller, headers: new Headers() };
  };
});

it.each([
  ["responses", { input: "hi" }],
  ["chat_completions", { messages: [{ role: "user", content: "hi" }] }],
] as const)(
  "nothing with a marker in a %s request reaches the upstream",
  async (protocol, rest) => {
    const { url, received } = await recordingUpstream();
    const context = await at(url);
    const model = protocol === "responses" ? "acme/1" : "acme/2";
    const statuses: Record<string, number> = {};
    for (const [index, { value, path }] of samplesOf(
      protocol === "responses" ? ResponsesBody : ChatCompletionsBody,
      MARKER,
    ).entries()) {
      if (index % EVERY !== 0) continue;
      const body = { ...rest, ...value, ...(path[0] === "preset" ? { preset: null } : {}), model, models: [] };
      const input = (protocol === "responses" ? ResponsesBody : ChatCompletionsBody).safeParse(body);
      if (!input.success) continue;
      const sent = { params: {}, query: {}, body: input.data };
      const own = { ...context, headers: new Headers() };
      const status = await (
        protocol === "responses"
          ? inference.createResponse(own, sent as Parameters<typeof inference.createResponse>[1])
          : inference.createChatCompletion(own, sent as Parameters<typeof inference.createChatCompletion>[1])
      ).then(
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
