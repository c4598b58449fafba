import { expect, it } from "vitest";
import { testWorld } from "../../testing/test-context";
import { instruments } from "../../platform/metrics/instruments";
import { measureEmbedded } from "./embedded-use-service";
import * as organization from "./service";

const rename = (name: string) => ({ params: {}, query: {}, body: { name } });

it("returns the organization and the install's configuration, without secrets", async () => {
  const { context, organizationId } = await testWorld();
  const { data } = await organization.get(context);
  expect(data).toMatchObject({
    id: organizationId,
    name: "Test",
    limits: {
      rate_limit_per_minute: 1200,
      max_body_bytes: 8 * 1024 * 1024,
      zdr_vendors: ["anthropic", "openai", "google"],
    },
  });
  expect(JSON.stringify(data)).not.toContain("correct horse");
});

it("shows how much of the embedded database is used, as measured last", async () => {
  const { context } = await testWorld();
  await measureEmbedded(context.db);
  await measureEmbedded(context.db);
  const { database } = (await organization.get(context)).data;
  expect(database.kind).toBe("embedded");
  expect(database.limits.map(({ name }) => name)).toEqual(["size_bytes", "generations", "memory_bytes", "busy_share"]);
  const used = Object.fromEntries(database.limits.map(({ name, used }) => [name, used]));
  expect(used["size_bytes"]).toBeGreaterThan(1_000_000);
  // An estimate by a sample once there are many.
  const count = await context.db.generation.count();
  expect(Math.abs((used["generations"] ?? NaN) - count)).toBeLessThanOrEqual(count / 2);
  expect(used["memory_bytes"]).toBeGreaterThan(10_000_000);
  const { values } = await instruments().embeddedLimits.get();
  expect(values).toHaveLength(4);

  const settings = { ...context.settings, databaseUrl: "postgresql://db.example/signalbox" };
  expect((await organization.get({ ...context, settings })).data.database.kind).toBe("postgresql");
});

it("can be renamed without other changes, and is audited", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  expect((await organization.update(world.context, rename("Acme"))).data.name).toBe("Acme");
  expect((await organization.get(other.context)).data.name).toBe("Test");
  const events = await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
  expect(events).toMatchObject([{ action: "organization.update", before: { name: "Test" }, after: { name: "Acme" } }]);
});
