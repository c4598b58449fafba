import type { GenerationContent } from "@/lib/generations/content-contract";
import type { Decision, Generation } from "@/lib/generations/contract";
import type { PolicyCheck } from "@/lib/policy/contract";
import { doneBy, fieldName } from "./decision-words";

type Message = GenerationContent["input"]["messages"][number];

interface ToolCall {
  id: string;
  function?: { name: string; arguments: string };
}

const callsOf = ({ tool_calls }: Message): ToolCall[] => (Array.isArray(tool_calls) ? (tool_calls as ToolCall[]) : []);

/** A stored message as items of the Responses protocol. */
function itemsOf(message: Message): object[] {
  const { role, content } = message;
  if (role === "tool") return [{ type: "function_call_output", call_id: typeof message["tool_call_id"] === "string" ? message["tool_call_id"] : "", output: content }];
  const calls = callsOf(message).map(({ id, function: called }) => ({ type: "function_call", call_id: id, name: called?.name ?? "", arguments: called?.arguments ?? "" }));
  return content === "" && calls.length > 0 ? calls : [{ role, content }, ...calls];
}

/** The stored messages as the body of a request in the generation's own protocol. */
export function rebuiltRequest({ protocol, model, requested_model, preset_id }: Generation, { input }: GenerationContent): Record<string, unknown> {
  // A preset's system prompt is in the stored messages already: naming the preset would say it twice.
  const named = preset_id === null ? requested_model : model;
  return protocol === "responses" ? { model: named, input: input.messages.flatMap(itemsOf) } : { model: named, messages: input.messages };
}

/** What a replay can't know. */
export function replayLimits({ decisions, preset_id, key_hash }: Generation): string[] {
  const redacted = [...new Set(decisions.filter(({ action }) => action === "redact").map(({ rule, field }) => rule ?? fieldName(field)))];
  return [
    ...(redacted.length > 0 ? [`What ${redacted.join(", ")} replaced is not stored: content filters see the labels, not the original text.`] : []),
    ...(preset_id === null ? [] : ["The preset is not applied again: its system prompt is part of the stored messages, its other fields are not."]),
    ...(key_hash === null ? ["The request came without a key: it is judged by the workspace's policy alone."] : []),
    "Pictures, files and parameters of the request are not stored, and budgets are judged as they stand now.",
  ];
}

export interface Judgement {
  outcome: string;
  decisions: string[];
  route: string | null;
}

const inWords = ({ action, rule, field, guardrail_name, scope }: Decision) => `${doneBy(action)} ${rule ?? fieldName(field)} by ${guardrail_name ?? scope}`;
const distinct = (decisions: readonly Decision[]) => [...new Set(decisions.map(inWords))].toSorted();

/** What was decided then. */
export function judgedThen({ status, decisions, model, provider }: Generation): Judgement {
  const actions = new Set(decisions.map(({ action }) => action));
  const allowed = actions.has("redact") ? "redacted" : actions.has("flag") ? "flagged" : "allowed";
  return { outcome: status === "blocked" ? "blocked" : allowed, decisions: distinct(decisions), route: provider === null ? null : `${model} by ${provider}` };
}

/** What would be decided now. */
export function judgedNow({ outcome, decisions, candidates }: PolicyCheck): Judgement {
  const first = candidates.find(({ included }) => included);
  const isStopped = outcome === "blocked" || outcome === "no_endpoint" || outcome === "budget_exhausted";
  return { outcome: isStopped ? "blocked" : outcome, decisions: distinct(decisions), route: isStopped || !first ? null : `${first.model} by ${first.provider}` };
}
