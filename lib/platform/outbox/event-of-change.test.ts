import { expect, it } from "vitest";
import { eventOf } from "./event-of-change";

it.each([
  ["guardrail.create", {}, {}, "guardrail.created"],
  ["guardrail.restore", {}, {}, "guardrail.updated"],
  ["guardrail.unassign_members", {}, {}, "guardrail.assignments_changed"],
  ["workspace.update", { default_guardrail_id: null }, { default_guardrail_id: "g" }, "guardrail.assignments_changed"],
  ["workspace.update", { default_guardrail_id: "g", name: "A" }, { default_guardrail_id: "g", name: "B" }, null],
  ["preset.create_version", null, { designated_version: 2 }, "preset.version_created"],
  [
    "preset.update",
    { designated_version: { version: 1 } },
    { designated_version: { version: 2 } },
    "preset.designated",
  ],
  [
    "preset.update",
    { designated_version: { version: 1 }, name: "A" },
    { designated_version: { version: 1 }, name: "B" },
    "preset.updated",
  ],
  ["key.update", { disabled: false }, { disabled: true }, "key.disabled"],
  ["key.update", { disabled: true }, { disabled: false }, "key.updated"],
  ["key.update", { disabled: true, name: "A" }, { disabled: true, name: "B" }, "key.updated"],
  ["key.rotate", {}, {}, "key.rotated"],
  ["member.update", {}, {}, null],
  ["webhook.create", {}, {}, null],
])("%s from %j to %j is published as %s", (action, before, after, event) => {
  expect(eventOf({ action, before, after })).toBe(event);
});
