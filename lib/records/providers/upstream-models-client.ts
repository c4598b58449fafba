import "server-only";
import { z } from "zod";
import { jsonIn } from "../../platform/json-values";
import type { Context } from "../../platform/context";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import { standardSignal } from "../../platform/signal";
import { decimalText } from "../catalogue/catalogue";
import { Price } from "../../engine/price-contract";
import { openCredentials } from "./credential-rows";
import type { ListedModel } from "./import-plan";
import type { ProviderSettings } from "./kinds-contract";
import type { Credentials, Site, Unsigned } from "./kinds/kind";
import { KINDS } from "./kinds/kinds";
import { withoutSecrets } from "./rules";
import type { ProviderKind } from "./vocabulary";

const MAX_LIST_MS = 10_000;

const modelName = z
  .string()
  .max(200)
  .regex(/^\P{C}+$/u);
const contextLength = z.number().int().min(1).max(1_000_000_000).nullish().catch(null);

/**
 * Parses USD per token or request, as aggregators list them, to USD per million tokens. Negative prices are unknown.
 */
const perMillion = (factor: number) =>
  z.coerce
    .number()
    .min(0)
    .transform((price) => decimalText(price * factor))
    .pipe(Price);
const Pricing = z
  .object({ prompt: perMillion(1e6), completion: perMillion(1e6), request: perMillion(1).default("0") })
  .nullish()
  .catch(null)
  .transform((pricing) => pricing ?? null);

/** A list entry with a storable name; field names vary by upstream. */
const Entry = z
  .object({
    id: modelName.optional(),
    modelId: modelName.optional(),
    name: modelName.optional().catch(undefined),
    inputTokenLimit: contextLength,
    context_length: contextLength,
    context_window: contextLength,
    max_context_length: contextLength,
    max_model_len: contextLength,
    pricing: Pricing,
  })
  .transform(({ id, modelId, name, ...entry }, refinement): ListedModel => {
    const named = id ?? modelId ?? name;
    if (named === undefined) refinement.addIssue("has no name");
    const contextLength =
      entry.context_length ??
      entry.context_window ??
      entry.max_context_length ??
      entry.max_model_len ??
      entry.inputTokenLimit ??
      null;
    return { id: named ?? "", contextLength, price: entry.pricing };
  });
const Entries = z
  .array(z.unknown())
  .transform((entries) => entries.flatMap((entry) => Entry.safeParse(entry).data ?? []));
/** Lists of OpenAI-compatible APIs, Gemini and Bedrock. */
const List = z.union([
  z.object({ data: Entries }).transform(({ data }) => data),
  z.object({ models: Entries }).transform(({ models }) => models),
  z.object({ modelSummaries: Entries }).transform(({ modelSummaries }) => modelSummaries),
  Entries,
]);

const ErrorText = z
  .object({ error: z.union([z.object({ message: z.string() }).transform(({ message }) => message), z.string()]) })
  .transform(({ error }) => error);

export type ModelList = { status: number; models: ListedModel[] } | { status: number | null; problem: string };

interface Upstream {
  kind: ProviderKind;
  settings: unknown;
  baseUrl: string;
}
/** A stored provider that lists its models. */
type StoredProvider = Parameters<typeof openCredentials>[1] & Upstream;

/** Fetches a stored provider's list of models. */
export const fetchModels = (context: Context, provider: StoredProvider): Promise<ModelList> =>
  fetchModelsWith(context, provider, openCredentials(context.settings, provider));

/** Fetches an upstream's list of models within 10 seconds; errors are part of the result. */
export async function fetchModelsWith(
  context: Context,
  provider: Upstream,
  credentials: Credentials,
): Promise<ModelList> {
  const { allowPrivateUpstreams: allowPrivate, upstreamTimeouts: timeouts } = context.settings;
  const site: Site = { baseUrl: provider.baseUrl, settings: (provider.settings as ProviderSettings | null) ?? {} };
  const kind = KINDS[provider.kind];
  const url = kind.modelsUrlOf(site);
  if (url === null) return { status: null, problem: `Providers of kind ${provider.kind} list no models` };
  const { apiKey, named, headers } = credentials;
  const clean = (text: string) =>
    withoutSecrets(text, [...(apiKey === null ? [] : [apiKey]), ...Object.values(named), ...Object.values(headers)]);
  const signal = AbortSignal.any([standardSignal(context.signal), AbortSignal.timeout(MAX_LIST_MS)]);
  const send = (request: Unsigned) => outboundFetch({ ...request, peer: "upstream", allowPrivate, timeouts, signal });
  try {
    const request: Unsigned = { method: "GET", url, headers: { accept: "application/json", ...headers } };
    const authentication = await kind.authenticate(credentials, request, { site, now: context.now, send });
    const response = await send({ ...request, headers: { ...request.headers, ...authentication } });
    const answer = jsonIn(await response.text());
    const { status } = response;
    if (!response.ok)
      return { status, problem: clean(ErrorText.safeParse(answer).data ?? `The upstream returned status ${status}`) };
    const list = List.safeParse(answer);
    return list.success
      ? { status, models: list.data }
      : { status, problem: "The upstream did not return a list of models" };
  } catch (error) {
    if (error instanceof OutboundFailure) return { status: error.status, problem: clean(error.message) };
    if (error instanceof Error && error.name === "TimeoutError")
      return { status: null, problem: `The upstream took longer than ${MAX_LIST_MS / 1000} seconds` };
    throw error;
  }
}
