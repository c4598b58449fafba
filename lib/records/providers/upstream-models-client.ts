import "server-only";
import { z } from "zod";
import type { Context } from "../../platform/context";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import { openCredentials } from "./credential-rows";
import type { ListedModel } from "./import-policy";
import { withoutSecrets } from "./policy";

const MAX_LIST_MS = 10_000;

const contextLength = z.number().int().min(1).max(1_000_000_000).nullish().catch(null);

/** A list entry of `GET /models` with a storable id; upstreams use different names for the context length. */
const Entry = z
  .object({
    id: z
      .string()
      .max(200)
      .regex(/^\P{C}+$/u),
    context_length: contextLength,
    context_window: contextLength,
    max_context_length: contextLength,
    max_model_len: contextLength,
  })
  .transform((entry): ListedModel => ({
    id: entry.id,
    contextLength:
      entry.context_length ?? entry.context_window ?? entry.max_context_length ?? entry.max_model_len ?? null,
  }));
const Entries = z
  .array(z.unknown())
  .transform((entries) => entries.flatMap((entry) => Entry.safeParse(entry).data ?? []));
const List = z.union([z.object({ data: Entries }).transform(({ data }) => data), Entries]);

const ErrorText = z
  .object({ error: z.union([z.object({ message: z.string() }).transform(({ message }) => message), z.string()]) })
  .transform(({ error }) => error);

export type ModelList = { status: number; models: ListedModel[] } | { status: number | null; problem: string };

/** Fetches an upstream's list of models within 10 seconds; errors are part of the result. */
export async function fetchModels(
  context: Context,
  provider: Parameters<typeof openCredentials>[1] & { baseUrl: string },
): Promise<ModelList> {
  const { allowPrivateUpstreams, upstreamTimeouts } = context.settings;
  const { apiKey, headers } = openCredentials(context.settings, provider);
  const clean = (text: string) =>
    withoutSecrets(text, [...(apiKey === null ? [] : [apiKey]), ...Object.values(headers)]);
  try {
    const response = await outboundFetch({
      method: "GET",
      url: `${provider.baseUrl}/models`,
      headers: {
        accept: "application/json",
        ...headers,
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
      },
      allowPrivate: allowPrivateUpstreams,
      timeouts: upstreamTimeouts,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(MAX_LIST_MS)]),
    });
    const answer = await readJson(response);
    const { status } = response;
    if (!response.ok)
      return { status, problem: clean(ErrorText.safeParse(answer).data ?? `The upstream returned ${status}`) };
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

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
