import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeEach, expect, inject, it } from "vitest";
import { openPostgres } from "../../platform/database/open";
import { databaseBefore } from "../../testing/earlier-database";
import { correctVendors } from "./vendor-correction-service";

/** Rows as servers wrote them before prices and vendors had a source. */
let client: pg.Client;
let url: string;
let organizationId: string;
const providerIds = new Map<string, string>();

const CREATED = "2026-11-01T08:00:00.123Z";
const IMPORTED = "2026-11-02T09:00:00.456Z";
const CHANGED = "2026-11-03T10:00:00.789Z";

const PROVIDERS = {
  lab: "https://lab.example/v1",
  bedrock: "https://bedrock-runtime.us-east-1.amazonaws.com",
  gemini: "https://generativelanguage.googleapis.com/v1beta",
  openai2: "https://api.openai.com/v1",
  openrouter: "https://openrouter.ai/api/v1",
};
type ProviderSlug = keyof typeof PROVIDERS;

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await client.query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places.join(", ")})`, Object.values(row));
}

async function earlierDatabase(migration: string): Promise<void> {
  url = await databaseBefore(inject("postgresUrl"), migration);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  organizationId = randomUUID();
  await insert("organizations", { id: organizationId, name: "Earlier" });
  for (const [slug, base_url] of Object.entries(PROVIDERS)) {
    const id = randomUUID();
    providerIds.set(slug, id);
    await insert("providers", { id, organization_id: organizationId, slug, name: slug, base_url });
  }
}

const record = (action: string, type: string, id: string | undefined, at: string, values: object) =>
  insert("audit_events", {
    id: randomUUID(),
    organization_id: organizationId,
    actor_type: "member",
    action,
    target_type: type,
    target_id: id,
    request_id: "req",
    created_at: at,
    ...values,
  });

interface Price {
  prompt: string;
  completion: string;
  details?: object;
}
const ZERO: Price = { prompt: "0", completion: "0" };

async function addEndpoint(
  modelId: string,
  provider: ProviderSlug,
  upstreamModel: string,
  { prompt, completion, details }: Price,
  at: string,
): Promise<void> {
  await insert("endpoints", {
    id: randomUUID(),
    model_id: modelId,
    provider_id: providerIds.get(provider),
    upstream_model: upstreamModel,
    price_prompt: prompt,
    price_completion: completion,
    price_details: details ?? null,
    created_at: at,
  });
}

/** Adds a model, with the first part of its slug as vendor. */
async function addModel(slug: string, at: string): Promise<string> {
  const id = randomUUID();
  const vendor = slug.split("/", 1)[0];
  const names = { slug, canonical_slug: slug, name: slug, vendor };
  await insert("models", { id, organization_id: organizationId, ...names, created_at: at });
  return id;
}

const wire = (provider: ProviderSlug, upstream_model: string, { prompt, completion, details }: Price) => ({
  provider,
  upstream_model,
  price: { prompt, completion, request: "0", ...details },
});

const recordImport = (provider: ProviderSlug, slugs: readonly string[]) =>
  record("provider.import_models", "provider", providerIds.get(provider), IMPORTED, { after: { models: slugs } });

async function imported(provider: ProviderSlug, name: string, price: Price): Promise<string> {
  const slug = name.includes("/") ? name : `${provider}/${name}`;
  const id = await addModel(slug, IMPORTED);
  await addEndpoint(id, provider, name, price, IMPORTED);
  await recordImport(provider, [slug, "lab/another"]);
  return id;
}

async function created(slug: string, provider: ProviderSlug, price: Price): Promise<string> {
  const id = await addModel(slug, CREATED);
  await addEndpoint(id, provider, slug, price, CREATED);
  await record("model.create", "model", id, CREATED, { after: { slug, endpoints: [wire(provider, slug, price)] } });
  return id;
}

/** Records a PATCH; the caller changes the endpoints. */
async function changed(id: string, before: object[], after: object[]): Promise<void> {
  await client.query("UPDATE models SET updated_at = $2, name = 'Renamed' WHERE id = $1", [id, CHANGED]);
  await record("model.update", "model", id, CHANGED, { before: { endpoints: before }, after: { endpoints: after } });
}

const setPrice = (modelId: string, { prompt, completion }: Price) =>
  client.query("UPDATE endpoints SET price_prompt = $2, price_completion = $3 WHERE model_id = $1", [
    modelId,
    prompt,
    completion,
  ]);

/** Starts the current version on the database, and returns the source of each endpoint's price. */
async function updated(): Promise<Record<string, string>> {
  const database = await openPostgres(url);
  await correctVendors(database.client, ["anthropic", "openai", "google"], new Date(CHANGED));
  await database.close();
  const { rows } = await client.query<{ endpoint: string; source: string }>(`
    SELECT models.slug || ' at ' || providers.slug || ': ' || endpoints.upstream_model AS endpoint, endpoints.price_source AS source
    FROM endpoints JOIN models ON models.id = model_id JOIN providers ON providers.id = provider_id`);
  return Object.fromEntries(rows.map(({ endpoint, source }) => [endpoint, source]));
}

const vendors = async () => {
  const { rows } = await client.query<Record<"slug" | "vendor" | "vendor_source" | "previous_vendor", string>>(
    "SELECT slug, vendor, vendor_source, previous_vendor FROM models",
  );
  return Object.fromEntries(rows.map((row) => [row.slug, [row.vendor, row.vendor_source, row.previous_vendor]]));
};

beforeEach(() => () => client.end());

it("an update tells unknown prices of imported models from those that an admin set to free", async () => {
  await earlierDatabase("20261128060000_model_facts");
  await imported("lab", "tiny-1", ZERO);
  await imported("openai2", "gpt-5", { prompt: "1.25", completion: "10", details: { cache_read: "0.125" } });
  await imported("openai2", "text-embedding-3-small", { prompt: "0.02", completion: "0" });
  await imported("openrouter", "qwen/qwq-32b:free", ZERO);
  await created("lab/typed-free", "lab", ZERO);

  const renamed = await imported("lab", "renamed", ZERO);
  const asImported = [wire("lab", "renamed", ZERO)];
  await changed(renamed, asImported, asImported);
  const renamedPriced = await imported("openai2", "gpt-4o", { prompt: "2.5", completion: "10" });
  const asPriced = [wire("openai2", "gpt-4o", { prompt: "2.5", completion: "10" })];
  await changed(renamedPriced, asPriced, asPriced);

  const madeFree = await imported("lab", "made-free", { prompt: "3", completion: "9" });
  await changed(
    madeFree,
    [wire("lab", "made-free", { prompt: "3", completion: "9" })],
    [wire("lab", "made-free", ZERO)],
  );
  await setPrice(madeFree, ZERO);
  const priced = await imported("lab", "priced", ZERO);
  await changed(priced, [wire("lab", "priced", ZERO)], [wire("lab", "priced", { prompt: "3", completion: "9" })]);
  await setPrice(priced, { prompt: "3", completion: "9" });

  const extended = await imported("lab", "extended", ZERO);
  const first = wire("lab", "extended", ZERO);
  await changed(extended, [first], [first, wire("openrouter", "lab/extended", ZERO)]);
  await addEndpoint(extended, "openrouter", "lab/extended", ZERO, CHANGED);
  const joined = await created("lab/joined", "openrouter", { prompt: "1", completion: "1" });
  await addEndpoint(joined, "lab", "lab/joined", ZERO, IMPORTED);
  await recordImport("lab", ["lab/joined"]);

  expect(await updated()).toEqual({
    "lab/tiny-1 at lab: tiny-1": "unknown",
    "openai2/gpt-5 at openai2: gpt-5": "catalogue",
    "openai2/text-embedding-3-small at openai2: text-embedding-3-small": "catalogue",
    "qwen/qwq-32b:free at openrouter: qwen/qwq-32b:free": "catalogue",
    "lab/typed-free at lab: lab/typed-free": "admin",
    "lab/renamed at lab: renamed": "unknown",
    "openai2/gpt-4o at openai2: gpt-4o": "catalogue",
    "lab/made-free at lab: made-free": "admin",
    "lab/priced at lab: priced": "admin",
    "lab/extended at lab: extended": "unknown",
    "lab/extended at openrouter: lab/extended": "admin",
    "lab/joined at openrouter: lab/joined": "admin",
    "lab/joined at lab: lab/joined": "unknown",
  });
});

it("an update keeps free what an admin has said since prices have a source", async () => {
  await earlierDatabase("20261128140900_prices_of_changed_imports");
  const stated = (price_source: string, price: object | null) => [
    { ...wire("lab", "tiny-1", ZERO), price, price_source },
  ];
  const free = { prompt: "0", completion: "0", request: "0" };
  const tiny = await imported("lab", "tiny-1", ZERO);
  await changed(tiny, stated("unknown", null), stated("admin", free));
  expect(await updated()).toEqual({ "lab/tiny-1 at lab: tiny-1": "admin" });
});

it("an update corrects the vendors of imported models that were named after their provider", async () => {
  await earlierDatabase("20261128060000_model_facts");
  await imported("bedrock", "anthropic.claude-opus-5", { prompt: "5", completion: "25" });
  await imported("gemini", "gemini-2.5-pro", { prompt: "1.25", completion: "10" });
  await imported("openai2", "gpt-5", { prompt: "1.25", completion: "10" });
  await imported("lab", "tiny-1", ZERO);
  const stated = await created("lab/own", "lab", ZERO);
  await client.query("UPDATE models SET vendor = 'lab-inc' WHERE id = $1", [stated]);

  await updated();
  expect(await vendors()).toEqual({
    "bedrock/anthropic.claude-opus-5": ["anthropic", "catalogue", "bedrock"],
    "gemini/gemini-2.5-pro": ["google", "catalogue", "gemini"],
    "openai2/gpt-5": ["openai", "catalogue", "openai2"],
    "lab/tiny-1": ["unknown", "unknown", "lab"],
    "lab/own": ["lab-inc", "admin", null],
  });
});
