import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createGeneration, createGenerations } from "../../testing/generations";
import { readsOf } from "../../testing/plans";
import { NOW, testWorld } from "../../testing/test-context";
import { EXPORT_TOTAL_HEADER } from "../../platform/http/vocabulary";
import { exportGenerations, Generation } from "./contract";
import { exportAll } from "./export-service";

const exported = (context: Context, query: object = {}) =>
  exportAll(context, { params: {}, query: exportGenerations.query?.parse(query) as never, body: undefined });
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

describe("an export", () => {
  it("contains all matching generations, newest first, over several batches", async () => {
    const world = await testWorld();
    const ids = await createGenerations(
      world,
      Array.from({ length: 503 }, (_, index) => ({
        createdAt: ago(Math.floor(index / 3)),
        status: index % 2 === 0 ? "failed" : "succeeded",
      })),
    );
    const answer = await exported(world.context);
    expect(answer.headers[EXPORT_TOTAL_HEADER]).toBe("503");
    const records = (await new Response(answer.body).text())
      .trimEnd()
      .split("\n")
      .map((line) => Generation.parse(JSON.parse(line)));
    expect(records.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(records.map(({ created_at }) => created_at)).toEqual(
      records
        .map(({ created_at }) => created_at)
        .toSorted()
        .reverse(),
    );
    const failed = await exported(world.context, { status: "failed" });
    expect(failed.headers[EXPORT_TOTAL_HEADER]).toBe("252");
    expect((await new Response(failed.body).text()).trimEnd().split("\n")).toHaveLength(252);
  });

  it("as CSV has a header, RFC 4180 quoting and no executable formulas", async () => {
    const world = await testWorld();
    await createGeneration(world, { model: 'a "b", c', appTitle: "=HYPERLINK(1)", costMicroUsd: 1_500_000n });
    const answer = await exported(world.context, { format: "csv" });
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="generations-[\d-]+\.csv"$/);
    const [header, line, end] = (await new Response(answer.body).text()).split("\r\n");
    expect(header).toMatch(/^id,created_at,status,model,/);
    expect(line).toContain('"a ""b"", c"');
    expect(line).toContain(",1.5,");
    expect(line).toContain(",'=HYPERLINK(1),");
    expect(end).toBe("");
  });

  it("without records is empty, as CSV only a header", async () => {
    const { context } = await testWorld();
    expect(await new Response((await exported(context)).body).text()).toBe("");
    expect((await new Response((await exported(context, { format: "csv" })).body).text()).match(/\r\n/g)).toHaveLength(
      1,
    );
  });

  it("stops loading records when the client stops reading", async () => {
    const world = await testWorld();
    await createGenerations(
      world,
      Array.from({ length: 501 }, (_, index) => ({ createdAt: ago(index) })),
    );
    const statements = await readsOf(async () => {
      const { body } = await exported(world.context);
      const reader = body.getReader();
      await reader.read();
      await reader.cancel();
    });
    const pages = statements.filter(({ text }) => text.includes("FROM generations g"));
    expect(pages, "the count and one batch").toHaveLength(2);
  });
});
