import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { hostileRequests, type HostileRequest, type OpenApiDocument } from "../../e2e/hostile-requests";
import { deleteGenerationContents } from "../features/content-access/removal-contract";
import { randomFrom } from "../demo/random";
import * as guardrails from "../features/guardrails/service";
import { createCompletion } from "../gateway/completions-contract";
import { createChatCompletion, createResponse } from "../gateway/contract";
import { createEmbeddings } from "../gateway/embeddings-contract";
import { createMessage } from "../gateway/messages-contract";
import type { Protocol } from "../engine/endpoint";
import * as scimTokens from "../records/scim-tokens/service";
import { createKey, createMember } from "../testing/factories";
import { FUZZ_COUNT } from "../testing/fuzz-run";
import { createModel, createProvider } from "../testing/providers";
import { TEST_SEED } from "../testing/random";
import { testDatabase, testWorld, type World } from "../testing/test-context";
import { recordingUpstream } from "../testing/upstream-server";
import { createSandbox } from "./bootstrap";
import { alternatives } from "./operations";
import { createDispatcher } from "./dispatch.mjs";
import { routeFiles, type Handlers } from "./routes.mjs";

const CHUNK = 250;
const AT_ONCE = 16;
const HOST = "http://signalbox.test";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const routes = routeFiles(ROOT).map(({ path, segments }) => ({
  segments,
  handlers: () => import(join(ROOT, "app", path)) as Promise<Handlers>,
}));
const { call } = createDispatcher(routes);

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", "0");
  vi.stubEnv("SIGNALBOX_CONTENT_READS_PER_MINUTE", "0");
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

const MARKER = "MARKER-7Q";
const markedModel = (protocol: Protocol) => `marked/${protocol}`;
/** The protocol of each operation with a prompt. An upstream of the same protocol receives the most of a body. */
const PROMPTS: ReadonlyMap<string, Protocol> = new Map([
  [createChatCompletion.path, "chat_completions"],
  [createResponse.path, "responses"],
  [createMessage.path, "messages"],
  [createCompletion.path, "chat_completions"],
  [createEmbeddings.path, "chat_completions"],
]);

/**
 * Creates a model for each protocol, whose upstream keeps the requests that it receives, and an inference key with a guardrail that
 * redacts the marker.
 */
async function markedWorld(): Promise<{ key: string; received: readonly string[] }> {
  const world = await testWorld();
  const { url, received } = await recordingUpstream();
  for (const protocol of new Set(PROMPTS.values())) {
    const kind = protocol === "messages" ? "anthropic" : "openai";
    const providerId = await createProvider(world, { slug: `marked-${protocol}`, baseUrl: url, protocol, kind });
    await createModel(world, { slug: markedModel(protocol), providerId });
  }
  const key = await createKey(world);
  const filter = { pattern: MARKER, action: "redact" as const, label: "[M]" };
  const body = { name: "Marked", content_filters: [filter] };
  const { id } = (await guardrails.create(world.context, { params: {}, query: {}, body })).data;
  await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
  return { key: key.text, received };
}

/** Fields that choose a model or an item's kind. Other values are refused. */
const FREE_FIELDS = new Set(["model", "models", "preset", "provider", "type", "role"]);

/** Adds the marker to one string of a prompt, and requests a marked model; null if the body isn't a JSON object. */
function marked(request: HostileRequest, key: string, random: () => number): HostileRequest | null {
  const [holder, name, root] = pickString(request.body, random) ?? [];
  if (!holder || name === undefined || !root) return null;
  Reflect.set(holder, name, `${String(Reflect.get(holder, name))} ${MARKER}`);
  const body = { ...root, model: markedModel(PROMPTS.get(request.path) ?? "responses"), models: [], stream: false };
  return {
    ...request,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(body)).toString("base64"),
  };
}

/** Picks one of the strings in a JSON body. Returns the object or list that contains it, its key there, and the body. */
function pickString(body: string | undefined, random: () => number): [object, string, object] | null {
  try {
    const root: unknown = JSON.parse(Buffer.from(body ?? "", "base64").toString());
    if (typeof root !== "object" || root === null || Array.isArray(root)) return null;
    const places = stringsIn(root);
    const place = places[Math.floor(random() * places.length)];
    return place ? [...place, root] : null;
  } catch {
    return null;
  }
}

