import type { Issue } from "../../platform/api-error";
import type { EndpointFields } from "./contract";

/** Returns the default upstream name: the slug without the provider's prefix, except for the sandbox. */
export function defaultUpstreamModel(slug: string, provider: { slug: string; isBuiltIn: boolean }): string {
  const own = `${provider.slug}/`;
  return !provider.isBuiltIn && slug.startsWith(own) && slug.length > own.length ? slug.slice(own.length) : slug;
}

interface ResolvedEndpoint extends Omit<EndpointFields, "provider" | "upstream_model"> {
  providerId: string;
  upstreamModel: string;
}

type Providers = ReadonlyMap<string, { id: string; isBuiltIn: boolean }>;

/** Resolves the providers of endpoints, and reports unknown providers and duplicate endpoints. */
export function resolveEndpoints(
  slug: string,
  endpoints: readonly EndpointFields[],
  providers: Providers,
): { endpoints: ResolvedEndpoint[]; issues: Issue[] } {
  const resolved = new Map<string, ResolvedEndpoint>();
  const issues: Issue[] = [];
  for (const [index, { provider: name, upstream_model, ...fields }] of endpoints.entries()) {
    const provider = providers.get(name);
    if (!provider) {
      issues.push({
        path: ["endpoints", index, "provider"],
        message: `provider ${name} doesn't exist`,
        code: "unknown_provider",
      });
      continue;
    }
    const upstreamModel = upstream_model ?? defaultUpstreamModel(slug, { slug: name, isBuiltIn: provider.isBuiltIn });
    const identity = `${provider.id} ${upstreamModel}`;
    if (resolved.has(identity))
      issues.push({ path: ["endpoints", index], message: "duplicates an endpoint before it", code: "duplicate" });
    else resolved.set(identity, { ...fields, providerId: provider.id, upstreamModel });
  }
  return { endpoints: [...resolved.values()], issues };
}
