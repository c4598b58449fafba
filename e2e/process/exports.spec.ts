import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createExportDestination, listExportRuns } from "../../lib/features/exports/contract";
import { createResponse } from "../../lib/gateway/contract";
import { listGenerations } from "../../lib/records/generations/contract";
import { createApi, type Api } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";
import { createWorld } from "../world";

/** More than a request to a collector takes. */
const GENERATIONS = 130;
const LANES = 8;

interface Span {
  traceId: string;
  spanId: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}
interface Batch {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** "<generation> <trace> <span>" of each span. */
const spansIn = (body: string): string[] =>
  (JSON.parse(body) as Batch).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, attributes }) => {
        const id = attributes.find(({ key }) => key === "signalbox.generation.id")?.value.stringValue ?? "";
        return `${id} ${traceId} ${spanId}`;
      }),
    ),
  );

const generationOf = (span: string) => span.split(" ")[0] ?? "";

/** Accepts batches; a held one is received, but never answered. */
async function startCollector(isHeld: (nth: number) => boolean) {
  const batches: string[][] = [];
  const server = createServer((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (chunk: string) => (body += chunk))
      .on("end", () => {
        batches.push(spansIn(body));
        if (!isHeld(batches.length)) response.end("{}");
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
  // The second batch is received when the process is killed, and its position isn't noted.
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
    body: { name: "Collector", kind: "otlp", start: "oldest", otlp: { url: collector.url } },
  });
  const lanes = Array.from({ length: LANES }, () => lane().catch(() => undefined));
  await expect.poll(() => collector.batches.length, { intervals: [5], timeout: 60_000 }).toBe(2);
  server.signal("SIGKILL");
  await Promise.all(lanes);
  await server.ended;
  const [first = [], second = []] = collector.batches;
  expect([first.length, second.length > 0]).toEqual([100, true]);

  const again = createApi((await own.start(variables)).url, MANAGEMENT_KEY);
  const recorded = await recordedIn(again);
  expect(recorded).toEqual(expect.arrayContaining(acknowledged));
  const missing = () => {
    const received = new Set(collector.batches.flat().map(generationOf));
    return recorded.filter((id) => !received.has(id));
  };
  await expect.poll(missing, { timeout: 120_000 }).toEqual([]);

  const spans = collector.batches.flat();
  expect(new Set(spans).size, "spans by generation, trace and span ID").toBe(recorded.length);
  const times = (span: string) => spans.filter((other) => other === span).length;
  expect(new Set(first.map(times)), "what was noted isn't sent again").toEqual(new Set([1]));
  expect(new Set(second.map(times)), "what was not noted is").toEqual(new Set([2]));
  const runs = await again.call(listExportRuns, { params: { id: data.id } });
  expect(runs.data.map(({ error }) => error)).toEqual(runs.data.map(() => null));
  expect(runs.data.reduce((sum, { generations }) => sum + generations, 0)).toBe(recorded.length);
  collector.stop();
});
