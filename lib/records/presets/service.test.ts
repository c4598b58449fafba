import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { inTransaction } from "../../platform/database/transaction";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { failure } from "../../testing/expect-failure";
import { createKey, keyCaller } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import type { PresetWithVersion } from "./contract";
import * as presets from "./service";

type ResponsesInput = z.input<typeof ResponsesBody>;
type UpdateInput = Parameters<typeof presets.update>[1]["body"];

const post = async (
  { context }: World,
  slug: string,
  body: ResponsesInput = {},
  ifMatch: number[] | null = null,
): Promise<PresetWithVersion> =>
  (
    await presets.createFromResponses(
      { ...context, ifMatch },
      { params: { slug }, query: {}, body: ResponsesBody.parse(body) },
    )
  ).data;
const patch = async ({ context }: World, slug: string, body: UpdateInput, ifMatch: number[] | null = null) =>
  (await presets.update({ ...context, ifMatch }, { params: { slug }, query: {}, body })).data;
const get = async ({ context }: World, slug: string) =>
  (await presets.get(context, { params: { slug }, query: {}, body: undefined })).data;
const versions = ({ context }: World, slug: string) =>
  presets.listVersions(context, {
    params: { slug },
    query: { offset: 0, limit: 50, sort: "version" },
    body: undefined,
  });
type ListQuery = Parameters<typeof presets.list>[1]["query"];
const list = async ({ context }: World, query: Partial<ListQuery> = {}) =>
  presets.list(context, { params: {}, query: { offset: 0, limit: 50, ...query }, body: undefined });
const slugs = async (world: World, query: Partial<ListQuery>) =>
  (await list(world, query)).data.map(({ slug }) => slug);