const stringsIn = (holder: object): [object, string][] =>
  Object.entries(holder).flatMap(([name, value]): [object, string][] => {
    if (FREE_FIELDS.has(name)) return [];
    if (typeof value === "string") return [[holder, name]];
    return typeof value === "object" && value !== null ? stringsIn(value as object) : [];
  });

/** Creates members, a group and a token with which a directory changes them. */
async function createDirectory(world: World): Promise<{ users: string[]; token: string }> {
  const { data, token } = await scimTokens.create(world.context, {
    params: {},
    query: {},
    body: { name: "Directory", expires_at: null },
  });
  const members = await Promise.all([createMember(world), createMember(world), createMember(world)]);
  const { db } = world.context;
  const { organizationId } = world;
  const group = await db.group.create({ data: { id: data.id, organizationId, name: "Group", source: "scim" } });
  return { users: [...members, group.id], token };
}

/** True for requests that `fetch` can send; others never reach a handler. */
function requestOf({ method, target, headers, body }: HostileRequest): Request | null {
  try {
    const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
    return new Request(new URL(target, HOST), {
      method,
      headers,
      body: hasBody ? Buffer.from(body, "base64") : null,
    });
  } catch {
    return null;
  }
}

it(
  `${FUZZ_COUNT} random and hostile bodies: no 5xx, and no unscanned marker upstream`,
  async () => {
    const world = await testWorld();
    const { db } = world.context;
    await createSandbox(db, world.organizationId, new Date());
    const [management, inference] = await Promise.all([createKey(world, { kind: "management" }), createKey(world)]);
    const opened = await call(new Request(`${HOST}/v1/openapi.json`));
    const document = (await opened.json()) as OpenApiDocument;
    Reflect.deleteProperty(document.paths, deleteGenerationContents.path);
    const keys = { management: management.text, inference: inference.text };
    const known = [world.workspaceId, world.adminId, "sandbox", "1"];
    const prompts = Object.fromEntries(Object.entries(document.paths).filter(([path]) => PROMPTS.has(path)));
    const ofScim = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith("/scim/")));
    const { users, token } = await createDirectory(world);
    /** In turn, every operation, only those that take a prompt, and only those of directories. */
    const arbitraries = [
      hostileRequests(document, known, keys, alternatives),
      hostileRequests({ ...document, paths: prompts }, known, keys),
      hostileRequests({ ...document, paths: ofScim }, users, { management: token, inference: token }),
    ] as const;
    const { key, received } = await markedWorld();
    const random = randomFrom(TEST_SEED);
    const statuses: Record<number, number> = {};
    const complaints: string[] = [];
    let sent = 0;
    for (let chunk = 0; sent < FUZZ_COUNT; chunk += 1) {
      const queue = fc
        .sample(arbitraries[(chunk % 3) as 0 | 1 | 2], { numRuns: CHUNK, seed: TEST_SEED + chunk })
        .values();
      const worker = async () => {
        for (const given of queue) {
          const isPrompt = PROMPTS.has(given.path) && given.method === "POST";
          const one = (isPrompt && random() < 0.7 ? marked(given, key, random) : null) ?? given;
          const request = requestOf(one);
          const response = request && (await call(request).catch((error: unknown) => error as Error));
          // No route has the method, which the dispatcher answers with 405.
          if (!response || response instanceof Error) continue;
          await response.text();
          sent += 1;
          const { status } = response;
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (status >= 500 && ![501, 502, 524, 529].includes(status))
            complaints.push(
              `${status} ${one.method} ${one.target}\n${Buffer.from(one.body ?? "", "base64")
                .toString()
                .slice(0, 400)}`,
            );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      if (chunk % 10 === 9) process.stdout.write(`fuzz: ${sent} ${JSON.stringify(statuses)}\n`);
    }
    expect(received.length).toBeGreaterThan(FUZZ_COUNT / 200);
    expect(received.filter((body) => body.includes(MARKER)).slice(0, 5)).toEqual([]);
    expect(complaints.slice(0, 10).join("\n\n")).toBe("");
    expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(FUZZ_COUNT / 20);
  },
  60 * 60_000,
);
