import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/browser/api-client";
import { getGeneration } from "@/lib/browser/operations/generations";
import { getGenerationContent } from "@/lib/browser/operations/content-access";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";

/** The parts of a generation a preset stores (model and system prompt), as a request body in its protocol. */
export function presetBodyOf(
  { protocol, model }: Pick<Generation, "protocol" | "model">,
  { input }: GenerationContent,
): Record<string, unknown> {
  const systemPrompt = input.messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ content }) => content)
    .join("\n\n");
  if (protocol === "responses") return { model, ...(systemPrompt !== "" && { instructions: systemPrompt }), input: "" };
  return { model, messages: systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }] };
}

/** Initial body of a new preset. */
export const presetBodyQuery = (id: string) =>
  queryOptions({
    queryKey: [getGenerationContent.id, "preset-body", id],
    queryFn: async ({ signal }) => {
      const [generation, content] = await Promise.all([
        call(getGeneration, { query: { id }, signal }),
        call(getGenerationContent, { query: { id }, signal }),
      ]);
      return JSON.stringify(presetBodyOf(generation.data, content.data), null, 2);
    },
    staleTime: Infinity,
  });
