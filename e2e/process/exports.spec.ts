import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createExportDestination, listExportRuns } from "../../lib/features/exports/contract";
import { createResponse } from "../../lib/gateway/contract";
import { listGenerations } from "../../lib/records/generations/contract";
import { createApi, type Api } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";
import { createWorld } from "../world";

/** More generations than one request to a collector takes. */
const GENERATIONS = 130;
const LANES = 8;

interface Sent {
  traceId: string;
  spanId: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}
interface Batch {
  resourceSpans?: { scopeSpans: { spans: Sent[] }[] }[];
  resourceLogs?: { scopeLogs: { logRecords: Sent[] }[] }[];
}

/** "<generation> <trace> <span>" of each span or log record. */
function sentIn(body: string): string[] {
  const { resourceSpans = [], resourceLogs = [] } = JSON.parse(body) as Batch;
  return [
    ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    ...resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
  ].map(({ traceId, spanId, attributes }) => {
    const id = attributes.find(({ key }) => key === "signalbox.generation.id")?.value.stringValue ?? "";
    return `${id} ${traceId} ${spanId}`;
  });
}

const generationOf = (sent: string) => sent.split(" ")[0] ?? "";

/**
 * Starts a collector that accepts batches unless they are rejected. It receives held log records, but never responds to
 * them.
 */
async function startCollector(
  isHeld: (nth: number) => boolean,
  isRejected: (batch: readonly string[]) => boolean = () => false,
) {
  const batches = { traces: [] as string[][], logs: [] as string[][] };
  const server = createServer((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (chunk: string) => (body += chunk))
      .on("end", () => {
        const isLogs = request.url === "/v1/logs";
        const batch = sentIn(body);
        if (isRejected(batch)) {
          response.writeHead(400).end("{}");
          return;
        }
        batches[isLogs ? "logs" : "traces"].push(batch);
        if (!isLogs || !isHeld(batches.logs.length)) response.end("{}");
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    batches,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** IDs of all generations, newest first. */
async function recordedIn(api: Api, cursor: string | null = null): Promise<string[]> {
  const page = await api.call(listGenerations, { query: { limit: "100", ...(cursor !== null && { cursor }) } });
  const ids = page.data.map(({ id }) => id);
  return page.next_cursor === null ? ids : [...ids, ...(await recordedIn(api, page.next_cursor))];
}

test("kill -9 while a batch is sent: after the restart, the collector has every recorded generation, and repetitions have the same IDs", async ({
  own,
}) => {
  // The second batch's spans have been accepted and its log records received when the process is killed, but its
  // position isn't stored.
  const collector = await startCollector((nth) => nth === 2);
  const variables = { SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true" };
  const server = await own.start(variables);
  const api = createApi(server.url, MANAGEMENT_KEY);
  const world = await createWorld(api);
  const { text } = await world.inferenceKey();
  const acknowledged: string[] = [];
  const send = async () => {
    const { id } = await api.as(text).call(createResponse, { body: { model: "sandbox/echo", input: "Hello" } });
    acknowledged.push(id);
  };
  const lane = async (): Promise<void> => {
    await send();
    return lane();
  };
  const writeUntil = async (count: number) => {
    while (acknowledged.length < count) await Promise.all(Array.from({ length: LANES }, send));
  };
  await writeUntil(GENERATIONS);
  const { data } = await api.call(createExportDestination, {
    body: {
      name: "Collector",
      kind: "otlp",
      start: "oldest",
      otlp: { url: collector.url, signals: ["traces", "logs"] },
    },
  });
  const lanes = Array.from({ length: LANES }, () => lane().catch(() => undefined));
  await expect.poll(() => collector.batches.logs.length, { intervals: [5], timeout: 60_000 }).toBe(2);
  server.signal("SIGKILL");
  await Promise.all(lanes);
  await server.ended;
  const [first = [], second = []] = collector.batches.traces;
  expect([first.length, second.length > 0]).toEqual([100, true]);
  expect(collector.batches.logs).toEqual([first, second]);

  const again = createApi((await own.start(variables)).url, MANAGEMENT_KEY);
  const recorded = await recordedIn(again);
  expect(recorded).toEqual(expect.arrayContaining(acknowledged));
  const missing = () => {
    const { traces, logs } = collector.batches;
    const received = [traces, logs].map((batches) => new Set(batches.flat().map(generationOf)));
    return recorded.filter((id) => !received.every((ids) => ids.has(id)));
  };
  await expect.poll(missing, { timeout: 120_000 }).toEqual([]);

  for (const batches of Object.values(collector.batches)) {
    const sent = batches.flat();
    expect(new Set(sent).size, "by generation, trace and span ID").toBe(recorded.length);
    const times = (one: string) => sent.filter((other) => other === one).length;
    expect(new Set(first.map(times)), "what was noted isn't sent again").toEqual(new Set([1]));
    expect(new Set(second.map(times)), "what was not noted is").toEqual(new Set([2]));
  }
  expect(new Set(collector.batches.logs.flat())).toEqual(new Set(collector.batches.traces.flat()));
  const runs = await again.call(listExportRuns, { params: { id: data.id } });
  expect(runs.data.map(({ error }) => error)).toEqual(runs.data.map(() => null));
  expect(runs.data.reduce((sum, { generations }) => sum + generations, 0)).toBe(recorded.length);
  collector.stop();
});

test("kill -9 while a rejected batch is halved: after the restart, only the rejected generation is skipped", async ({
  own,
}) => {
  let wrong = "";
  let rejections = 0;
  const collector = await startCollector(
    () => false,
    (batch) => {
      if (!batch.some((one) => generationOf(one) === wrong)) return false;
      rejections++;
      return true;
    },
  );
  const variables = { SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true" };
  const server = await own.start(variables);
  const api = createApi(server.url, MANAGEMENT_KEY);
  const world = await createWorld(api);
  const { text } = await world.inferenceKey();
  const sent: string[] = [];
  const send = async () => {
    const { id } = await api.as(text).call(createResponse, { body: { model: "sandbox/echo", input: "Hello" } });
    sent.push(id);
  };
  while (sent.length < 40) await Promise.all(Array.from({ length: LANES }, send));
  wrong = sent[20] ?? "";
  const { data } = await api.call(createExportDestination, {
    body: { name: "Collector", kind: "otlp", start: "oldest", otlp: { url: collector.url, signals: ["traces"] } },
  });
  await expect.poll(() => rejections, { intervals: [1], timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  server.signal("SIGKILL");
  await server.ended;

  const again = createApi((await own.start(variables)).url, MANAGEMENT_KEY);
  const recorded = await recordedIn(again);
  expect(recorded).toEqual(expect.arrayContaining(sent));
  const received = () => new Set(collector.batches.traces.flat().map(generationOf));
  await expect.poll(() => received().size, { timeout: 120_000 }).toBe(recorded.length - 1);
  expect(received()).toEqual(new Set(recorded.filter((id) => id !== wrong)));
  const skipped = async () => {
    const runs = await again.call(listExportRuns, { params: { id: data.id } });
    return runs.data.flatMap(({ skipped_generation_id }) => skipped_generation_id ?? []);
  };
  await expect.poll(skipped).toEqual([wrong]);
  collector.stop();
});
