import { draftIssues } from "../../records/guardrails/policy";
import type { Issue } from "../../platform/api-error";
import { toIssues, within } from "../../platform/http/issues";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { MAX_DRAFTS } from "./contract";

type Body = Readonly<Record<string, unknown>>;

/** What each protocol's operation accepts. */
export const BODIES = {
  responses: ResponsesBody.refine(({ input }) => input !== undefined, { path: ["input"], message: "is required" }),
  chat_completions: ChatCompletionsBody,
} as const;

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A key is of one workspace: naming another beside it would say it twice. A member beside it stands in for its creator. */
export const subjectIssues = ({ key_hash, workspace_id }: Body): Issue[] =>
  key_hash === undefined || workspace_id === undefined
    ? []
    : [{ path: ["workspace_id"], message: "is given by key_hash", code: "conflicting_fields" }];

/** What the body of a check can be wrong in beyond its schema: the request by its protocol, patterns and vendors of drafts. */
export function checkIssues(body: Body, vendors: readonly [string, string, string]): Issue[] {
  const { request, protocol, guardrails } = body;
  const schema = BODIES[protocol === "chat_completions" ? protocol : "responses"];
  const faults = isObject(request)
    ? (schema.safeParse(request).error?.issues.flatMap((issue) => toIssues(issue)) ?? [])
    : [];
  const drafts = Array.isArray(guardrails) ? (guardrails as unknown[]).slice(0, MAX_DRAFTS) : [];
  return [
    ...subjectIssues(body),
    ...within(["request"], faults),
    ...drafts.flatMap((draft, index) => draftIssues(["guardrails", index], draft, vendors)),
  ];
}
