import { keepPreviousData } from "@tanstack/react-query";
import { call, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery } from "@/lib/browser/api-query";
import { listGenerations } from "@/lib/browser/operations/generations";
import { getGenerationContent } from "@/lib/browser/operations/content-access";
import { listModels } from "@/lib/browser/operations/models";
import { checkPolicy } from "@/lib/browser/operations/policy-check";

const SHOWN_PROMPTS = 20;

export type CheckBody = CallInput<typeof checkPolicy>["body"];

export const useCheck = () =>
  useApiMutation({ mutationFn: (body: CheckBody) => call(checkPolicy, { body }).then(({ data }) => data) });

export const modelListQuery = apiQuery(listModels, {});

/** Newest generations whose prompt or completion contains `q`. */
export const promptListQuery = (q: string) => ({
  ...apiQuery(listGenerations, { query: { limit: SHOWN_PROMPTS, ...(q.trim() && { q: q.trim() }) } }),
  placeholderData: keepPreviousData,
});

export const useLoadPrompt = () =>
  useApiMutation({
    mutationFn: (id: string) => call(getGenerationContent, { query: { id } }).then(({ data }) => data.input.messages),
  });
