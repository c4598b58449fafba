import { expect, it } from "vitest";
import { AUDIT_ACTIONS } from "./audit-sentence";
import { changesOf } from "./changes";

it("leaves out sign-ins, refusals, reads, tests, exports and exchanged tokens", () => {
  const counted = changesOf(AUDIT_ACTIONS.map((action) => ({ action, count: 1 })));
  const left = new Set(counted.map(({ action }) => action));
  expect(AUDIT_ACTIONS.filter((action) => !left.has(action)).toSorted()).toEqual([
    "access.deny",
    "alert.test",
    "audit_event.export",
    "export_destination.test",
    "generation.export",
    "generation.export_content",
    "generation.read_content",
    "generation.read_previews",
    "generation.reevaluate",
    "generation.reveal_content",
    "guardrail.replay",
    "invitation.accept",
    "key.reject",
    "key.use",
    "session.break_glass",
    "session.create",
    "session.delete",
    "session.end_by_provider",
    "session.end_others",
    "session.reauthenticate",
    "session.reject",
    "session.revoke",
    "sign_in_connection.test",
    "webhook.redeliver",
    "workload_identity.exchange",
  ]);
});

it("has a label for each", () => {
  expect(changesOf([{ action: "guardrail.update", count: 3 }])).toEqual([
    { action: "guardrail.update", label: "Updated guardrail", count: 3 },
  ]);
});
