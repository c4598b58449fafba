"use client";
import { useQuery } from "@tanstack/react-query";
import { rebuiltRequest } from "@/components/generations/rebuilt-request";
import { testProtocol } from "@/components/policy/test-request";
import { call } from "@/lib/browser/api-client";
import { getGenerationContent } from "@/lib/browser/operations/content-access";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { NewTestDialog } from "./new-test-dialog";
import { decidingFirst, distinctGuardrails, type NamedGuardrail, type TestStart } from "./test-values";

interface TestFromGenerationProps {
  generation: Generation;
  /** Revealed content, used instead of the masked one. */
  content?: GenerationContent | null;
  onClose: () => void;
}

/** Guardrails that made a decision, the deciding one first, followed by the others that apply to the key. */
export async function guardrailsOf(
  { decisions, key_hash }: Pick<Generation, "decisions" | "key_hash">,
  signal: AbortSignal,
): Promise<NamedGuardrail[]> {
  const layers =
    key_hash === null
      ? []
      : await call(getEffectivePolicy, { query: { key_hash }, signal }).then(
          ({ data }) => data.layers,
          () => [],
        );
  return distinctGuardrails([...decidingFirst(decisions), ...layers]);
}

const readingQuery = (generation: Generation, revealed: GenerationContent | null) => ({
  queryKey: [getGenerationContent.id, "test", generation.id, revealed !== null],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const masked =
      revealed === null && generation.content_stored
        ? call(getGenerationContent, { query: { id: generation.id }, signal }).then(({ data }) => data)
        : null;
    const content = revealed ?? (await masked);
    return { content, guardrails: await guardrailsOf(generation, signal) };
  },
  staleTime: 0,
  gcTime: 0,
});

const hidesText = ({ decisions }: Generation) => decisions.some(({ action }) => action === "redact");

function startOf(generation: Generation, request: Record<string, unknown> | null): TestStart {
  const { protocol, requested_model } = generation;
  const isPrompt = request && Array.isArray(request["input"]) && request["input"].length === 1;
  const [only] = isPrompt ? (request["input"] as { role?: string; content?: unknown }[]) : [];
  const plain =
    only?.role === "user" && typeof only.content === "string"
      ? { model: request?.["model"], input: only.content }
      : request;
  return {
    name: "",
    protocol: request ? testProtocol(protocol) : "responses",
    request: plain ?? { model: requested_model, input: "" },
    answer: null,
    expected: { outcome: "allowed", field: null, rule: null },
  };
}

/** Turns a logged request into a test that expects it to be allowed, to prevent repeated false positives. */
export function TestFromGeneration({ generation, content: revealed = null, onClose }: TestFromGenerationProps) {
  const reading = useQuery(readingQuery(generation, revealed));
  const content = reading.data?.content ?? null;
  return (
    <NewTestDialog
      start={startOf(generation, content && rebuiltRequest(generation, content))}
      guardrails={reading.data?.guardrails}
      error={reading.error}
      note={noteOf(generation, content)}
      onClose={onClose}
    />
  );
}

function noteOf(generation: Generation, content: GenerationContent | null): string | undefined {
  if (content === null) return "This request's prompt isn't stored. Paste it below.";
  return content.masked || hidesText(generation)
    ? "Parts of the prompt are redacted or masked. Replace the labels with the original text, or reveal the content first."
    : undefined;
}
