import { expect, it } from "vitest";
import { testWorld } from "../../testing/test-context";
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

it("can be renamed without other changes, and is audited", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  expect((await organization.update(world.context, rename("Acme"))).data.name).toBe("Acme");
  expect((await organization.get(other.context)).data.name).toBe("Test");
  const events = await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
  expect(events).toMatchObject([{ action: "organization.update", before: { name: "Test" }, after: { name: "Acme" } }]);
});
