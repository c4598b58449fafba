import { beforeEach, describe, expect, it } from "vitest";
import { exportPolicy } from "../../features/policy-file/export-service";
import * as guardrails from "../../features/guardrails/service";
import * as versions from "../../features/guardrails/versions-service";
import { TEST_SETTINGS } from "../../testing/context";
import { testWorld, type World } from "../../testing/test-context";
import { openCheckSecret } from "./check-secret-rows";
import type { ExternalCheck } from "../../engine/checks/contract";
import { resealCheckSecrets } from "./rotation-store";

const URL_A = "https://checks.example.com/a";
const SECRET = "very-secret-token";

let world: World;
beforeEach(async () => {
  world = await testWorld();
});

const lite = (fields: Partial<ExternalCheck> = {}): ExternalCheck => ({
  name: "tone",
  url: URL_A,
  format: "litellm",
  ...fields,
});
const create = async (...external_checks: ExternalCheck[]) =>
  (await guardrails.create(world.context, { params: {}, query: {}, body: { name: "G", external_checks } })).data;
const update = async (id: string, external_checks: ExternalCheck[] | null) =>
  (await guardrails.update(world.context, { params: { id }, query: {}, body: { external_checks } })).data;

/** The stored secrets in plain text. */
async function secretsOf(guardrailId: string, settings = world.context.settings) {
  const { checkSecrets } = await world.context.db.guardrail.findUniqueOrThrow({ where: { id: guardrailId } });
  return Object.fromEntries(
    Object.entries((checkSecrets as Record<string, string> | null) ?? {}).map(([name, ciphertext]) => [
      name,
      openCheckSecret(settings, { guardrailId, name, ciphertext }),
    ]),
  );
}

describe("the secret of an external check", () => {
  it("is stored encrypted and returned nowhere", async () => {
    const guardrail = await create(lite({ secret: SECRET }), { name: "plain", url: URL_A });
    expect(guardrail.external_checks).toEqual([
      { name: "tone", url: URL_A, format: "litellm", scope: "request", timeout_ms: 5000, has_secret: true },
      { name: "plain", url: URL_A, format: "signalbox", scope: "request", timeout_ms: 5000, has_secret: false },
    ]);
    expect(await secretsOf(guardrail.id)).toEqual({ tone: SECRET });
    const { db } = world.context;
    const everything = [
      await db.guardrail.findMany({ where: { id: guardrail.id } }),
      await db.guardrailRevision.findMany({ where: { guardrailId: guardrail.id } }),
      await db.auditEvent.findMany({ where: { organizationId: world.organizationId } }),
      await versions.get(world.context, { params: { id: guardrail.id, n: 1 }, query: {}, body: undefined }),
      await exportPolicy(world.context, { params: {}, query: {}, body: undefined }),
    ];
    const written = JSON.stringify(everything, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(written).not.toContain(SECRET);
    expect(written).toContain('"secret":{"env":"DEFAULT_G_TONE_SECRET"}');
  });

  it("remains when left out, and is cleared by null or with its check", async () => {
    const { id } = await create(lite({ secret: SECRET }));
    await update(id, [lite({ timeout_ms: 900, has_secret: true })]);
    expect(await secretsOf(id)).toEqual({ tone: SECRET });
    await guardrails.update(world.context, { params: { id }, query: {}, body: { limit_usd: 1 } });
    expect(await secretsOf(id)).toEqual({ tone: SECRET });
    expect((await update(id, [lite({ secret: null })])).external_checks).toMatchObject([{ has_secret: false }]);
    await update(id, [lite({ secret: SECRET })]);
    await update(id, [lite({ name: "renamed" })]);
    expect(await secretsOf(id)).toEqual({});
  });

  it("isn't sent to another origin", async () => {
    const { id } = await create(lite({ secret: SECRET }));
    await expect(update(id, [lite({ url: "https://elsewhere.example.com/" })])).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["external_checks", 0, "secret"], code: "required" }] },
    });
    await update(id, [lite({ url: "https://checks.example.com/b" })]);
    expect(await secretsOf(id)).toEqual({ tone: SECRET });
    await update(id, [lite({ url: "https://elsewhere.example.com/", secret: "another secret" })]);
    await versions.restore(world.context, { params: { id, n: 1 }, query: {}, body: {} });
    expect(await secretsOf(id)).toEqual({});
  });

  it("isn't known to revisions stored before there were checks", async () => {
    const { id } = await create(lite({ secret: SECRET }));
    const { db } = world.context;
    const at = { guardrailId_revision: { guardrailId: id, revision: 1 } };
    const { fields } = await db.guardrailRevision.findUniqueOrThrow({ where: at });
    const { external_checks: _, ...older } = fields as Record<string, object>;
    await db.guardrailRevision.update({ where: at, data: { fields: older } });
    const { data } = await versions.get(world.context, { params: { id, n: 1 }, query: {}, body: undefined });
    expect(data.fields.external_checks).toBeNull();
  });

  it("is re-encrypted after a rotation of the installation's secret", async () => {
    const { id } = await create(lite({ secret: SECRET }));
    const settings = {
      ...TEST_SETTINGS,
      secretKey: Buffer.alloc(32, 9),
      previousSecretKeys: [TEST_SETTINGS.secretKey],
    };
    await resealCheckSecrets(world.context.db, settings);
    expect(await secretsOf(id, { ...settings, previousSecretKeys: [] })).toEqual({ tone: SECRET });
  });
});
