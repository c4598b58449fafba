import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { call, type CallInput } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { checkPolicy, getGenerationContent, listGenerations, listModels } from "@/lib/browser/operations";

const SHOWN_PROMPTS = 20;

export type CheckBody = CallInput<typeof checkPolicy>["body"];

export const useCheck = () => useMutation({ mutationFn: (body: CheckBody) => call(checkPolicy, { body }).then(({ data }) => data) });

export const modelListQuery = apiQuery(listModels, {});

/** The newest generations, of those whose prompt or completion contains `q`. */
export const promptListQuery = (q: string) => ({
  ...apiQuery(listGenerations, { query: { limit: SHOWN_PROMPTS, ...(q.trim() && { q: q.trim() }) } }),
  placeholderData: keepPreviousData,
});

export const useLoadPrompt = () => useMutation({ mutationFn: (id: string) => call(getGenerationContent, { query: { id } }).then(({ data }) => data.input.messages) });
