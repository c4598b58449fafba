import { z } from "zod";
import { catalogueModel, decimalText, vendorOf } from "../records/catalogue/catalogue";
import { VENDORS } from "../records/catalogue/vendors";
import { ModelSlug } from "../records/models/contract";
import { PresetSlug } from "../records/presets/contract";
import type { ProviderKind } from "../records/providers/vocabulary";
import type { FileGuardrail, FileModel, FilePreset, FileProvider, PolicyFile } from "../features/policy-file/contract";

/** The policy file for a configuration of LiteLLM's proxy, and notes on settings without a counterpart. */
export interface Imported {
  file: PolicyFile;
  /** Sentences for the user, in the order of the configuration. */
  notes: string[];
}

const Cost = z.coerce.number().min(0).optional();
const Text = z.string().min(1).optional();

/** The `litellm_params` that are converted. */
const Params = z.looseObject({
  model: z.string().min(1),
  api_base: Text,
  api_key: Text,
  api_version: Text,
  aws_region_name: Text,
  aws_access_key_id: Text,
  aws_secret_access_key: Text,
  aws_session_token: Text,
  vertex_project: Text,
  vertex_location: Text,
  vertex_credentials: Text,
  input_cost_per_token: Cost,
  output_cost_per_token: Cost,
});
type Params = z.output<typeof Params>;

const Info = z.looseObject({
  base_model: Text,
  max_input_tokens: z.coerce.number().int().min(1).optional(),
  max_output_tokens: z.coerce.number().int().min(1).optional(),
  input_cost_per_token: Cost,
  output_cost_per_token: Cost,
});

const Deployment = z.looseObject({
  model_name: z.string().min(1),
  litellm_params: Params,
  model_info: Info.optional(),
});
type Deployment = z.output<typeof Deployment>;

const Fallbacks = z.array(z.record(z.string(), z.array(z.string()))).optional();

const Guardrail = z.looseObject({
  guardrail_name: z.string().min(1),
  litellm_params: z.looseObject({
    guardrail: z.string().min(1),
    default_on: z.boolean().optional(),
    pii_entities_config: z.record(z.string(), z.string()).optional(),
  }),
});

/** A configuration of LiteLLM's proxy (docs.litellm.ai/docs/proxy/configs); unknown settings are kept, so that notes can name them. */
export const LitellmConfig = z.looseObject({
  model_list: z.array(Deployment).default([]),
  guardrails: z.array(Guardrail).default([]),
  litellm_settings: z.looseObject({ fallbacks: Fallbacks }).default({}),
  router_settings: z
    .looseObject({
      fallbacks: Fallbacks,
      model_group_alias: z.record(z.string(), z.union([z.string(), z.looseObject({ model: z.string() })])).optional(),
    })
    .default({}),
});
export type LitellmConfig = z.output<typeof LitellmConfig>;

/** Vendors in the catalogue whose LiteLLM prefix differs from their slug, by prefix. */
const PREFIXES: Readonly<Record<string, string>> = {
  fireworks_ai: "fireworks",
  gemini: "google",
  moonshot: "moonshotai",
  together_ai: "together",
  vertex_ai: "vertex",
};
/** Prefixes of self-hosted servers that speak Chat Completions. */
const OWN_SERVERS: Readonly<Record<string, string>> = {
  hosted_vllm: "vllm",
  litellm_proxy: "litellm",
  lm_studio: "lm-studio",
  ollama: "ollama",
  ollama_chat: "ollama",
  openai_like: "openai-like",
  vllm: "vllm",
};
/** Names without a prefix, by their maker. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, "anthropic"],
  [/^gemini-/, "vertex"],
  [/^/, "openai"],
];

/** LiteLLM takes the region from AWS's environment when the configuration has none. */
const DEFAULT_REGION = "us-east-1";

interface Target {
  vendor: string;
  kind: ProviderKind;
  baseUrl: string;
  /** The upstream's name of the model. */
  model: string;
}

