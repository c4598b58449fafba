import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import * as content from "../features/content-access/service";
import * as generations from "../records/generations/service";
import * as models from "../records/models/service";
import type { CreateProviderBody } from "../records/providers/contract";
import * as providers from "../records/providers/service";
import { AZURE_KEY, AZURE_VERSION, azureUpstream, DEPLOYMENT } from "../testing/azure-upstream";
import { BEDROCK_KEYS, BEDROCK_REGION, bedrockUpstream } from "../testing/bedrock-upstream";
import { createKey, keyCaller } from "../testing/factories";
import { guardKey } from "../testing/guardrails";
import { failure } from "../testing/expect-failure";
import { NOW, testWorld, type World } from "../testing/test-context";
import { tokenEndpoint } from "../testing/token-endpoint";
import { upstreamServer } from "../testing/upstream-server";
import { vertexUpstream, VERTEX_PLACE } from "../testing/vertex-upstream";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import * as inference from "./service";

/** A provider of a cloud with a fake that is as strict as the cloud, and the accepted bodies. */
interface Cloud {
  provider: Omit<CreateProviderBody, "slug" | "name">;
  upstreamModel: string;
  taken: readonly unknown[];
}

const USAGE = { inputTokens: 12, outputTokens: 3, totalTokens: 15 };
const CLOUDS: Readonly<Record<string, () => Promise<Cloud>>> = {
  azure: async () => {
    const { url, taken } = await azureUpstream();
    const settings = { api_version: AZURE_VERSION };
    return {
      provider: { kind: "azure", base_url: url, settings, api_key: AZURE_KEY },
      upstreamModel: DEPLOYMENT,
      taken,
    };
  },
  bedrock: async () => {
    const taken: { model: string; operation: string; body: unknown }[] = [];
    const answer = () => ({
      body: {
        output: { message: { role: "assistant", content: [{ text: "Hello there" }] } },
        stopReason: "end_turn",
        usage: USAGE,
        metrics: { latencyMs: 5 },
      },
      events: [
        { messageStart: { role: "assistant" } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hello" } } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { text: " there" } } },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { messageStop: { stopReason: "end_turn" } },
        { metadata: { usage: USAGE, metrics: { latencyMs: 5 } } },
      ],
    });
    const { url } = await upstreamServer(bedrockUpstream(NOW, answer, taken));
    const settings = { region: BEDROCK_REGION };
    return {
      provider: { kind: "bedrock", base_url: url, settings, credentials: BEDROCK_KEYS },
      upstreamModel: "amazon.nova-pro-v1:0",
      taken,
    };
  },
  vertex: async () => {
    const tokens = await tokenEndpoint(NOW.getTime());
    const upstreamModel = "gemini-3-pro-preview";
    const { url, taken } = await vertexUpstream(tokens, upstreamModel);
    const credentials = { service_account: tokens.keyFile() };
    return {
      provider: { kind: "vertex", base_url: url, settings: VERTEX_PLACE, credentials },
      upstreamModel,
      taken,
    };
  },
};

let world: World;
let context: Context;
let key: { id: string; hash: string };

beforeEach(async () => {
  world = await testWorld();
  await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentLogging: true } });
  key = await createKey(world);
  context = {
    ...world.context,
    settings: { ...world.context.settings, allowPrivateUpstreams: true },
    caller: keyCaller(world, key.id),
  };
});

const inputOf = <Body>(body: Body) => ({ params: {}, query: {}, body });
const fresh = (): Context => ({ ...context, headers: new Headers() });

async function modelAt({ provider, upstreamModel }: Cloud): Promise<string> {
  await providers.create(context, inputOf({ slug: "cloud", name: "Cloud", ...provider }));
  const endpoint = { provider: "cloud", upstream_model: upstreamModel, price: { prompt: "1000", completion: "2000" } };
  await models.create(context, inputOf({ slug: "acme/one", endpoints: [endpoint] }));
  return "acme/one";
}

/** Redacts email addresses, and allows the key 1.5 cents a day. */
const guard = () =>
  guardKey(world, key, {
    name: "House",
    content_filter_builtins: [{ slug: "email", action: "redact" }],
    limit_usd: 0.015,
    reset_interval: "daily",
  });

async function textOf(answer: unknown): Promise<string> {
  if (!(answer instanceof EventStream)) throw new Error("isn't a stream");
  return new Response(answer.body).text();
}

const chat = (model: string, prompt: string, fields: object = {}) =>
  inputOf(
    ChatCompletionsBody.parse({ model, messages: [{ role: "user", content: prompt }], max_tokens: 3, ...fields }),
  );

