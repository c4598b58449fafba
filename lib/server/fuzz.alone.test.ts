import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { hostileRequests, type HostileRequest, type OpenApiDocument } from "../../e2e/hostile-requests";
import { deleteGenerationContents } from "../features/content-access/removal-contract";
import { createKey } from "../testing/factories";
import { FUZZ_COUNT, FUZZ_SEED } from "../testing/fuzz-run";
import { testDatabase, testWorld } from "../testing/test-context";
import { createSandbox } from "./bootstrap";
import { createDispatcher } from "./dispatch.mjs";
import { routeFiles, type Handlers } from "./routes.mjs";

const CHUNK = 500;
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

/** Requests that `fetch` could send: others never reach a handler. */
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
  `${FUZZ_COUNT} random and hostile bodies: no 5xx`,
  async () => {
    process.stdout.write(`fuzz: FUZZ_SEED=${FUZZ_SEED}\n`);
    const world = await testWorld();
    const { db } = world.context;
    await createSandbox(db, world.organizationId, new Date());
    const [management, inference] = await Promise.all([createKey(world, { kind: "management" }), createKey(world)]);
    const opened = await call(new Request(`${HOST}/v1/openapi.json`));
    const document = (await opened.json()) as OpenApiDocument;
    Reflect.deleteProperty(document.paths, deleteGenerationContents.path);
    const arbitrary = hostileRequests(document, [world.workspaceId, world.adminId, "sandbox", "1"], {
      management: management.text,
      inference: inference.text,
    });
    const statuses: Record<number, number> = {};
    const complaints: string[] = [];
    let sent = 0;
    for (let chunk = 0; sent < FUZZ_COUNT; chunk += 1) {
      const queue = fc.sample(arbitrary, { numRuns: CHUNK, seed: FUZZ_SEED + chunk }).values();
      const worker = async () => {
        for (const one of queue) {
          const request = requestOf(one);
          const response = request && (await call(request).catch((error: unknown) => error as Error));
          // No route has the method, which the dispatcher answers with 405.
          if (!response || response instanceof Error) continue;
          await response.text();
          sent += 1;
          const { status } = response;
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (status >= 500 && ![502, 524, 529].includes(status))
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
    process.stdout.write(`fuzz: ${sent} ${JSON.stringify(statuses)}\n`);
    expect(complaints.slice(0, 10).join("\n\n")).toBe("");
    expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(FUZZ_COUNT / 20);
  },
  60 * 60_000,
);
