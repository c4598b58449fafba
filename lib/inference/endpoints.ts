import "server-only";
import type { Context } from "../context";
import type { Endpoint } from "./plan";

/** The endpoints of the named models of the caller's organization, by slug or canonical slug, that can be asked: the sandbox's. */
export async function findEndpoints({ caller, db }: Context, models: readonly string[]): Promise<Endpoint[]> {
  const names = { in: [...models] };
  const rows = await db.endpoint.findMany({
    where: { model: { organizationId: caller.organizationId, OR: [{ slug: names }, { canonicalSlug: names }] }, provider: { baseUrl: null } },
    include: { model: true, provider: true },
    orderBy: { id: "asc" },
    take: 1000,
  });
  return rows.map(({ id, model, provider, upstreamModel, zdr, quantization, supportedParameters, ...prices }) => ({
    id,
    model: { slug: model.slug, canonicalSlug: model.canonicalSlug, vendor: model.vendor, distillable: model.distillable },
    provider: {
      id: provider.id,
      slug: provider.slug,
      name: provider.name,
      protocol: provider.protocol,
      zdr: provider.zdr,
      trains: provider.trains,
      ownership: provider.ownership,
    },
    upstreamModel,
    prices: { prompt: prices.pricePrompt.toFixed(), completion: prices.priceCompletion.toFixed(), request: prices.priceRequest.toFixed() },
    zdr,
    quantization,
    supportedParameters: supportedParameters as string[] | null,
  }));
}
