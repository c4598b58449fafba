import { describe, expect, it } from "vitest";
import { createGeneration } from "../../testing/generations";
import { failure } from "../../testing/expect-failure";
import { NOW, testWorld } from "../../testing/test-context";
import type { Context } from "../../platform/context";
import { GenerationContent } from "./contract";
import * as content from "./service";
import * as generations from "../../records/generations/service";

const read = (context: Context, id: string) =>
  content.get(context, { params: {}, query: { id, reveal: "false" }, body: undefined });
const remove = (context: Context, id: string) =>
  content.remove(context, { params: {}, query: { id }, body: undefined });
const DAY = 24 * 60 * 60_000;

describe("generation content", () => {
  it("returns messages as text, the completion and no error", async () => {
    const world = await testWorld();
    const input = {
      messages: [
        { role: "system", content: "Be kind" },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:," } },
          ],
        },
      ],
    };
    const { data } = await read(world.context, await createGeneration(world, { content: { input, reasoning: "Hm" } }));
    expect(GenerationContent.parse(data)).toEqual({
      error: null,
      input: {
        messages: [
          { role: "system", content: "Be kind" },
          { role: "user", content: "What is this?\n[image_url]" },
        ],
      },
      output: { completion: "hello", reasoning: "Hm" },
    });
  });

  it("returns the stored error of a failed generation", async () => {
    const world = await testWorld();
    const error = {
      message: "Provider returned error",
      status: 502,
      provider_name: "Acme",
      raw: "{}",
      previous_errors: [{ code: 503, message: "busy", provider_name: "Other", raw: null }],
    };
    const id = await createGeneration(world, { status: "failed", content: { completion: null, error } });
    expect((await read(world.context, id)).data).toMatchObject({ error, output: { completion: "", reasoning: null } });
  });

  it("gives the reason for missing content: never stored, expired, deleted", async () => {
    const world = await testWorld();
    const never = await createGeneration(world);
    expect(await failure(read(world.context, never))).toMatchObject({
      status: 404,
      metadata: { reason: "content_not_stored" },
    });

    const old = await createGeneration(world, { createdAt: new Date(NOW.getTime() - 8 * DAY), content: {} });
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentRetentionDays: 7 } });
    expect(await failure(read(world.context, old))).toMatchObject({
      status: 404,
      metadata: { reason: "content_expired" },
    });

    const purged = await createGeneration(world, { contentStored: true, contentDeletedAt: NOW });
    expect(await failure(read(world.context, purged))).toMatchObject({
      status: 404,
      metadata: { reason: "content_expired" },
    });
  });

  it("is a 404 for unknown, malformed and foreign ids", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const foreign = await createGeneration(other, { content: {} });
    for (const id of [foreign, "gen-1", "x"]) {
      expect(await failure(read(world.context, id))).toEqual({ status: 404, metadata: undefined });
      expect((await failure(remove(world.context, id))).status).toBe(404);
    }
  });

  it("can be deleted once; the record is kept and the deletion is audited", async () => {
    const world = await testWorld();
    const { context, organizationId } = world;
    const id = await createGeneration(world, { content: {} });
    expect(await remove(context, id)).toEqual({ deleted: true });
    expect(await failure(read(context, id))).toMatchObject({ status: 404, metadata: { reason: "content_expired" } });
    expect((await failure(remove(context, id))).status).toBe(404);
    expect((await generations.get(context, { params: {}, query: { id }, body: undefined })).data.content_stored).toBe(
      false,
    );
    expect(await context.db.auditEvent.findMany({ where: { organizationId } })).toMatchObject([
      { action: "generation.delete_content", targetId: id },
    ]);
  });
});
