import { bulkAssignMembers } from "../../lib/records/guardrails/assignments-contract";
import { listWorkspaces } from "../../lib/records/workspaces/contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { createPerson, expect, test } from "./console-test";
import { guardedKey } from "./generation-log";

test("a prompt is checked against a key's policy and shows the deciding guardrail", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filters: [{ pattern: "PROJ-[0-9]+", label: "[PROJECT]", action: "block" }],
  });
  await page.goto(`/keys/${key.hash}`);
  const box = page.getByRole("region", { name: "Try it" });
  await box.getByRole("heading", { name: "Try it" }).click();
  const model = box.getByRole("combobox", { name: "Model" });
  await expect(model, "the first model is proposed").toHaveValue(/./);
  await model.fill("sandbox/echo");
  await box.getByRole("textbox", { name: "Prompt" }).fill("Where is PROJ-1234?");
  await box.getByRole("button", { name: "Check prompt" }).click();
  const result = box.getByRole("region", { name: "Check result" });
  await expect(result).toContainText("Blocked");
  await expect(result).toContainText(`key: ${guardrail.name}`);
});

test("a prompt is checked against a member's policy in the selected workspace", async ({ page, api }) => {
  const [person, { data: workspaces }] = [await createPerson(api), await api.call(listWorkspaces)];
  const workspace = workspaces.find(({ is_default }) => is_default);
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Member"), workspace_id: workspace?.id, ignored_models: ["sandbox/echo"] },
  });
  await api.call(bulkAssignMembers, { params: { id: guardrail.id }, body: { member_user_ids: [person.id] } });
  await page.goto(`/members/${person.id}`);
  const box = page.getByRole("region", { name: "Try it" });
  await box.getByRole("heading", { name: "Try it" }).click();
  const model = box.getByRole("combobox", { name: "Model" });
  await expect(model, "the first model is proposed").toHaveValue(/./);
  await model.fill("sandbox/echo");
  await box.getByRole("textbox", { name: "Prompt" }).fill("Hello");
  await box.getByRole("button", { name: "Check prompt" }).click();
  const result = box.getByRole("region", { name: "Check result" });
  await expect(result).toContainText("No endpoint available");
  await expect(result).toContainText("ignored_models");
});
