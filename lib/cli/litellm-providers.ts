import { vendorOf } from "../records/catalogue/catalogue";
import { VENDORS } from "../records/catalogue/vendors";
import type { ProviderKind } from "../records/providers/vocabulary";
import type { FileProvider } from "../features/policy-file/contract";
import type { Params } from "./litellm-config";

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

export interface Target {
  vendor: string;
  kind: ProviderKind;
  baseUrl: string;
  /** The upstream's name of the model. */
  model: string;
}

/** Finds the provider of a deployment by its `model` and `api_base`. Returns a text with the reason if there is none. */
export function targetOf({ model: name, api_base, aws_region_name, vertex_location }: Params): Target | string {
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
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, 64) || "imported";

/** Providers of the deployments, one for each address and set of credentials. */
export class Providers {
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
