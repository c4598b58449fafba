import { expect, it } from "vitest";
import { coverage } from "../../features/coverage/service";
import { uuidv7 } from "../../platform/ids";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { correctVendors, dismiss } from "./vendor-correction-service";

const ZDR_VENDORS = ["anthropic", "openai", "google"] as const;
const BEDROCK = "https://bedrock-runtime.us-east-1.amazonaws.com";

/** Inserts a model as servers did before vendors had a source. */
async function imported(world: World, provider: string, name: string, baseUrl: string): Promise<void> {
  const slug = `${provider}/${name}`;
  const providers = await world.context.db.provider.findMany({ where: { organizationId: world.organizationId } });
  const providerId =
    providers.find((row) => row.slug === provider)?.id ?? (await createProvider(world, { slug: provider, baseUrl }));
  await createModel(world, { slug, providerId });
  await world.context.db.endpoint.updateMany({ where: { model: { slug } }, data: { upstreamModel: name } });
}

const vendors = async ({ context, organizationId }: World) => {
  const rows = await context.db.model.findMany({ where: { organizationId }, orderBy: { slug: "asc" } });
  return Object.fromEntries(rows.map((row) => [row.slug, [row.vendor, row.vendorSource, row.previousVendor]]));
};

const gaps = async ({ context }: World) => (await coverage(context, { params: {}, query: {}, body: undefined })).data;

const guardrail = ({ context, workspaceId }: World, name: string, zdr: object) =>
  context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name, ...zdr } });

it("corrects stored models whose vendor was the slug of their provider, and says which policies apply now", async () => {
  const world = await testWorld();
  await imported(world, "bedrock", "eu.anthropic.claude-opus-5", BEDROCK);
  await imported(world, "bedrock", "own-import", BEDROCK);
  await imported(world, "openai2", "gpt-5", "https://api.openai.com/v1");
  await imported(world, "gemini", "gemini-2.5-pro", "https://generativelanguage.googleapis.com/v1beta");
  await imported(world, "meta-llama", "llama-4", "https://lab.example/v1");
  await imported(world, "lab", "m", "https://lab.example/v1");
  await world.context.db.model.updateMany({ where: { slug: "lab/m" }, data: { vendor: "lab-inc" } });
  await guardrail(world, "Claude only", { enforceZdrVendorA: true });
  await guardrail(world, "All", { enforceZdrVendorA: true, enforceZdrOther: true });

  await correctVendors(world.context.db, ZDR_VENDORS, NOW);
  const expected = {
    "bedrock/eu.anthropic.claude-opus-5": ["anthropic", "catalogue", "bedrock"],
    "bedrock/own-import": ["unknown", "unknown", "bedrock"],
    "gemini/gemini-2.5-pro": ["google", "catalogue", "gemini"],
    "lab/m": ["lab-inc", "admin", null],
    "meta-llama/llama-4": ["meta-llama", "catalogue", null],
    "openai2/gpt-5": ["openai", "catalogue", "openai2"],
  };
  expect(await vendors(world)).toEqual(expected);
  const { unknown_vendors, corrected_vendors } = await gaps(world);
  expect(unknown_vendors).toEqual({
    total_count: 1,
    data: [{ slug: "bedrock/own-import", name: "bedrock/own-import" }],
  });
  expect(corrected_vendors.total_count).toBe(4);
  expect(corrected_vendors.data.find(({ slug }) => slug.includes("claude"))).toMatchObject({
    previous_vendor: "bedrock",
    vendor: "anthropic",
    guardrails: [{ name: "Claude only" }],
  });
  expect(await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } })).toMatchObject(
    [{ action: "model.correct_vendors", actorType: "system", after: { vendors: { "openai2/gpt-5": "openai" } } }],
  );

  await world.context.db.model.updateMany({ where: { slug: "lab/m" }, data: { vendor: "lab" } });
  await correctVendors(world.context.db, ZDR_VENDORS, NOW);
  expect(await vendors(world)).toEqual({ ...expected, "lab/m": ["lab", "admin", null] });

  await dismiss(world.context);
  expect((await gaps(world)).corrected_vendors).toEqual({ total_count: 0, data: [] });
});
