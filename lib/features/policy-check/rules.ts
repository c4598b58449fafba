import { isJsonObject } from "../../platform/json-values";
import { draftIssues } from "../../records/guardrails/rules";
import type { Issue } from "../../platform/api-error";
import { issueMessage } from "../../platform/http/issue-message";
import { toIssues, within } from "../../platform/http/issues";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { PROTOCOLS } from "../../engine/protocols/vocabulary";
import { MAX_DRAFTS } from "./contract";

type Body = Readonly<Record<string, unknown>>;

/** Request body schema of each protocol. */
export const BODIES = {
  responses: ResponsesBody.refine(({ input }) => input !== undefined, { path: ["input"], message: "is required" }),
  chat_completions: ChatCompletionsBody,
  messages: MessagesBody,
} as const;

/** Validates the subject of a check. A key implies its workspace; a `user_id` beside a key overrides its creator. */
export const subjectIssues = ({ key_hash, workspace_id }: Body): Issue[] =>
  key_hash === undefined || workspace_id === undefined
    ? []
    : [{ path: ["workspace_id"], message: "is implied by key_hash", code: "conflicting_fields" }];

/** Validates a check's body beyond its schema: the request by its protocol, and the drafts' patterns and vendors. */
export function checkIssues(body: Body, vendors: readonly [string, string, string]): Issue[] {
  const { request, protocol, guardrails } = body;
  const schema = BODIES[PROTOCOLS.find((known) => known === protocol) ?? "responses"];
  const faults = isJsonObject(request)
    ? (schema.safeParse(request, { error: issueMessage }).error?.issues.flatMap((issue) => toIssues(issue)) ?? [])
    : [];
  const drafts = Array.isArray(guardrails) ? (guardrails as unknown[]).slice(0, MAX_DRAFTS) : [];
  return [
    ...subjectIssues(body),
    ...within(["request"], faults),
    ...drafts.flatMap((draft, index) => draftIssues(["guardrails", index], draft, vendors)),
  ];
}
