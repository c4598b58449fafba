import "server-only";
import type { Context } from "../platform/context";
import type { Env } from "../platform/env";
import { cached, type Loaded } from "../platform/database/policy-cache";
import type { Database } from "../platform/database/transaction";
import { lifecycleOf } from "../records/catalogue/lifecycle";
import { vendorOf } from "../records/catalogue/catalogue";
import { openCredentials } from "../records/providers/credential-rows";
import type { ProviderSettings } from "../records/providers/kinds-contract";
import type { Credentials } from "../records/providers/kinds/kind";
import type { ProviderKind } from "../records/providers/vocabulary";
import type { UpstreamProtocol } from "../engine/protocols/vocabulary";
import { expandModels, isWildcard, type CoveredModel } from "../engine/policy/vocabulary";
import type { Endpoint } from "../engine/endpoint";
import type { PriceDetails } from "../engine/price-contract";
import type { DataRegion } from "../engine/vocabulary";
import type { FactSource } from "../records/models/vocabulary";

/** Connection settings of a provider. */
export interface Connection {
  /** Null for the sandbox, which needs no network. */
  baseUrl: string | null;
  kind: ProviderKind;
  settings: ProviderSettings;
  /** Decrypts the credentials on first use; they stay in memory until the organization's policy changes. */
  credentials: () => Credentials;
}

/** Connections by provider id. */
export type Connections = ReadonlyMap<string, Connection>;

/** Maximum number of endpoints considered for one request. */
const MAX_ENDPOINTS = 1000;

interface Row {
  id: string;
  upstream_model: string;
  price_prompt: string;
  price_completion: string;
  price_request: string;
  price_details: PriceDetails | null;
  price_source: FactSource;
  zdr: boolean | null;
  quantization: string | null;
  supported_parameters: string[] | null;
  data_region: DataRegion;
  model_slug: string;
  context_length: number | null;
  max_output_tokens: number | null;
  canonical_slug: string;
  vendor: string;
  distillable: boolean | null;
  provider_id: string;
  provider_slug: string;
  provider_name: string;
  base_url: string | null;
  kind: ProviderKind;
  protocol: UpstreamProtocol;
  settings: ProviderSettings | null;
  api_key_ciphertext: string | null;
  credentials: Record<string, string> | null;
  headers: Record<string, string> | null;
  provider_zdr: boolean;
  trains: boolean;
  ownership: "platform" | "byok";
}

/**
 * An organization's endpoints by slug and canonical slug of their model, ordered by id, and the connections of their
 * providers.
 */
interface Catalogue {
  /** Models with an endpoint, for the wildcards that cover them. */
  models: readonly CoveredModel[];
  byModel: ReadonlyMap<string, readonly Endpoint[]>;
  connections: Connections;
}

const EMPTY: Catalogue = { models: [], byModel: new Map(), connections: new Map() };

/**
 * Finds the endpoints of the named models in the caller's organization, by slug or canonical slug, and the connections
 * of their providers.
 */
export async function findEndpoints(
  { caller: { organizationId }, db, settings }: Context,
  models: readonly string[],
): Promise<{ endpoints: readonly Endpoint[]; connections: Connections }> {
  const { byModel, connections } =
    (await cached(db, ["catalogue", organizationId], () => loadCatalogue(db, organizationId, settings))) ?? EMPTY;
  const [first = "", ...others] = models;
  const ofFirst = byModel.get(first) ?? [];
  if (others.length === 0 && ofFirst.length <= MAX_ENDPOINTS) return { endpoints: ofFirst, connections };
  const found = new Set([...ofFirst, ...others.flatMap((model) => byModel.get(model) ?? [])]);
  return { endpoints: [...found].toSorted(byId).slice(0, MAX_ENDPOINTS), connections };
}

/**
 * Replaces wildcards among the requested models with the catalogue's models; returns the names unchanged if the
 * wildcards cover none.
 */
export async function expandRequestedModels(
  { caller: { organizationId }, db, settings }: Context,
  names: readonly string[],
): Promise<string[]> {
  if (!names.some(isWildcard)) return [...names];
  const { models } =
    (await cached(db, ["catalogue", organizationId], () => loadCatalogue(db, organizationId, settings))) ?? EMPTY;
  const expanded = expandModels(names, models);
  return expanded.length > 0 ? expanded : [...names];
}

