import { listGuardrailKeyAssignments } from "../../lib/records/guardrails/assignments-contract";
import { getGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, idOf } from "./guardrail-page";
import { tabTo } from "./keyboard";

test("a guardrail is created and assigned to a key by keyboard alone", async ({ page, api }) => {
  const name = unique("Keyboard");
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await page.goto("/guardrails");
  await tabTo(page, page.getByRole("link", { name: "New guardrail" }).first());
  await page.keyboard.press("Enter");
  await tabTo(page, box(page, "Name"));
  await page.keyboard.type(name);
  await tabTo(page, page.getByRole("combobox", { name: "Allowed models" }));
  await page.keyboard.type("sandbox/echo,");
  await tabTo(page, box(page, "Limit (USD)"));
  await page.keyboard.type("10");
  await tabTo(page, page.getByRole("combobox", { name: "Resets" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "Never" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "Daily" })).toBeFocused();
  await page.keyboard.press("Enter");
  const emails = page.getByRole("radiogroup", { name: "Email addresses" });
  await tabTo(page, emails.getByRole("radio", { name: "Off" }));
  // Key held down: the group only selects an arrow's target while the key is pressed.
  await page.keyboard.down("ArrowRight");
  await expect(emails.getByRole("radio", { name: "Redact" })).toBeChecked();
  await page.keyboard.up("ArrowRight");
  await tabTo(page, page.getByRole("button", { name: "Custom patterns" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Add filter" }));
  await page.keyboard.press("Enter");
  await expect(box(page, "Pattern"), "a new filter's pattern is focused").toBeFocused();
  await page.keyboard.type("[0-9]{16}");
  await tabTo(page, page.getByRole("button", { name: "Zero data retention" }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("switch", { name: "Models from OpenAI" }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Create guardrail" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name }), "the pressed button is gone").toBeFocused();
  const params = { id: idOf(page) };
  expect((await api.call(getGuardrail, { params })).data).toMatchObject({
    allowed_models: ["sandbox/echo"],
    enforce_zdr_vendor_b: true,
    content_filter_builtins: [{ slug: "email", action: "redact" }],
    content_filters: [{ pattern: "[0-9]{16}", action: "redact" }],
    limit_usd: 10,
    reset_interval: "daily",
  });

  await tabTo(page, page.getByRole("button", { name: "Assign keys…" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Assign keys" });
  await tabTo(page, dialog.getByRole("combobox", { name: "Search keys" }));
  await page.keyboard.type(key.name);
  await expect(dialog.getByText("1 result", { exact: true }), "the list is that of the whole text").toBeVisible();
  await page.keyboard.press("Enter");
  const found = dialog.getByRole("option", { name: key.name });
  await expect(found, "the first one found").toHaveAttribute("aria-selected", "true");
  await expect(dialog.getByRole("combobox", { name: "Search keys" }), "the search keeps the focus").toBeFocused();
  const assign = dialog.getByRole("button", { name: /^Assign/ });
  await expect(assign).toBeEnabled();
  await tabTo(page, assign);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  expect((await api.call(listGuardrailKeyAssignments, { params })).data.map(({ key_hash }) => key_hash)).toEqual([
    key.hash,
  ]);
  await expect(page.getByRole("main").getByText("Unassigned, not enforced")).toHaveCount(0);
});