describe.each(Object.entries(CLOUDS))("a request to a model on %s", (kind, cloud) => {
  it("obeys guardrails, spends from budgets, and is recorded", async () => {
    const { provider, upstreamModel, taken } = await cloud();
    const model = await modelAt({ provider, upstreamModel, taken });
    await guard();

    const at = fresh();
    const answer = await inference.createChatCompletion(at, chat(model, "Write to ann@example.com"));
    expect(answer).toMatchObject({ model, choices: [{ message: { content: "Hello there" }, finish_reason: "stop" }] });
    expect(JSON.stringify(taken)).toContain("Write to [EMAIL]");
    const id = at.headers.get("x-generation-id") ?? "";
    const { data } = await generations.get(world.context, { params: {}, query: { id }, body: undefined });
    expect(data).toMatchObject({
      status: "succeeded",
      provider: "cloud",
      model,
      tokens_prompt: 12,
      tokens_completion: 3,
      total_cost: 0.018,
      attempts: [{ provider: "cloud", status: 200 }],
      decisions: [{ field: "content_filter_builtins", action: "redact", guardrail_name: "House" }],
    });
    const stored = await content.get(world.context, { params: {}, query: { id, reveal: "true" }, body: undefined });
    expect(stored.data).toMatchObject({
      input: { messages: [{ role: "user", content: "Write to [EMAIL]" }] },
      output: { completion: "Hello there" },
    });
    expect(JSON.stringify([data, stored])).not.toContain("ann@example.com");

    const count = taken.length;
    await expect(inference.createChatCompletion(fresh(), chat(model, "Hello"))).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining("House") as string,
    });
    expect(taken).toHaveLength(count);
  });

  it("is streamed, and recorded with the same usage", async () => {
    const model = await modelAt(await cloud());
    const at = fresh();
    const options = { stream: true, stream_options: { include_usage: true } };
    const text = await textOf(await inference.createChatCompletion(at, chat(model, "Hello", options)));
    expect([...text.matchAll(/"content":"([^"]+)"/g)].map(([, words]) => words).join("")).toBe("Hello there");
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    const id = at.headers.get("x-generation-id") ?? "";
    const { data } = await generations.get(world.context, { params: {}, query: { id }, body: undefined });
    expect(data).toMatchObject({ status: "succeeded", streamed: true, tokens_prompt: 12, total_cost: 0.018 });
  });

  it("with credentials that the cloud refuses is a 502 without them", async () => {
    const { provider, ...rest } = await cloud();
    const wrong = {
      azure: { api_key: "another-key-0123456789" },
      bedrock: { credentials: { ...BEDROCK_KEYS, secret_access_key: "another-secret-0123456789" } },
      vertex: { credentials: { service_account: (await tokenEndpoint(NOW.getTime())).keyFile() } },
    }[kind];
    const model = await modelAt({ ...rest, provider: { ...provider, ...wrong } });
    const error = await failure(inference.createChatCompletion(fresh(), chat(model, "Hello")));
    expect(error.status).toBe(502);
    expect(JSON.stringify(error.metadata)).not.toMatch(/another-(key|secret)|PRIVATE KEY/);
  });
});

describe("a request to a deployment on Azure", () => {
  it("goes to the deployment's address with its API version, and Responses to the resource's", async () => {
    const cloud = await CLOUDS["azure"]?.();
    if (!cloud) throw new Error("no Azure");
    const { provider, taken } = cloud;
    const model = await modelAt(cloud);
    await inference.createChatCompletion(fresh(), chat(model, "Hello"));
    await providers.update(context, { params: { slug: "cloud" }, query: {}, body: { protocol: "responses" } });
    const given = inputOf(ResponsesBody.parse({ model, input: "Hello" }));
    expect(await inference.createResponse(fresh(), given)).toMatchObject({
      status: "completed",
      output: [{ type: "message", content: [{ text: "Hello there" }] }],
    });
    const body = { protocol: "chat_completions" as const, settings: null, base_url: `${provider.base_url}/openai/v1` };
    await providers.update(context, { params: { slug: "cloud" }, query: {}, body });
    await inference.createChatCompletion(fresh(), chat(model, "Hello"));
    expect(taken.map((one) => (one as { url: string }).url)).toEqual([
      `/openai/deployments/${DEPLOYMENT}/chat/completions?api-version=${AZURE_VERSION}`,
      `/openai/responses?api-version=${AZURE_VERSION}`,
      "/openai/v1/chat/completions",
    ]);
  });

  it("passes the content filter's results on, whole and streamed", async () => {
    const cloud = await CLOUDS["azure"]?.();
    if (!cloud) throw new Error("no Azure");
    const model = await modelAt(cloud);
    expect(await inference.createChatCompletion(fresh(), chat(model, "Hello"))).toMatchObject({
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: { jailbreak: { detected: false } } }],
      choices: [{ content_filter_results: { violence: { filtered: false, severity: "safe" } } }],
    });
    const at = fresh();
    const options = { stream: true, stream_options: { include_usage: true } };
    const text = await textOf(await inference.createChatCompletion(at, chat(model, "Hello", options)));
    const plain = text
      .replaceAll(at.headers.get("x-generation-id") ?? "", "gen-1")
      .replaceAll(/"created":\d+/g, '"created":1');
    await expect(plain).toMatchFileSnapshot("upstream/golden/azure-to-chat.txt");
    expect(text.match(/"content_filter_results":\{"hate"/g)).toHaveLength(3);
  });

  it.each<[string, string, number, object]>([
    ["violence", DEPLOYMENT, 400, { metadata: { provider_code: "content_filter", param: "prompt" } }],
    ["quota", DEPLOYMENT, 429, { metadata: { provider_code: "429" } }],
    ["Hello", "nobody", 404, { metadata: { provider_code: "DeploymentNotFound" } }],
  ])("keeps the class of its errors: %s to %s", async (prompt, upstreamModel, status, error) => {
    const cloud = await CLOUDS["azure"]?.();
    if (!cloud) throw new Error("no Azure");
    const model = await modelAt({ ...cloud, upstreamModel });
    await expect(inference.createChatCompletion(fresh(), chat(model, prompt))).rejects.toMatchObject({
      status,
      ...error,
    });
  });
});
