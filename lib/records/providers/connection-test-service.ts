import "server-only";
import type { Context } from "../../platform/context";
import { count } from "../../platform/count";
import { json } from "../../platform/database/json";
import { inspected } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { givenCredentials } from "./credential-rows";
import { trimmedUrl } from "./rules";
import { findProvider, inspectNew } from "./service";
import { fetchModels, fetchModelsWith, type ModelList } from "./upstream-models-client";

async function measured({ now }: Context, list: () => Promise<ModelList>): Promise<contract.ConnectionTest> {
  const startedAt = performance.now();
  const listed = await list();
  const { status } = listed;
  const facts = { status, latency_ms: Math.round(performance.now() - startedAt), tested_at: now.toISOString() };
  if ("problem" in listed) return { ok: false, ...facts, models_count: null, message: listed.problem };
  const models_count = listed.models.length;
  return { ok: true, ...facts, models_count, message: `The upstream lists ${count(models_count, "model")}` };
}

/** Tests whether the upstream accepts the stored key, and stores the result. The sandbox needs no connection. */
export async function test(
  context: Context,
  { params }: Input<typeof contract.testProvider>,
): Promise<Result<typeof contract.testProvider>> {
  const { db, now } = context;
  const provider = await findProvider(db, context, params.slug);
  const { id, baseUrl, updatedAt } = provider;
  const data: contract.ConnectionTest =
    baseUrl === null
      ? {
          ok: true,
          status: null,
          latency_ms: 0,
          models_count: await db.endpoint.count({ where: { providerId: id } }),
          message: "Built in: no connection needed",
          tested_at: now.toISOString(),
        }
      : await measured(context, () => fetchModels(context, { ...provider, baseUrl }));
  // Not if the settings have changed meanwhile: the result isn't theirs.
  await db.provider.updateMany({ where: { id, updatedAt }, data: { lastTest: json(data) } });
  return { data };
}

/** Tests the settings of a provider that isn't added yet. */
export const testNew = inspected(
  inspectNew,
  async (
    context: Context,
    { body }: Input<typeof contract.testNewProvider>,
  ): Promise<Result<typeof contract.testNewProvider>> => {
    const { base_url, kind = "openai", settings = null } = body;
    const upstream = { kind, settings, baseUrl: trimmedUrl(base_url) };
    return { data: await measured(context, () => fetchModelsWith(context, upstream, givenCredentials(body))) };
  },
);
