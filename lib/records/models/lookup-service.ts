import "server-only";
import { notFound } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type { getModel } from "./contract";
import type * as contract from "./lookup-contract";
import { toModel, toPublicEndpoint, type ModelRow } from "./rows";
import { list } from "./service";
import { visibleModel, visibleModels } from "./visible-store";

async function visible(context: Context, slug: string): Promise<ModelRow> {
  const row = await visibleModel(context, slug);
  if (!row) throw notFound();
  return row;
}

async function found(context: Context, slug: string): Promise<Result<typeof getModel>> {
  const data = toModel(await visible(context, slug));
  const { id, object, created, owned_by } = data;
  return { id, object, created, owned_by, data };
}

export const get = (context: Context, { params }: Input<typeof getModel>) => found(context, params.slug);

export const getByParts = (context: Context, { params }: Input<typeof contract.getModelByParts>) =>
  found(context, `${params.slug}/${params.name}`);

export const getOfAuthor = (context: Context, { params }: Input<typeof contract.getModelOfAuthor>) =>
  found(context, `${params.author}/${params.slug}`);

export async function count(context: Context): Promise<Result<typeof contract.countModels>> {
  return { data: { count: (await visibleModels(context, { offset: 0, limit: 1 })).total } };
}

export const listOfUser = (
  context: Context,
  { query }: Input<typeof contract.listUserModels>,
): Promise<Result<typeof contract.listUserModels>> =>
  list(context, { params: {}, query, body: undefined }, "/v1/models/user");

export async function endpoints(
  context: Context,
  { params }: Input<typeof contract.listModelEndpoints>,
): Promise<Result<typeof contract.listModelEndpoints>> {
  const row = await visible(context, `${params.slug}/${params.name}`);
  const { id, name, created, architecture } = toModel(row);
  return {
    data: {
      id,
      name,
      created,
      description: "",
      architecture: { ...architecture, instruct_type: null, tokenizer: null },
      endpoints: row.endpoints.map((endpoint) => toPublicEndpoint(row, endpoint)),
    },
  };
}
