import { isListed } from "../policy/routing";
import { isGreater } from "./decimal";
import { isZdr, type Endpoint } from "../endpoint";
import { PARAMETERS } from "../protocols/parameters";
import type { ProviderPreferences } from "../protocols/contracts/provider-preferences-contract";

const OTHER_NAMES: Readonly<Record<string, string>> = {
  max_completion_tokens: "max_tokens",
  max_output_tokens: "max_tokens",
  reasoning_effort: "reasoning",
  text: "response_format",
};

const nameOf = (field: string): string => OTHER_NAMES[field] ?? field;

/** Returns the parameters set by a request, in any protocol. */
export function suppliedParameters(body: Readonly<Record<string, unknown>>): string[] {
  const { text } = body;
  const names = new Set<string>();
  const add = (field: string, value: unknown) => {
    const name = nameOf(field);
    if (value !== undefined && value !== null && PARAMETERS.has(name)) names.add(name);
  };
  for (const field of Object.keys(body)) if (field !== "text") add(field, body[field]);
  if (text) {
    const { format, verbosity } = text as Readonly<Record<string, unknown>>;
    add("response_format", format);
    add("verbosity", verbosity);
  }
  return [...names];
}

/** True when an endpoint is known to support every parameter; unknown support counts as unsupported. */
function supports({ supportedParameters }: Endpoint, parameters: readonly string[]): boolean {
  const known = new Set(supportedParameters?.map(nameOf));
  return parameters.every((name) => known.has(name));
}

/**
 * Returns the fields of `provider` that an endpoint doesn't meet (docs/semantics.md#provider-preferences). An empty
 * list restricts nothing, provider slugs match in any case, and an endpoint's unknown properties count against it.
 */
export function unmetPreferences(
  endpoint: Endpoint,
  preferences: ProviderPreferences,
  parameters: readonly string[],
  isOrderServed: boolean,
): string[] {
  const { provider, model, prices } = endpoint;
  const { max_price: most = {} } = preferences;
  const isDearer = (field: "prompt" | "completion" | "request") =>
    most[field] !== undefined && (prices === null || isGreater(prices[field], most[field]));
  const unmet: Record<string, boolean> = {
    only: isListed(preferences.only, provider.slug) === false,
    ignore: isListed(preferences.ignore, provider.slug) === true,
    order: !isOrderServed,
    data_collection: preferences.data_collection === "deny" && provider.trains,
    zdr: preferences.zdr === true && !isZdr(endpoint),
    quantizations: isListed(preferences.quantizations, endpoint.quantization ?? "unknown") === false,
    max_price: isDearer("prompt") || isDearer("completion") || isDearer("request"),
    require_parameters: preferences.require_parameters === true && !supports(endpoint, parameters),
    enforce_distillable_text: preferences.enforce_distillable_text === true && model.distillable !== true,
  };
  return Object.keys(unmet).filter((field) => unmet[field]);
}
