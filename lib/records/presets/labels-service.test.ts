import { describe, expect, it } from "vitest";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { failure } from "../../testing/expect-failure";
import { testWorld, type World } from "../../testing/test-context";
import { MAX_LABELS, type Preset } from "./contract";
import * as labels from "./labels-service";
import * as presets from "./service";

async function presetWith(versions: number): Promise<World> {
  const world = await testWorld();
  for (let version = 1; version <= versions; version++) await post(world, { temperature: version / 10 });
  return world;
}

const post = (
  { context }: World,
  body: object,
  query: Parameters<typeof presets.createFromResponses>[1]["query"] = {},
) => presets.createFromResponses(context, { params: { slug: "s" }, query, body: ResponsesBody.parse(body) });
const set = async ({ context }: World, label: string, version: number, ifMatch: number[] | null = null) =>
  (await labels.set({ ...context, ifMatch }, { params: { slug: "s", label }, query: {}, body: { version } })).data;
const remove = async ({ context }: World, label: string, ifMatch: number[] | null = null) =>
  (await labels.remove({ ...context, ifMatch }, { params: { slug: "s", label }, query: {}, body: undefined })).data;
const get = async ({ context }: World) =>
  (await presets.get(context, { params: { slug: "s" }, query: {}, body: undefined })).data;

describe("labels of a preset", () => {
  it("point to one version each, can be moved and deleted, and appear in every response", async () => {
    const world = await presetWith(2);
    expect(await set(world, "prod", 1)).toMatchObject({
      revision: 3,
      labels: { prod: 1 },
      designated_version: { version: 2 },
    });
    expect(await set(world, "canary", 1)).toMatchObject({ labels: { canary: 1, prod: 1 } });
    expect(await set(world, "prod", 2)).toMatchObject({ labels: { canary: 1, prod: 2 } });
    expect(await remove(world, "canary")).toMatchObject({ revision: 6, labels: { prod: 2 } });
    expect(await get(world)).toMatchObject({ labels: { prod: 2 } });
    const { data } = await presets.list(world.context, {
      params: {},
      query: { offset: 0, limit: 50 },
      body: undefined,
    });
    expect(data).toMatchObject([{ labels: { prod: 2 } }]);
    expect((await post(world, {})).data).toMatchObject({ labels: { prod: 2 }, designated_version: { version: 3 } });
  });

  it("report errors: unknown version, unknown label, outdated revision, too many labels", async () => {
    const world = await presetWith(1);
    expect(await failure(set(world, "prod", 2))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["version"] }] },
    });
    expect(await failure(remove(world, "prod"))).toEqual({
      status: 404,
      metadata: { reason: "preset_label_not_found", preset: "s" },
    });
    expect(await failure(set(world, "prod", 1, [9]))).toEqual({ status: 412, metadata: { current_revision: 1 } });
    for (let n = 1; n <= MAX_LABELS; n++) await set(world, `l${n}`, 1);
    expect(await failure(set(world, "one-more", 1))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["label"] }] },
    });
    expect(await set(world, "l1", 1)).toMatchObject({ revision: MAX_LABELS + 2 });
    expect(await failure(remove(world, "l1", [1]))).toMatchObject({ status: 412 });
  });

  it("are audited with their previous version", async () => {
    const world = await presetWith(2);
    await set(world, "prod", 1);
    await set(world, "prod", 2);
    const events = await world.context.db.auditEvent.findMany({
      where: { organizationId: world.organizationId, action: "preset.set_label" },
    });
    const changes = events
      .map(({ before, after }) => [before, after] as [Preset, Preset])
      .sort(([a], [b]) => a.revision - b.revision);
    expect(changes).toMatchObject([
      [{ labels: {} }, { labels: { prod: 1 } }],
      [{ labels: { prod: 1 } }, { labels: { prod: 2 } }],
    ]);
  });

  it("serializes parallel moves: each is a revision, and the last one wins", async () => {
    const world = await presetWith(2);
    const moved = await Promise.all(Array.from({ length: 8 }, (_, n) => set(world, "prod", (n % 2) + 1)));
    const last = moved.toSorted((a, b) => b.revision - a.revision)[0];
    expect(new Set(moved.map(({ revision }) => revision)).size).toBe(8);
    expect((await get(world)).labels).toEqual(last?.labels);
  });

  it("a version can be created without designating it, except the first", async () => {
    const world = await testWorld();
    expect(await post(world, { temperature: 0 }, { designate: "false" })).toMatchObject({
      created_version: 1,
      data: { designated_version: { version: 1 } },
    });
    expect(await post(world, { temperature: 1 }, { designate: "false" })).toMatchObject({
      created_version: 2,
      data: { revision: 2, designated_version: { version: 1 } },
    });
    expect(await post(world, {})).not.toHaveProperty("created_version");
  });
});
