import type { Endpoint, Lifecycle } from "../endpoint";
import type { InferenceRequest } from "./inference-request";
import { unknownValues } from "./known-values";
import { leftOutTools, unsupportedFields } from "./upstream-request";

/** Names the header that lists fields of a request which may not do what the caller expects. */
export const WARNINGS_HEADER = "x-signalbox-warnings";

const MOST_NAMES = 20;
const MOST_CHARACTERS = 100;

const named = (kind: string, names: readonly string[]): string[] =>
  names.slice(0, MOST_NAMES).map((name) => `${kind}=${encoded(name.slice(0, MOST_CHARACTERS))}`);

/** Percent-encodes a name, except for the brackets of an index. */
const encoded = (name: string): string =>
  encodeURIComponent(wellFormed(name)).replaceAll("%5B", "[").replaceAll("%5D", "]");

/** Replaces lone surrogates, which callers' names may contain. */
const wellFormed = (name: string): string => Buffer.from(name).toString();

const retirement = (slug: string, { retiresAt, replacement }: Lifecycle): string[] => [
  ...named("deprecated-model", [slug]),
  ...named("retires", [retiresAt.slice(0, 10)]),
  ...named("replacement", [replacement]),
];

/** Returns the ids of the plugins that a request enables, each once. */
const enabledPlugins = ({ body: { plugins = [] } }: InferenceRequest): string[] => [
  ...new Set(plugins.flatMap((plugin) => (plugin["enabled"] === false ? [] : plugin.id))),
];

/**
 * Returns the header's value: fields and values that Signalbox doesn't know, plugins that it doesn't run, fields and tools
 * that aren't sent to the endpoint, and the announced retirement of the model; null without any.
 */
export function warningsOf(
  request: InferenceRequest,
  unknown: readonly string[],
  endpoint: Endpoint | null,
): string | null {
  const warnings = [
    ...named("unknown-field", unknown),
    ...named("unknown-value", unknownValues(request)),
    ...named("plugin-not-run", enabledPlugins(request)),
    ...named("unsupported-field", endpoint ? unsupportedFields(request, endpoint) : []),
    ...named("left-out-tool", endpoint ? leftOutTools(request, endpoint) : []),
    ...(endpoint?.lifecycle ? retirement(endpoint.model.slug, endpoint.lifecycle) : []),
  ];
  return warnings.length > 0 ? warnings.join(", ") : null;
}