/** Finds the provider of a deployment by its `model` and `api_base`. Returns a text with the reason if there is none. */
function targetOf({ model: name, api_base, aws_region_name, vertex_location }: Params): Target | string {
  const [head = "", ...rest] = name.split("/");
  const hasPrefix = rest.length > 0;
  const prefix = hasPrefix ? head : (MAKERS.find(([pattern]) => pattern.test(name))?.[1] ?? "openai");
  // A route such as bedrock/converse/ selects a protocol.
  const model = (hasPrefix ? rest.join("/") : name).replace(/^(?:converse|responses|chat)\//, "");
  const own = OWN_SERVERS[prefix];
  if (own !== undefined) {
    if (api_base === undefined) return `${name} has no api_base`;
    const base = api_base.replace(/\/+$/, "");
    return { vendor: own, kind: "openai", baseUrl: own === "ollama" ? `${base.replace(/\/v1$/, "")}/v1` : base, model };
  }
  const slug = PREFIXES[prefix] ?? prefix;
  const vendor = VENDORS.find((known) => known.slug === slug);
  if (!vendor)
    return `${name}: ${prefix} isn't a kind of provider; if it speaks OpenAI's API, add it with its base URL`;
  if (slug === "azure" && api_base === undefined) return `${name} has no api_base`;
  const regional =
    slug === "bedrock"
      ? `https://bedrock-runtime.${aws_region_name ?? DEFAULT_REGION}.amazonaws.com`
      : slug === "vertex"
        ? vertexUrl(vertex_location ?? "global")
        : vendor.baseUrl;
  const isKnown = api_base === undefined || vendorOf(api_base) === slug;
  return {
    vendor: isKnown ? slug : "custom",
    kind: vendor.kind,
    baseUrl: (api_base ?? regional).replace(/\/+$/, ""),
    model,
  };
}

const vertexUrl = (location: string): string =>
  location === "global" ? "https://aiplatform.googleapis.com/v1" : `https://${location}-aiplatform.googleapis.com/v1`;

/** A name for an environment variable. */
const variable = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
/** A slug of lowercase letters and digits with single hyphens. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, 64) || "imported";

/** Settings that notes name, with an alternative. */
const SETTINGS_NOTES: readonly (readonly [section: string, field: RegExp, note: string])[] = [
  [
    "litellm_settings",
    /^(?:callbacks|success_callback|failure_callback)$/,
    "send the log elsewhere with exports or webhooks (docs/exports.md)",
  ],
  ["litellm_settings", /^(?:cache|cache_params)$/, "answers aren't cached"],
  [
    "litellm_settings",
    /^(?:max_budget|budget_duration)$/,
    "set limit_usd and reset_interval of a guardrail, or a key's limit",
  ],
  [
    "litellm_settings",
    /^(?:num_retries|request_timeout|allowed_fails|drop_params)$/,
    "timeouts are environment variables (docs/configuration.md); failed attempts go to the next endpoint",
  ],
  [
    "litellm_settings",
    /^(?:context_window_fallbacks|content_policy_fallbacks|default_fallbacks)$/,
    "only fallbacks after failures exist",
  ],
  [
    "router_settings",
    /^(?:routing_strategy|routing_strategy_args)$/,
    "endpoints are ordered by price; provider.sort in a request or preset orders by latency or throughput",
  ],
  [
    "router_settings",
    /^(?:num_retries|timeout|allowed_fails|cooldown_time|retry_policy)$/,
    "circuit breakers are built in (docs/gateway.md)",
  ],
  ["router_settings", /^redis_/, "processes share the database"],
  ["general_settings", /^master_key$/, "the first start prints a management key"],
  [
    "general_settings",
    /^(?:database_url|store_model_in_db)$/,
    "keys, teams and budgets in LiteLLM's database aren't read: create keys in Signalbox",
  ],
];
const CARRIED: Readonly<Record<string, ReadonlySet<string>>> = {
  litellm_settings: new Set(["fallbacks"]),
  router_settings: new Set(["fallbacks", "model_group_alias"]),
};

function settingsNotes(config: LitellmConfig): string[] {
  const notes: string[] = [];
  for (const section of ["litellm_settings", "router_settings", "general_settings", "environment_variables"]) {
    const settings = config[section];
    if (typeof settings !== "object" || settings === null) continue;
    for (const field of Object.keys(settings)) {
      if (CARRIED[section]?.has(field)) continue;
      const note = SETTINGS_NOTES.find(([of, pattern]) => of === section && pattern.test(field))?.[2];
      notes.push(`${section}.${field}: ${note ?? "has no counterpart"}`);
    }
  }
  return notes;
}

const DEPLOYMENT_NOTES =
  /^(?:rpm|tpm|weight|order|timeout|stream_timeout|max_parallel_requests|max_budget|budget_duration|tags)$/;

/** Presidio's entities by the builtin filter that finds them. */
const ENTITIES: Readonly<Record<string, NonNullable<FileGuardrail["content_filter_builtins"]>[number]["slug"]>> = {
  EMAIL_ADDRESS: "email",
  PHONE_NUMBER: "phone",
  US_SSN: "ssn",
  CREDIT_CARD: "credit-card",
  IP_ADDRESS: "ip-address",
  PERSON: "person-name",
  LOCATION: "address",
};

function guardrailOf({ guardrail_name: name, litellm_params: params }: z.output<typeof Guardrail>, notes: string[]) {
  const kind = params.guardrail;
  if (kind === "hide-secrets" || kind === "hide_secrets")
    return { name, content_filter_builtins: [{ slug: "secrets", action: "redact" }] } satisfies FileGuardrail;
  if (kind === "detect_prompt_injection" || kind === "prompt_injection")
    return {
      name,
      content_filter_builtins: [{ slug: "regex-prompt-injection", action: "block" }],
    } satisfies FileGuardrail;
  if (kind !== "presidio") {
    notes.push(
      `guardrails: ${name} (${kind}) isn't carried over: an external check can call it (docs/external-checks.md)`,
    );
    return null;
  }
  const entities = params.pii_entities_config ?? {
    EMAIL_ADDRESS: "MASK",
    PHONE_NUMBER: "MASK",
    CREDIT_CARD: "MASK",
    US_SSN: "MASK",
  };
  const unknown = Object.keys(entities).filter((entity) => !(entity in ENTITIES));
  if (unknown.length > 0) notes.push(`guardrails: ${name} finds ${unknown.join(", ")}, for which there is no filter`);
  const builtins = Object.entries(entities).flatMap(([entity, action]) => {
    const slug = ENTITIES[entity];
    return slug ? [{ slug, action: action === "BLOCK" ? ("block" as const) : ("redact" as const) }] : [];
  });
  return { name, content_filter_builtins: builtins } satisfies FileGuardrail;
}

/** Providers of the deployments, one for each address and set of credentials. */
class Providers {
  readonly all: FileProvider[] = [];
  readonly #byKey = new Map<string, FileProvider>();
  readonly #notes: string[];

  constructor(notes: string[]) {
    this.#notes = notes;
  }

  /** Returns the slug of the deployment's provider, which is added if it is new. */
  slugFor(target: Target, params: Params): string {
    const { vendor, kind, baseUrl } = target;
    const identity = [
      kind,
      baseUrl,
      params.api_key,
      params.api_version,
      params.aws_access_key_id,
      params.vertex_project,
      params.vertex_credentials,
    ].join("\n");
    const known = this.#byKey.get(identity);
    if (known) return known.slug;
    const slug = this.#freeSlug(vendor === "custom" ? slugOf(new URL(baseUrl).hostname) : vendor);
    const provider: FileProvider = {
      slug,
      name: slug,
      base_url: baseUrl,
      ...(kind !== "openai" && { kind }),
      ...this.#secretsOf(slug, kind, params),
      ...this.#settingsOf(slug, kind, params),
    };
    this.#byKey.set(identity, provider);
    this.all.push(provider);
    return slug;
  }

  #freeSlug(wanted: string): string {
    let slug = wanted;
    for (let number = 2; this.all.some((provider) => provider.slug === slug); number += 1) slug = `${wanted}-${number}`;
    return slug;
  }

  #secretsOf(slug: string, kind: ProviderKind, params: Params): Pick<FileProvider, "api_key" | "credentials"> {
    const secret = (given: string | undefined, name: string) => {
      if (given === undefined) return undefined;
      const [, env] = /^os\.environ\/(\w+)$/.exec(given) ?? [];
      const own = `${variable(slug)}_${name}`;
      if (env === undefined)
        this.#notes.push(
          `the ${name.toLowerCase().replaceAll("_", " ")} of ${slug} is in the configuration: set ${own} to it`,
        );
      return { env: env ?? own };
    };
    if (kind === "bedrock") {
      const access = secret(params.aws_access_key_id, "ACCESS_KEY_ID");
      const secretKey = secret(params.aws_secret_access_key, "SECRET_ACCESS_KEY");
      const session = secret(params.aws_session_token, "SESSION_TOKEN");
      if (access && secretKey)
        return {
          credentials: {
            access_key_id: access,
            secret_access_key: secretKey,
            ...(session && { session_token: session }),
          },
        };
    } else if (kind === "vertex") {
      const account = secret(params.vertex_credentials, "SERVICE_ACCOUNT");
      if (account) return { credentials: { service_account: account } };
    } else {
      const key = secret(params.api_key, "API_KEY");
      if (key) return { api_key: key };
      if (vendorOf(params.api_base ?? "") === null && params.api_base !== undefined) return {};
    }
    this.#notes.push(`${slug} has no credentials in the configuration: enter them under Providers`);
    return {};
  }

  #settingsOf(slug: string, kind: ProviderKind, params: Params): Pick<FileProvider, "settings"> {
    if (kind === "azure" && params.api_version) return { settings: { api_version: params.api_version } };
    if (kind === "bedrock") return { settings: { region: params.aws_region_name ?? DEFAULT_REGION } };
    if (kind !== "vertex") return {};
    if (params.vertex_project === undefined) this.#notes.push(`${slug} has no vertex_project: replace "your-project"`);
    return {
      settings: { project: params.vertex_project ?? "your-project", location: params.vertex_location ?? "global" },
    };
  }
}

