import { expect, it } from "vitest";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { auditFile } from "./audit-file";

const event: AuditEvent = {
  id: "01a1fef1-0b1d-750c-91ef-ad862fb75f01",
  actor: { type: "member", id: "user_1", name: '=HYPERLINK("x")' },
  action: "guardrail.update",
  target: { type: "guardrail", id: "g", name: "Line\nbreak, and comma" },
  workspace_id: null,
  before: { limit_usd: 1 },
  after: null,
  ip: null,
  request_id: "req-1",
  created_at: "2026-11-20T10:00:00.000Z",
};

it("escapes formulas and line breaks in CSV", () => {
  const [head, ...rest] = auditFile([event], "csv").split("\r\n");
  expect(head).toBe(
    "created_at,actor_type,actor_id,actor_name,action,target_type,target_id,target_name,workspace_id,ip,request_id,before,after",
  );
  expect(rest).toEqual([
    `2026-11-20T10:00:00.000Z,member,user_1,"'=HYPERLINK(""x"")",guardrail.update,guardrail,g,"Line\nbreak, and comma",,,req-1,"{""limit_usd"":1}",`,
    "",
  ]);
});

it("writes JSON Lines that parse back to the same events", () => {
  const lines = auditFile([event, event], "jsonl").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([event, event]);
});
