import "server-only";
import type { Context } from "../../platform/context";
import type { Result } from "../../platform/http/operation";
import { processHealth } from "./endpoint-health";
import type * as contract from "./contract";

/** Lists the health of the organization's providers, as measured by this process. */
export async function list({ caller, db }: Context): Promise<Result<typeof contract.listProviderHealth>> {
  const states = processHealth.states();
  const endpoints = await db.endpoint.findMany({
    where: { id: { in: [...states.keys()] }, provider: { organizationId: caller.organizationId } },
    select: { id: true, model: { select: { slug: true } }, provider: { select: { slug: true } } },
    orderBy: { id: "asc" },
  });
  const providers = new Set(endpoints.map(({ provider }) => provider.slug));
  return {
    data: [...providers].map((slug) => {
      const considered = endpoints.filter(({ provider }) => provider.slug === slug);
      const resting = considered.filter(({ id }) => states.get(id) === "resting");
      return {
        provider: slug,
        endpoints_asked: considered.length,
        resting: [...new Set(resting.map(({ model }) => model.slug))],
      };
    }),
  };
}
