import { Judge } from "../../engine/checks/contract";
import { CHECK_DEFAULTS, JUDGE_DEFAULTS } from "../../engine/checks/vocabulary";
import { defaultScanScope } from "../../engine/filters/vocabulary";
import { EndpointFields, Prices } from "../../records/models/contract";
import { defaultUpstreamModel } from "../../records/models/endpoints";
import { vendorOf } from "../../records/models/vendor";
import { PROTOCOLS_OF } from "../../records/providers/vocabulary";
import { defaultsOf } from "../alerts/vocabulary";
import {
  FileAlert,
  FileCheck,
  FileGuardrail,
  FileKey,
  FileModel,
  FilePreset,
  FileProvider,
  FileTest,
  FileVersion,
  FileWorkspace,
  type PlacedReference,
  type PolicyFile,
  type Reference,
} from "./contract";

type Fields = Readonly<Record<string, unknown>>;
type Schema = { shape: object };

/** Returns a reference to the environment variable of a secret. */
export const secretOf = (...parts: string[]): { env: string } => ({
  env: parts
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_"),
});

/** The built-in provider, which every installation has and no file contains. */
export const BUILT_IN = "sandbox";

/** Written to every file, because the installation's defaults depend on its database. */
export const WORKSPACE_DEFAULTS = { content_logging: false } as const;

export const ENDPOINT_DEFAULTS = { data_region: "global" } as const;

/** Default values of missing fields in a file. Null and undefined fields are always omitted. */
const DEFAULTS = {
  provider: { kind: "openai", zdr: false, trains: false, ownership: "platform" },
  guardrail: { mode: "enforce", include_byok_in_budgets: false, tests_required: false, copy: 1 },
  test: { protocol: "responses" },
  endpoint: ENDPOINT_DEFAULTS,
  preset: { status: "active" },
  key: { include_byok_in_limit: false, copy: 1 },
} as const satisfies Record<string, Fields>;

/** Returns the default values of a provider, which depend on its kind. */
export const providerDefaults = ({ kind = "openai" }: Pick<FileProvider, "kind">) => ({
  ...DEFAULTS.provider,
  protocol: PROTOCOLS_OF[kind][0],
});

/** Serializes a value independently of its key order. */
export const stableStringify = (value: unknown): string => JSON.stringify(sortedKeys(value));

/** Sorts the keys of every nested object. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sortedKeys(one)]));
}

/** Orders an object's fields by its schema and omits defaults. */
function compact<T extends object>(schema: Schema, value: T, defaults: Fields = {}): T {
  const fields = Object.entries(value) as [string, unknown][];
  const said = new Map(
    fields.filter(
      ([field, one]) => one !== null && one !== undefined && stableStringify(one) !== stableStringify(defaults[field]),
    ),
  );
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((field) => (said.has(field) ? [[field, said.get(field)]] : [])),
  ) as T;
}

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = <T>(list: readonly T[], key: (one: T) => string): T[] =>
  list.toSorted((a, b) => compared(key(a), key(b)));

/** Formats a name with its copy number so that it sorts as text. */
const placed = (name: string, copy: number | undefined) => `${name}\u0000${String(copy ?? 1).padStart(9, "0")}`;

/** Writes a reference. The bare name refers to the first object with the name. */
export const formatReference = (name: string, copy: number): Reference => (copy === 1 ? name : { name, copy });

/** Parses a reference into name and copy number. */
export const parseReference = (given: Reference): { name: string; copy: number } =>
  typeof given === "string" ? { name: given, copy: 1 } : { name: given.name, copy: given.copy ?? 1 };

const writtenReference = (given: Reference | undefined): Reference | undefined => {
  if (given === undefined) return undefined;
  const { name, copy } = parseReference(given);
  return formatReference(name, copy);
};

/** Normalizes a price: `2.50` and `2.5` are equal. */
const plainPrice = (price: string) => (price.includes(".") ? price.replace(/\.?0+$/, "") : price);

const plainPrices = <T extends object>(prices: T): T =>
  Object.fromEntries(
    Object.entries(prices).map(([kind, price]: [string, unknown]) => [
      kind,
      typeof price === "string" ? plainPrice(price) : price,
    ]),
  ) as T;