const byId = (a: Endpoint, b: Endpoint) => (a.id < b.id ? -1 : 1);

/** Raw SQL: the client would send three statements instead of one. */
async function loadCatalogue(db: Database, organizationId: string, settings: Env): Promise<Loaded<Catalogue>> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT e.id, e.upstream_model, e.zdr, e.quantization, e.supported_parameters, e.data_region::text,
           e.price_prompt::text, e.price_completion::text, e.price_request::text, e.price_details, e.price_source::text,
           m.slug AS model_slug, m.canonical_slug, m.vendor, m.distillable, m.context_length, m.max_output_tokens,
           p.id AS provider_id, p.slug AS provider_slug, p.name AS provider_name, p.base_url, p.kind::text,
           p.protocol::text, p.settings, p.credentials,
           p.api_key_ciphertext, p.headers, p.zdr AS provider_zdr, p.trains, p.ownership::text
    FROM models m
    JOIN endpoints e ON e.model_id = m.id
    JOIN providers p ON p.id = e.provider_id
    WHERE m.organization_id = ${organizationId}::uuid`;
  return { organizationId, value: compileCatalogue(rows, organizationId, settings) };
}

function compileCatalogue(rows: readonly Row[], organizationId: string, settings: Env): Catalogue {
  const byModel = new Map<string, Endpoint[]>();
  const connections = new Map<string, Connection>();
  for (const row of rows) {
    const endpoint = toEndpoint(row);
    for (const name of new Set([row.model_slug, row.canonical_slug])) {
      const named = byModel.get(name);
      if (named) named.push(endpoint);
      else byModel.set(name, [endpoint]);
    }
    if (!connections.has(row.provider_id))
      connections.set(row.provider_id, toConnection(settings, organizationId, row));
  }
  for (const endpoints of byModel.values()) endpoints.sort(byId);
  return { models: coveredModels(rows), byModel, connections };
}

function coveredModels(rows: readonly Row[]): CoveredModel[] {
  const models = new Map<string, CoveredModel & { providers: string[] }>();
  for (const { model_slug: slug, canonical_slug: canonicalSlug, vendor, provider_slug } of rows) {
    const known = models.get(slug);
    if (known) known.providers.push(provider_slug);
    else models.set(slug, { slug, canonicalSlug, vendor, providers: [provider_slug] });
  }
  return [...models.values()];
}

const toEndpoint = (row: Row): Endpoint => ({
  id: row.id,
  model: {
    slug: row.model_slug,
    canonicalSlug: row.canonical_slug,
    vendor: row.vendor,
    distillable: row.distillable,
    contextLength: row.context_length,
    maxOutputTokens: row.max_output_tokens,
  },
  provider: {
    id: row.provider_id,
    slug: row.provider_slug,
    name: row.provider_name,
    protocol: row.protocol,
    zdr: row.provider_zdr,
    trains: row.trains,
    ownership: row.ownership,
  },
  upstreamModel: row.upstream_model,
  prices:
    row.price_source === "unknown"
      ? null
      : {
          prompt: plain(row.price_prompt),
          completion: plain(row.price_completion),
          request: plain(row.price_request),
          details: row.price_details,
        },
  zdr: row.zdr,
  quantization: row.quantization,
  supportedParameters: row.supported_parameters,
  dataRegion: row.data_region,
  lifecycle: row.base_url === null ? null : lifecycleOf(vendorOf(row.base_url), row.upstream_model),
});

/** Formats a numeric column without trailing zeros. */
const plain = (numeric: string): string => numeric.replace(/\.?0+$/, "") || "0";

function toConnection(settings: Env, organizationId: string, row: Row): Connection {
  let opened: Credentials | null = null;
  const stored = {
    organizationId,
    id: row.provider_id,
    apiKeyCiphertext: row.api_key_ciphertext,
    credentials: row.credentials,
    headers: row.headers,
  };
  return {
    baseUrl: row.base_url,
    kind: row.kind,
    settings: row.settings ?? {},
    credentials: () => (opened ??= openCredentials(settings, stored)),
  };
}
