import { describe, expect, it } from "vitest";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as guardrails from "../guardrails/service";
import { previews } from "./previews-service";

const DAY_MS = 24 * 60 * 60_000;
const list = async ({ context }: World, id: string[], q?: string) =>
  (await previews(context, { params: {}, query: { id, ...(q !== undefined && { q }) }, body: undefined })).data;
const prompt = (content: string | { type: string; text: string }[]) => ({
  input: {
    messages: [
      { role: "system", content: "Be kind" },
      { role: "user", content },
    ],
  },
});

describe("previews", () => {
  it("are the beginnings of the first user message and the answer, in the order of the ids", async () => {
    const world = await testWorld();
    const long = await createGeneration(world, {
      content: { ...prompt([{ type: "text", text: `${"word ".repeat(100)}end` }]), completion: "Yes\n\nof course" },
    });
    const plain = await createGeneration(world, { content: { ...prompt("Hello"), completion: null } });
    const [first, second] = await list(world, [plain, long]);
    expect(first).toEqual({ id: plain, prompt: "Hello", completion: null });
    expect(second?.completion).toBe("Yes of course");
    expect(second?.prompt).toMatch(/^word word .*…$/);
    expect(second?.prompt?.length).toBeLessThanOrEqual(202);
  });

  it("begin near a searched word", async () => {
    const world = await testWorld();
    const id = await createGeneration(world, { content: prompt(`${"word ".repeat(200)}falcon nests`) });
    expect((await list(world, [id], "falcon"))[0]?.prompt).toContain("falcon nests");
  });

  it("are masked by today's filters", async () => {
    const world = await testWorld();
    const { data } = await guardrails.create(world.context, {
      params: {},
      query: {},
      body: { name: "Mask", content_filter_builtins: [{ slug: "email", action: "flag" }] },
    });
    await world.context.db.workspace.update({
      where: { id: world.workspaceId },
      data: { defaultGuardrailId: data.id },
    });
    const id = await createGeneration(world, {
      content: { ...prompt("Ask ann@example.com"), completion: "bob@example.com" },
    });
    expect(await list(world, [id])).toEqual([{ id, prompt: "Ask [EMAIL MASKED]", completion: "[EMAIL MASKED]" }]);
  });

  it("are empty for unknown, foreign, deleted and expired content, and audited once an hour", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const [own, foreign, deleted, old] = [
      await createGeneration(world, { content: {} }),
      await createGeneration(other, { content: {} }),
      await createGeneration(world, { content: {}, contentDeletedAt: NOW }),
      await createGeneration(world, { content: {}, createdAt: new Date(NOW.getTime() - 8 * DAY_MS) }),
    ];
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentRetentionDays: 7 } });
    const found = await list(world, [own, foreign, deleted, old, "gen-1"]);
    expect(found.map((one) => one.prompt)).toEqual(["hi", null, null, null, null]);
    await list(world, [own]);
    const where = { organizationId: world.organizationId, action: "generation.read_previews" };
    expect(await world.context.db.auditEvent.count({ where })).toBe(1);
  });
});
