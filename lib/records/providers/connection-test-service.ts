import "server-only";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { findProvider } from "./service";
import { fetchModels } from "./upstream-models-client";

/** Tests whether the upstream accepts the stored key. The sandbox needs no test. */
export async function test(
  context: Context,
  { params }: Input<typeof contract.testProvider>,
): Promise<Result<typeof contract.testProvider>> {
  const provider = await findProvider(context.db, context, params.slug);
  const { baseUrl } = provider;
  if (baseUrl === null) {
    const models_count = await context.db.endpoint.count({ where: { providerId: provider.id } });
    return {
      data: {
        ok: true,
        status: null,
        latency_ms: 0,
        models_count,
        message: "Built in: no connection needed",
      },
    };
  }
  const startedAt = performance.now();
  const list = await fetchModels(context, { ...provider, baseUrl });
  const measured = { status: list.status, latency_ms: Math.round(performance.now() - startedAt) };
  if ("problem" in list) return { data: { ok: false, ...measured, models_count: null, message: list.problem } };
  const models_count = list.models.length;
  return { data: { ok: true, ...measured, models_count, message: `The upstream lists ${models_count} models` } };
}
