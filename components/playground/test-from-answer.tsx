"use client";
import { useQuery } from "@tanstack/react-query";
import { NewTestDialog } from "@/components/policy-tests/new-test-dialog";
import { guardrailsOf } from "@/components/policy-tests/test-from-generation";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import type { Generation } from "@/lib/records/generations/contract";
import { testOf } from "./answer-test";
import type { Turn } from "./conversation";

interface TestFromAnswerProps {
  generation: Generation;
  turns: readonly Turn[];
  systemPrompt: string;
  onClose: () => void;
}

/** Turns a playground request into a policy test that expects the same outcome. */
export function TestFromAnswer({ generation, turns, systemPrompt, onClose }: TestFromAnswerProps) {
  const guardrails = useQuery({
    queryKey: [getEffectivePolicy.id, "test", generation.id],
    queryFn: ({ signal }) => guardrailsOf(generation, signal),
  });
  return (
    <NewTestDialog
      start={testOf(generation, systemPrompt, turns)}
      guardrails={guardrails.data}
      error={guardrails.error}
      onClose={onClose}
    />
  );
}