type PriceList = NonNullable<FileModel["endpoints"][number]["price"]>;

const priceList = ({ tiers, service_tiers, ...prices }: PriceList): PriceList =>
  compact(
    Prices,
    {
      ...plainPrices(prices),
      ...(tiers && tiers.length > 0 && { tiers: tiers.map(plainPrices).toSorted((a, b) => a.above - b.above) }),
      ...(service_tiers &&
        Object.keys(service_tiers).length > 0 && {
          service_tiers: sortedKeys(plainPrices(service_tiers)) as typeof service_tiers,
        }),
    },
    { request: "0" },
  );

const provider = ({ headers, credentials, settings, ...fields }: FileProvider): FileProvider =>
  compact(
    FileProvider,
    {
      ...fields,
      base_url: fields.base_url.replace(/\/+$/, ""),
      ...(settings && { settings: sortedKeys(settings) as typeof settings }),
      ...(credentials &&
        Object.keys(credentials).length > 0 && { credentials: sortedKeys(credentials) as typeof credentials }),
      ...(headers && Object.keys(headers).length > 0 && { headers: sortedKeys(headers) as typeof headers }),
    },
    providerDefaults(fields),
  );

/** Returns the vendor that the server derives from the names. */
export const defaultVendor = (
  slug: string,
  endpoints: readonly Pick<EndpointFields, "provider" | "upstream_model">[],
): string =>
  vendorOf({
    slug,
    endpoints: endpoints.map(({ provider, upstream_model }) => ({
      provider,
      upstreamModel: upstream_model ?? defaultUpstreamModel(slug, { slug: provider, isBuiltIn: provider === BUILT_IN }),
    })),
  }).vendor;

function model({ endpoints, ...fields }: FileModel): FileModel {
  const { slug } = fields;
  const written = endpoints.map(({ price, price_source: _, upstream_model, ...endpoint }) => ({
    ...endpoint,
    upstream_model:
      upstream_model ??
      defaultUpstreamModel(slug, { slug: endpoint.provider, isBuiltIn: endpoint.provider === BUILT_IN }),
    price: price && priceList(price),
  }));
  const ordered = sorted(written, (endpoint) => `${endpoint.provider} ${endpoint.upstream_model}`).map((endpoint) =>
    compact(EndpointFields, endpoint, DEFAULTS.endpoint),
  );
  return compact(
    FileModel,
    { ...fields, endpoints: ordered },
    { canonical_slug: slug, name: slug, vendor: defaultVendor(slug, written) },
  );
}

const test = ({ request, expected, ...fields }: FileTest): FileTest =>
  compact(
    FileTest,
    { ...fields, request: sortedKeys(request) as typeof request, expected: compact(FileTest.shape.expected, expected) },
    DEFAULTS.test,
  );

const check = (fields: FileCheck): FileCheck => compact(FileCheck, fields, CHECK_DEFAULTS);

function guardrail({
  tests,
  content_filter_builtins,
  content_filters,
  external_checks,
  judges,
  ...fields
}: FileGuardrail): FileGuardrail {
  return compact(
    FileGuardrail,
    {
      ...fields,
      content_filter_builtins: content_filter_builtins?.map(({ slug, action, scan_scope, scope }) => ({
        slug,
        action,
        ...(scan_scope && scope !== "response" && scan_scope !== defaultScanScope(slug) && { scan_scope }),
        ...(scope && scope !== "request" && { scope }),
      })),
      content_filters: content_filters?.map(({ pattern, label, action, scope }) => ({
        pattern,
        ...(label !== null && label !== undefined && { label }),
        action,
        ...(scope && scope !== "request" && { scope }),
      })),
      external_checks: external_checks?.map(check),
      judges: judges?.map((judge) => compact(Judge, judge, JUDGE_DEFAULTS)),
      ...(tests &&
        tests.length > 0 && { tests: sorted(tests.map(test), (one) => `${one.name}\u0000${stableStringify(one)}`) }),
    },
    DEFAULTS.guardrail,
  );
}

/** Returns the content that identifies a preset version. */
export const contentOf = ({ config, system_prompt, message }: FileVersion) =>
  sortedKeys({ config, system_prompt, message });

