import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { failure } from "../../testing/expect-failure";
import { createWorkspace } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { applyPreset } from "./apply-service";
import * as labels from "./labels-service";
import * as presets from "./service";

type Body = z.input<typeof ResponsesBody>;

const post = ({ context }: World, slug: string, body: Body, workspace_id?: string) =>
  presets.createFromResponses(context, { params: { slug }, query: { workspace_id }, body: ResponsesBody.parse(body) });
const patch = ({ context }: World, slug: string, body: Parameters<typeof presets.update>[1]["body"]) =>
  presets.update(context, { params: { slug }, query: {}, body });
const apply = ({ context }: World, body: Body) =>
  applyPreset(context, "responses", ResponsesBody.parse({ input: "hi", ...body }));

describe("applyPreset", () => {
  it("returns a request without a reference unchanged", async () => {
    const { context } = await testWorld();
    const body = ResponsesBody.parse({ model: "a/b", input: "hi" });
    expect(await applyPreset(context, "responses", body)).toEqual({ body, preset: null });
  });

  it.each<[form: string, body: Body, model: string]>([
    ["instead of the model", { model: "@preset/s" }, "sandbox/echo"],
    ["beside the model", { model: "a/b", preset: "s" }, "a/b"],
    ["appended to the model", { model: "a/b@preset/s" }, "a/b"],
  ])("applies the preset named %s, and returns it", async (_form, body, model) => {
    const world = await testWorld();
    const { data } = await post(world, "s", { model: "sandbox/echo", temperature: 0.2, instructions: "Be brief." });
    const applied = await apply(world, body);
    expect(applied.preset).toEqual({ id: data.id, slug: "s", version: 1 });
    expect(applied.body).toEqual({
      model,
      temperature: 0.2,
      instructions: "Be brief.",
      input: "hi",
      stream: false,
      store: false,
    });
  });

  it("uses the designated version, or the pinned one", async () => {
    const world = await testWorld();
    for (const temperature of [0.1, 0.2, 0.3]) await post(world, "s", { temperature });
    const temperatures = async (...models: string[]) =>
      Promise.all(models.map(async (model) => (await apply(world, { model })).body.temperature));
    expect(await temperatures("@preset/s", "@preset/s@1", "x/y@preset/s@2")).toEqual([0.3, 0.1, 0.2]);
    expect((await apply(world, { preset: "s@2" })).preset).toMatchObject({ version: 2 });
    await patch(world, "s", { designated_version: 1 });
    expect(await temperatures("@preset/s", "@preset/s@3")).toEqual([0.1, 0.3]);
  });

  it("uses the version that a label points to", async () => {
    const world = await testWorld();
    for (const temperature of [0.1, 0.2, 0.3]) await post(world, "s", { temperature });
    const point = (version: number) =>
      labels.set(world.context, { params: { slug: "s", label: "prod" }, query: {}, body: { version } });
    const answered = async (body: Body) => [
      (await apply(world, body)).body.temperature,
      (await apply(world, body)).preset?.version,
    ];
    await point(2);
    expect(await answered({ model: "@preset/s:prod" })).toEqual([0.2, 2]);
    await point(1);
    expect(await answered({ model: "x/y", preset: "s:prod" })).toEqual([0.1, 1]);
    expect(await answered({ model: "@preset/s" })).toEqual([0.3, 3]);
    await post(world, "other", {});
    expect(await failure(apply(world, { model: "@preset/other:prod" }))).toMatchObject({
      status: 404,
      metadata: { reason: "preset_label_not_found" },
    });
  });

  it.each<[fault: string, model: string, reason: string]>([
    ["an unknown preset", "@preset/other", "preset_not_found"],
    ["a disabled one", "@preset/disabled", "preset_disabled"],
    ["an archived one, pinned too", "@preset/archived@1", "preset_archived"],
    ["an unknown version", "@preset/active@2", "preset_version_not_found"],
    ["an unknown label", "@preset/active:prod", "preset_label_not_found"],
    ["an archived one by label", "@preset/archived:prod", "preset_archived"],
  ])("answers 404 for %s with the reason", async (_fault, model, reason) => {
    const world = await testWorld();
    for (const status of ["active", "disabled", "archived"] as const) {
      await post(world, status, {});
      await patch(world, status, { status });
    }
    const slug = /@preset\/([a-z]+)/.exec(model)?.[1];
    expect(await failure(apply(world, { model }))).toEqual({ status: 404, metadata: { reason, preset: slug } });
    await expect(apply(world, { model })).rejects.toThrow(`"${slug}"`);
  });

  it("finds only presets of the key's workspace", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await post(other, "s", {});
    await post(world, "s", {}, await createWorkspace(world));
    expect(await failure(apply(world, { model: "@preset/s" }))).toMatchObject({ status: 404 });
  });

  it("rejects two references, and a preset that references a preset", async () => {
    const world = await testWorld();
    await post(world, "a", { model: "@preset/b" });
    await post(world, "b", {});
    expect(await failure(apply(world, { model: "@preset/a", preset: "b" }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["preset"] }] },
    });
    expect(await failure(apply(world, { model: "@preset/a" }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["model"] }] },
    });
  });

  it("converts to the caller's protocol and validates the result", async () => {
    const world = await testWorld();
    await post(world, "s", {
      model: "a/b",
      max_output_tokens: 7,
      instructions: "Be brief.",
      tools: [{ type: "function", name: "f" }],
    });
    const chat = ChatCompletionsBody.parse({ model: "@preset/s", messages: [{ role: "user", content: "hi" }] });
    expect((await applyPreset(world.context, "chat_completions", chat)).body).toEqual({
      model: "a/b",
      max_tokens: 7,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
      tools: [{ type: "function", function: { name: "f" } }],
      stream: false,
    });
    await world.context.db.presetVersion.updateMany({
      where: { preset: { workspaceId: world.workspaceId } },
      data: { config: { temperature: "warm" } },
    });
    expect(await failure(applyPreset(world.context, "chat_completions", chat))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["temperature"] }] },
    });
  });
});
