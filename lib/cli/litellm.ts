import type { FileGuardrail, FileModel, FilePreset, PolicyFile } from "../features/policy-file/contract";
import { catalogueModel, decimalText } from "../records/catalogue/catalogue";
import { ModelSlug } from "../records/models/contract";
import { PresetSlug } from "../records/presets/contract";
import type { Deployment, LitellmConfig, LitellmGuardrail } from "./litellm-config";
import { Providers, slugOf, targetOf, type Target } from "./litellm-providers";

/** The policy file for a configuration of LiteLLM's proxy, and notes on settings without a counterpart. */
export interface Imported {
  file: PolicyFile;
  /** Sentences for the user, in the order of the configuration. */
  notes: string[];
}

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

function guardrailOf({ guardrail_name: name, litellm_params: params }: LitellmGuardrail, notes: string[]) {
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