describe("presets", () => {
  it("are created with version 1 on a new slug", async () => {
    const world = await testWorld();
    const preset = await post(world, "support", {
      model: "sandbox/echo",
      temperature: 0.2,
      instructions: "Be brief.",
      stream: true,
    });
    expect(preset).toEqual({
      id: expect.any(String) as string,
      slug: "support",
      name: "support",
      description: null,
      status: "active",
      status_updated_at: null,
      revision: 1,
      created_at: world.context.now.toISOString(),
      updated_at: world.context.now.toISOString(),
      creator_user_id: world.adminId,
      workspace_id: world.workspaceId,
      designated_version_id: preset.designated_version.id,
      labels: {},
      designated_version: {
        id: expect.any(String) as string,
        preset_id: preset.id,
        version: 1,
        config: { model: "sandbox/echo", temperature: 0.2 },
        system_prompt: "Be brief.",
        message: null,
        creator_id: world.adminId,
        created_at: world.context.now.toISOString(),
        updated_at: world.context.now.toISOString(),
      },
    });
  });

  it("get a new version on an existing slug, which is designated", async () => {
    const world = await testWorld();
    await post(world, "s", { temperature: 0 });
    const second = await post(world, "s", { temperature: 1 });
    expect(second).toMatchObject({
      revision: 2,
      designated_version: { version: 2, config: { temperature: 1 }, system_prompt: "" },
    });
    const { data, total_count } = await versions(world, "s");
    expect([data.map(({ version }) => version), total_count]).toEqual([[1, 2], 2]);
  });

  it("number parallel versions without gaps or duplicates", async () => {
    const world = await testWorld();
    const made = await Promise.all(Array.from({ length: 16 }, () => post(world, "busy")));
    expect(made.map(({ designated_version: { version } }) => version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, i) => i + 1),
    );
  });

  it("reuse the number of a rejected version", async () => {
    const world = await testWorld();
    await post(world, "s");
    expect(await failure(post(world, "s", {}, [7]))).toEqual({ status: 412, metadata: { current_revision: 1 } });
    expect(await post(world, "s", {}, [1])).toMatchObject({ designated_version: { version: 2 } });
    expect(await failure(post(world, "new", {}, [1]))).toMatchObject({ status: 412 });
    expect(await failure(get(world, "new"))).toMatchObject({ status: 404 });
  });

  it("can be renamed, archived and rolled back", async () => {
    const world = await testWorld();
    await post(world, "s", { temperature: 0 });
    await post(world, "s", { temperature: 1 });
    const updated = await patch(world, "s", { name: "Support", status: "archived", designated_version: 1 }, [2]);
    expect(updated).toMatchObject({
      name: "Support",
      status: "archived",
      revision: 3,
      designated_version: { version: 1, config: { temperature: 0 } },
    });
    expect(updated.status_updated_at).toBe(world.context.now.toISOString());
    expect(await post(world, "s")).toMatchObject({ designated_version: { version: 3 }, name: "Support" });
  });

  it("reject an unknown version and an outdated If-Match", async () => {
    const world = await testWorld();
    await post(world, "s");
    expect(await failure(patch(world, "s", { designated_version: 2 }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["designated_version"] }] },
    });
    expect(await failure(patch(world, "s", { name: "X" }, [9]))).toMatchObject({ status: 412 });
  });

  it("are listed most recently updated first, with the designated version's id", async () => {
    const world = await testWorld();
    const at = (ms: number): World => ({
      ...world,
      context: { ...world.context, now: new Date(world.context.now.getTime() + ms) },
    });
    await post(world, "a");
    await post(at(1), "b");
    const touched = await post(at(2), "a");
    const { data, total_count } = await list(world);
    expect([data.map(({ slug }) => slug), data[0]?.designated_version_id, total_count]).toEqual([
      ["a", "b"],
      touched.designated_version.id,
      2,
    ]);
  });

  it("are searched by slug, name and description, without wildcards", async () => {
    const world = await testWorld();
    for (const slug of ["alpha", "beta_1", "gamma"]) await post(world, slug);
    await patch(world, "alpha", { name: "First 100%" });
    await patch(world, "gamma", { description: "after BETA" });
    expect(await slugs(world, { q: "beta", sort: "slug" })).toEqual(["beta_1", "gamma"]);
    expect(await slugs(world, { q: "%" })).toEqual(["alpha"]);
    expect(await slugs(world, { q: "_" })).toEqual(["beta_1"]);
    expect(await slugs(world, { q: "\\" })).toEqual([]);
  });

  it("are sorted, filtered by status, and include the designated version and its model", async () => {
    const world = await testWorld();
    for (const slug of ["b", "a", "c"]) await post(world, slug, { model: `m/${slug}` });
    await post(world, "a");
    await patch(world, "a", { designated_version: 1 });
    await patch(world, "b", { status: "disabled" });
    await patch(world, "c", { status: "archived" });
    expect(await slugs(world, { sort: "slug" })).toEqual(["a", "b", "c"]);
    expect(await slugs(world, { sort: "-name" })).toEqual(["c", "b", "a"]);
    expect(await slugs(world, { status: "active" })).toEqual(["a"]);
    expect(await slugs(world, { status: ["disabled", "archived"], sort: "slug" })).toEqual(["b", "c"]);
    expect((await list(world, { q: "a", status: "active" })).data).toMatchObject([
      { designated_version_number: 1, latest_version_number: 2, model: "m/a" },
    ]);
  });

  it("can be previewed without storing anything", async () => {
    const world = await testWorld();
    await post(world, "s");
    const rehearse = (slug: string, ifMatch: number[] | null = null) =>
      presets.createFromResponses(
        { ...world.context, ifMatch },
        {
          params: { slug },
          query: { dry_run: "true", message: "try" },
          body: { ...ResponsesBody.parse({ model: "m", input: "hi" }), colour: "red" },
        },
      );
    const events = () => world.context.db.auditEvent.count({ where: { organizationId: world.organizationId } });
    const before = await events();
    const answer = await rehearse("s");
    expect(answer).toMatchObject({
      data: { slug: "s", designated_version: { version: 2, config: { model: "m" }, message: "try" } },
      kept: ["model"],
    });
    expect(answer.ignored?.map(({ path }) => path)).toEqual([["input"], ["colour"]]);
    expect(await rehearse("new")).toMatchObject({ data: { slug: "new", designated_version: { version: 1 } } });
    expect(await failure(rehearse("s", [7]))).toMatchObject({ status: 412 });
    expect([(await get(world, "s")).revision, (await versions(world, "s")).total_count, await events()]).toEqual([
      1,
      1,
      before,
    ]);
    expect(await failure(get(world, "new"))).toMatchObject({ status: 404 });
    expect(await post(world, "s")).toMatchObject({ designated_version: { version: 2 } });
  });

  it("roll back a dry run inside the caller's own transaction only", async () => {
    const world = await testWorld();
    await inTransaction(world.context.db, async (db) => {
      const inside: World = { ...world, context: { ...world.context, db } };
      await post(inside, "kept");
      await presets.createFromResponses(inside.context, {
        params: { slug: "unmade" },
        query: { dry_run: "true" },
        body: ResponsesBody.parse({}),
      });
    });
    expect(await slugs(world, {})).toEqual(["kept"]);
  });

  it("ignore unknown chat completions fields with the name of a setting", async () => {
    const { context } = await testWorld();
    const body = {
      messages: [{ role: "user" as const, content: "hi" }],
      stream: false,
      truncation: "auto",
      max_output_tokens: 4,
      max_tokens: 3,
    };
    const { data } = await presets.createFromChatCompletions(context, { params: { slug: "s" }, query: {}, body });
    expect(data.designated_version.config).toEqual({ max_output_tokens: 3 });
  });

  it("store a version's message and return its creator's name", async () => {
    const world = await testWorld();
    const key = await createKey(world, { kind: "management", name: "Deploys" });
    const make = (context: World["context"], message?: string) =>
      presets.createFromResponses(context, {
        params: { slug: "s" },
        query: { message },
        body: ResponsesBody.parse({}),
      });
    await make(world.context, "First");
    await make({ ...world.context, caller: { ...keyCaller(world, key.id, "management"), userId: null } });
    const { data } = await versions(world, "s");
    expect(data).toMatchObject([
      { message: "First", creator_id: world.adminId, creator_name: expect.stringContaining("@") as string },
      { message: null, creator_id: key.id, creator_name: "Deploys" },
    ]);
    const newest = await presets.listVersions(world.context, {
      params: { slug: "s" },
      query: { offset: 0, limit: 1, sort: "-version" },
      body: undefined,
    });
    expect(newest.data.map(({ version }) => version)).toEqual([2]);
  });

  it("have separate slugs per organization", async () => {
    const [mine, theirs] = await Promise.all([testWorld(), testWorld()]);
    await post(theirs, "secret");
    expect(await failure(get(mine, "secret"))).toEqual({ status: 404, metadata: undefined });
    expect(await failure(patch(mine, "secret", { name: "X" }))).toMatchObject({ status: 404 });
    expect(await post(mine, "secret")).toMatchObject({ designated_version: { version: 1 } });
  });
});