/** Returns USD per million tokens from the configuration, else from the catalogue; null if neither has prices. */
function priceOf({ litellm_params: params, model_info: info }: Deployment, { vendor, model }: Target, now: Date) {
  const prompt = params.input_cost_per_token ?? info?.input_cost_per_token;
  const completion = params.output_cost_per_token ?? info?.output_cost_per_token;
  if (prompt !== undefined && completion !== undefined)
    return { prompt: decimalText(prompt * 1e6), completion: decimalText(completion * 1e6) };
  const listed = catalogueModel(vendor, info?.base_model?.split("/").at(-1) ?? model, now)?.price;
  return listed ? withoutRequest(listed) : null;
}

/** Removes a request price of 0, which is the default. */
function withoutRequest({ request, ...price }: { request: string; prompt: string; completion: string }) {
  return { ...price, ...(request !== "0" && { request }) };
}

/**
 * Converts a configuration of LiteLLM's proxy to a policy file: deployments become providers and endpoints of models, fallbacks
 * become presets, and guardrails become content filters.
 */
export function fromLitellm(config: LitellmConfig, now: Date): Imported {
  const notes: string[] = [];
  const providers = new Providers(notes);
  const models = new Map<string, FileModel>();
  for (const deployment of config.model_list) {
    const { model_name: name, litellm_params: params, model_info: info } = deployment;
    if (name.includes("*")) {
      notes.push(`model_list: ${name} is a wildcard: import the models of its provider instead (docs/models.md)`);
      continue;
    }
    if (!ModelSlug.safeParse(name).success) {
      notes.push(`model_list: ${name} can't be a model's name here: rename it`);
      continue;
    }
    const target = targetOf(params);
    if (typeof target === "string") {
      notes.push(`model_list: ${target}`);
      continue;
    }
    const limited = Object.keys(params).filter((field) => DEPLOYMENT_NOTES.test(field));
    if (limited.length > 0)
      notes.push(`model_list: ${limited.join(", ")} of ${name}: endpoints have no limits or weights of their own`);
    const price = priceOf(deployment, target, now);
    if (price === null)
      notes.push(`model_list: ${name} has no known price: spending limits exclude it until you set one`);
    const endpoint = {
      provider: providers.slugFor(target, params),
      upstream_model: target.model,
      ...(price && { price }),
    };
    const known = models.get(name);
    if (known) known.endpoints.push(endpoint);
    else
      models.set(name, {
        slug: name,
        ...(info?.max_input_tokens !== undefined && { context_length: info.max_input_tokens }),
        ...(info?.max_output_tokens !== undefined && { max_output_tokens: info.max_output_tokens }),
        endpoints: [endpoint],
      });
  }
  for (const [alias, of] of Object.entries(config.router_settings.model_group_alias ?? {})) {
    const model = models.get(typeof of === "string" ? of : of.model);
    if (model && ModelSlug.safeParse(alias).success && !models.has(alias)) models.set(alias, { ...model, slug: alias });
    else notes.push(`router_settings.model_group_alias: ${alias} names no model of the file`);
  }
  const guardrails = config.guardrails.flatMap((guardrail) => guardrailOf(guardrail, notes) ?? []);
  const isDefault = config.guardrails.filter(({ litellm_params: { default_on } }) => default_on);
  const defaults = guardrails.filter(({ name }) => isDefault.some(({ guardrail_name }) => guardrail_name === name));
  if (defaults.length > 1)
    notes.push(
      `guardrails: a workspace has one default guardrail, so the filters of ${defaults.map(({ name }) => name).join(", ")} are joined in one`,
    );
  const joined = joinedDefault(defaults);
  const kept = guardrails.filter((guardrail) => defaults.length < 2 || !defaults.includes(guardrail));
  const presets = presetsOf(config, notes);
  notes.push(...settingsNotes(config));
  const workspace = {
    slug: "default",
    name: "Default",
    content_logging: true,
    ...(joined && { default_guardrail: joined.name }),
    ...(guardrails.length > 0 && { guardrails: defaults.length > 1 && joined ? [joined, ...kept] : kept }),
    ...(presets.length > 0 && { presets }),
  };
  const hasWorkspace = guardrails.length > 0 || presets.length > 0;
  return {
    file: {
      version: 1,
      providers: providers.all,
      models: [...models.values()],
      ...(hasWorkspace && { workspaces: [workspace] }),
    },
    notes,
  };
}

function joinedDefault(defaults: readonly FileGuardrail[]): FileGuardrail | undefined {
  if (defaults.length < 2) return defaults[0];
  const builtins = defaults.flatMap(({ content_filter_builtins }) => content_filter_builtins ?? []);
  return {
    name: "Default",
    content_filter_builtins: [...new Map(builtins.map((filter) => [filter.slug, filter])).values()],
  };
}

/** Creates a preset for each model with fallbacks. A request for `@preset/<model>` tries them in order. */
function presetsOf(config: LitellmConfig, notes: string[]): FilePreset[] {
  const all = [...(config.litellm_settings.fallbacks ?? []), ...(config.router_settings.fallbacks ?? [])];
  const models = new Set(config.model_list.map(({ model_name: name }) => name));
  return all.flatMap((entry) =>
    Object.entries(entry).flatMap(([model, fallbacks]) => {
      const slug = slugOf(model);
      if (!models.has(model) || !PresetSlug.safeParse(slug).success) {
        notes.push(`fallbacks: ${model} names no model of the file`);
        return [];
      }
      notes.push(`fallbacks: request @preset/${slug} instead of ${model} to have them`);
      return [{ slug, versions: [{ in_use: true as const, config: { model, models: fallbacks } }] }];
    }),
  );
}
