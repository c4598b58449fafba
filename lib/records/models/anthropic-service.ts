import "server-only";
import { invalid } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./anthropic-contract";
import type { Model } from "./contract";
import * as lookup from "./lookup-service";
import { toModel } from "./rows";
import { MAX_JUDGED, visibleModels } from "./visible-store";

function lifecycleOf({ deprecated_at, retires_at }: Model, now: Date): contract.AnthropicModel["lifecycle"] {
  if (retires_at !== null && Date.parse(retires_at) <= now.getTime()) return "retired";
  return deprecated_at === null && retires_at === null ? "active" : "deprecated";
}

const toAnthropic = (model: Model, now: Date): contract.AnthropicModel => ({
  type: "model",
  id: model.id,
  display_name: model.name,
  created_at: model.created_at,
  lifecycle: lifecycleOf(model, now),
  deprecated_at: model.deprecated_at,
  retires_at: model.retires_at,
  max_input_tokens: model.context_length,
  max_tokens: model.max_output_tokens,
  line: null,
  capabilities: null,
});

/** Returns the range of a page before or after a model; 400 if the list lacks it. */
function rangeOf(ids: readonly string[], { limit, after_id, before_id }: contract.ListQuery): [number, number] {
  const cursor = after_id ?? before_id;
  if (cursor === undefined) return [0, limit];
  const index = ids.indexOf(cursor);
  const path = [after_id === undefined ? "before_id" : "after_id"];
  if (index === -1) throw invalid([{ path, message: "must be the ID of a model in the list" }]);
  return after_id === undefined ? [Math.max(0, index - limit), index] : [index + 1, index + 1 + limit];
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listAnthropicModels>,
): Promise<Result<typeof contract.listAnthropicModels>> {
  const { rows } = await visibleModels(context, { sort: "-created_at", offset: 0, limit: MAX_JUDGED });
  const wanted = query["lifecycle[]"];
  const models = rows
    .map((row) => toAnthropic(toModel(row), context.now))
    .filter(({ lifecycle }) => wanted === undefined || [wanted].flat().includes(lifecycle));
  const [start, end] = rangeOf(
    models.map(({ id }) => id),
    query,
  );
  const data = models.slice(start, end);
  return {
    data,
    has_more: query.before_id === undefined ? end < models.length : start > 0,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

export const get = async (
  context: Context,
  { params }: Input<typeof contract.getAnthropicModel>,
): Promise<contract.AnthropicModel> =>
  toAnthropic((await lookup.get(context, { params, query: {}, body: undefined })).data, context.now);

export const getByParts = (
  context: Context,
  { params: { slug, name }, ...input }: Input<typeof contract.getAnthropicModelByParts>,
): Promise<contract.AnthropicModel> => get(context, { ...input, params: { slug: `${slug}/${name}` } });
