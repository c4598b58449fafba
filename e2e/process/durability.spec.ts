import { createGuardrail, listGuardrails } from "../../lib/records/guardrails/contract";
import { createPresetFromResponses, listPresetVersions } from "../../lib/records/presets/contract";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY, launchServer, startServer } from "../server";
import { createWorld, unique } from "../world";

for (const delayMs of [150, 700]) {
  test(`kill -9 after ${delayMs} ms of writing loses no acknowledged write`, async ({ own }) => {
    const server = await own.start();
    const api = createApi(server.url, MANAGEMENT_KEY);
    const { workspaceId } = await createWorld(api);
    const slug = unique("durable");
    const query = { workspace_id: workspaceId };
    const guardrails: string[] = [];
    const versions: number[] = [];
    const write = async (): Promise<void> => {
      const { data: guardrail } = await api.call(createGuardrail, {
        body: { name: unique("g"), workspace_id: workspaceId },
      });
      guardrails.push(guardrail.id);
      const { data: preset } = await api.call(createPresetFromResponses, {
        params: { slug },
        query,
        body: { model: "sandbox/echo" },
      });
      versions.push(preset.designated_version.version);
      return write();
    };
    const writers = Array.from({ length: 8 }, () => write().catch(() => undefined));
    await expect.poll(() => versions.length, { intervals: [20] }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    server.signal("SIGKILL");
    await Promise.all(writers);
    await server.ended;

    const again = createApi((await own.start()).url, MANAGEMENT_KEY);
    const kept: string[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const page = await again.call(listGuardrails, { query: { ...query, limit: "100", offset: String(offset) } });
      kept.push(...page.data.map(({ id }) => id));
      total = page.total_count;
    }
    expect(kept).toEqual(expect.arrayContaining(guardrails));
    const { total_count } = await again.call(listPresetVersions, { params: { slug }, query: { ...query, limit: "1" } });
    expect(total_count).toBeGreaterThanOrEqual(Math.max(...versions));
    expect(new Set(versions).size).toBe(versions.length);
    await again.call(createGuardrail, { body: { name: "after the crash", workspace_id: workspaceId } });
  });
}

test("a second process on the same data folder is rejected, and the first keeps running", async ({ own }) => {
  const first = await own.start();
  const second = await launchServer({ name: `${own.name}-second`, variables: own.variables });
  expect(await second.ended).toBe(1);
  const lines = second
    .output()
    .split("\n")
    .filter((line) => line.startsWith("Signalbox could not start"));
  expect(lines).toEqual([expect.stringContaining(`process ${first.pid}`)]);
  const api = createApi(first.url, MANAGEMENT_KEY);
  await api.call(createGuardrail, { body: { name: "still here" } });
});

test("a stopped server releases its data folder", async ({ own }) => {
  const first = await own.start();
  const { data } = await createApi(first.url, MANAGEMENT_KEY).call(createGuardrail, { body: { name: "kept" } });
  await first.stop();
  const second = await startServer({ name: `${own.name}-second`, variables: own.variables });
  const list = await createApi(second.url, MANAGEMENT_KEY).call(listGuardrails);
  await second.stop();
  expect(list.data.map(({ id }) => id)).toEqual([data.id]);
});