/** Merges versions with equal content and sorts them: the live one first, then by label. */
function versions(given: readonly FileVersion[]): FileVersion[] {
  const merged = new Map<string, FileVersion>();
  for (const { in_use, labels = [], config, ...version } of given) {
    const content = stableStringify(contentOf({ config, ...version }));
    const known = merged.get(content);
    const all = [...(known?.labels ?? []), ...labels].sort(compared);
    merged.set(content, {
      ...version,
      config: sortedKeys(config) as typeof config,
      ...((in_use ?? known?.in_use) && { in_use: true }),
      ...(all.length > 0 && { labels: all }),
    });
  }
  return sorted([...merged.values()], ({ in_use, labels = [] }) => (in_use ? "" : (labels[0] ?? ""))).map((version) =>
    compact(FileVersion, version),
  );
}

const preset = ({ versions: given, ...fields }: FilePreset): FilePreset =>
  compact(FilePreset, { ...fields, versions: versions(given) }, { ...DEFAULTS.preset, name: fields.slug });

const key = ({ guardrail: held, ...fields }: FileKey): FileKey =>
  compact(FileKey, { ...fields, ...(held && { guardrail: writtenReference(held) }) }, DEFAULTS.key);

/** True when a key's entry contains more than its name. */
export const hasSettings = (entry: FileKey): boolean =>
  Object.keys(key(entry)).some((field) => field !== "name" && field !== "copy");

function workspace({
  default_guardrail,
  guardrails,
  presets,
  keys,
  members,
  regions = [],
  allow_unpriced_models,
  content_logging = WORKSPACE_DEFAULTS.content_logging,
  ...fields
}: FileWorkspace): FileWorkspace {
  return compact(FileWorkspace, {
    ...fields,
    content_logging,
    ...(regions.length > 0 && { regions: regions.toSorted() }),
    ...(allow_unpriced_models && { allow_unpriced_models }),
    ...(default_guardrail && { default_guardrail: writtenReference(default_guardrail) }),
    guardrails: guardrails && sorted(guardrails.map(guardrail), ({ name, copy }) => placed(name, copy)),
    presets: presets && sorted(presets.map(preset), ({ slug }) => slug),
    keys: keys && sorted(keys.filter(hasSettings).map(key), ({ name, copy }) => placed(name, copy)),
    members:
      members &&
      sorted(
        members.map(({ email, guardrail: held }) => ({
          email: email.toLowerCase(),
          guardrail: writtenReference(held) ?? "",
        })),
        ({ email }) => email,
      ),
  });
}

const writtenPlace = ({ workspace: slug, name, copy }: PlacedReference): PlacedReference => ({
  workspace: slug,
  ...formatPlaced(name, copy ?? 1),
});
const formatPlaced = (name: string, copy: number) => (copy === 1 ? { name } : { name, copy });

/** Formats a reference so that it sorts by name and copy number. */
const sortableReference = (given: Reference) => {
  const { name, copy } = parseReference(given);
  return placed(name, copy);
};

function alert({ key: measured, guardrail: of, member, webhooks, emails, ...fields }: FileAlert): FileAlert {
  return compact(
    FileAlert,
    {
      ...fields,
      ...(measured && { key: writtenPlace(measured) }),
      ...(of && { guardrail: writtenPlace(of) }),
      ...(member !== undefined && { member: member.toLowerCase() }),
      ...(webhooks &&
        webhooks.length > 0 && {
          webhooks: sorted(
            webhooks.map((given) => writtenReference(given) ?? given),
            sortableReference,
          ),
        }),
      ...(emails && emails.length > 0 && { emails: emails.toSorted(compared) }),
    },
    { ...defaultsOf(fields.kind), copy: 1 },
  );
}

/** Returns a file's canonical form: defaults omitted, unordered lists sorted, equal versions merged. */
export const canonical = ({ version, providers, models, workspaces, alerts }: PolicyFile): PolicyFile => ({
  version,
  ...(providers && { providers: sorted(providers.map(provider), ({ slug }) => slug) }),
  ...(models && { models: sorted(models.map(model), ({ slug }) => slug) }),
  ...(workspaces && { workspaces: sorted(workspaces.map(workspace), ({ slug }) => slug) }),
  ...(alerts && { alerts: sorted(alerts.map(alert), ({ name, copy }) => placed(name, copy)) }),
});
