import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { AUDIT_ACTIONS, auditSentence } from "./audit-sentence";

const event = (part: Partial<AuditEvent>): AuditEvent => ({
  id: "01a1fef1-0b1d-750c-91ef-ad862fb75f01",
  actor: { type: "member", id: "user_1", name: "Grace" },
  action: "guardrail.update",
  target: { type: "guardrail", id: "g", name: "Production" },
  workspace_id: null,
  before: null,
  after: null,
  ip: null,
  request_id: "req-1",
  created_at: "2026-11-20T10:00:00.000Z",
  ...part,
});

it("describes actor, action and target", () => {
  expect(auditSentence(event({}))).toEqual({
    actor: "Grace",
    phrase: "updated guardrail",
    target: "Production",
    rest: "",
  });
  expect(auditSentence(event({ action: "session.create" }))).toEqual({
    actor: "Grace",
    phrase: "signed in",
    target: null,
    rest: "",
  });
  expect(
    auditSentence(
      event({ target: { type: "generation", id: "gen-1", name: null }, action: "generation.delete_content" }),
    ).target,
  ).toBe("gen-1");
  expect(auditSentence(event({ action: "guardrail.assign_keys" }))).toMatchObject({
    phrase: "assigned guardrail",
    target: "Production",
    rest: "to keys",
  });
  expect(auditSentence(event({ action: "thing.bend" })).phrase).toBe("did thing.bend to");
});

it("names the identity provider that failed to sign somebody in", () => {
  const target = { type: "sign_in_connection", id: "c", name: "Okta" };
  expect(auditSentence(event({ action: "session.reject", target }))).toMatchObject({
    phrase: "failed to sign in with identity provider",
    target: "Okta",
  });
});

it("covers every action that the services record", () => {
  const written = /"([a-z_]+\.[a-z_]+)"/g;
  const sources = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  const services = sources
    .map((path) => readFileSync(join("lib", path), "utf8"))
    .filter((text) => text.includes("platform/audit/"));
  const recorded = services.flatMap((text) => [...text.matchAll(written)].map(([, action = ""]) => action));
  expect(recorded.length).toBeGreaterThan(20);
  expect([...new Set(recorded)].filter((action) => !AUDIT_ACTIONS.includes(action))).toEqual([]);
});
