import type { Locator, Page } from "@playwright/test";
import { bulkAssignKeys } from "../../lib/guardrails/assignments-contract";
import { createGuardrail, getGuardrail, updateGuardrail } from "../../lib/guardrails/contract";
import { createKey } from "../../lib/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

const row = (page: Page, name: string) => page.getByRole("table", { name: "Guardrails" }).getByRole("row").filter({ hasText: name });
const box = (scope: Page | Locator, name: string) => scope.getByRole("textbox", { name, exact: true });

async function addChips(page: Page, name: string, entries: readonly string[]) {
  for (const entry of entries) {
    await box(page, name).fill(entry);
    await box(page, name).press("Enter");
  }
}

async function select(scope: Page | Locator, page: Page, name: string, option: string) {
  await scope.getByRole("combobox", { name }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

test("a guardrail with every section filled is made, found, changed and deleted", async ({ page, api }) => {
  const name = unique("Everything");
  await page.goto("/guardrails");
  await page.getByRole("link", { name: "New guardrail" }).first().click();
  await box(page, "Name").fill(name);
  await box(page, "Description").fill("For production");
  await addChips(page, "Allowed models", ["openai/gpt-4o", "anthropic/claude-sonnet-4"]);
  await addChips(page, "Ignored models", ["openai/gpt-3.5-turbo"]);
  await addChips(page, "Allowed providers", ["openai"]);
  await addChips(page, "Ignored providers", ["azure"]);
  await page.getByRole("switch", { name: "Models of Anthropic" }).click();
  await page.getByRole("switch", { name: "Models of every other vendor" }).click();
  await page.getByRole("radiogroup", { name: "Prompt injection" }).getByRole("radio", { name: "Flag" }).click();
  await select(page, page, "Scanned messages", "User messages");
  await page.getByRole("radiogroup", { name: "E-mail addresses" }).getByRole("radio", { name: "Redact" }).click();
  await page.getByRole("radiogroup", { name: "Payment card numbers" }).getByRole("radio", { name: "Block" }).click();
  await expect(page.getByRole("radiogroup", { name: "E-mail addresses" }).getByRole("radio", { name: "Flag" })).toHaveCount(0);
  await page.getByRole("button", { name: "Add a filter" }).click();
  const filter = page.getByRole("group", { name: "Custom filter 1" });
  await box(filter, "Pattern").fill("PROJ-[0-9]{4}");
  await box(filter, "Label").fill("[PROJECT]");
  await select(filter, page, "Action", "Block");
  await box(page, "Limit (USD)").fill("1,250.50");
  await select(page, page, "Starts anew", "Every month");
  await page.getByRole("switch", { name: "Include spending on your own provider keys" }).click();
  await page.getByRole("button", { name: "Create guardrail" }).click();

  await expect(page.getByText(`“${name}” created`)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  const id = idOf(page);
  const stored = async () => (await api.call(getGuardrail, { params: { id } })).data;
  expect(await stored()).toMatchObject({
    name,
    description: "For production",
    allowed_models: ["openai/gpt-4o", "anthropic/claude-sonnet-4"],
    ignored_models: ["openai/gpt-3.5-turbo"],
    allowed_providers: ["openai"],
    ignored_providers: ["azure"],
    enforce_zdr_vendor_a: true,
    enforce_zdr_vendor_b: null,
    enforce_zdr_other: true,
    content_filter_builtins: [
      { slug: "regex-prompt-injection", action: "flag", scan_scope: "user_only" },
      { slug: "email", action: "redact" },
      { slug: "credit-card", action: "block" },
    ],
    content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[PROJECT]", action: "block" }],
    limit_usd: 1250.5,
    reset_interval: "monthly",
    include_byok_in_budgets: true,
  });

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Guardrails" }).click();
  await expect(row(page, name)).toContainText("Only 2 models; never 1 model; only openai; never azure");
  await expect(row(page, name)).toContainText("$1,250.50 monthly");

  await row(page, name).getByRole("link", { name }).click();
  await expect(box(page, "Limit (USD)")).toHaveValue("1250.5");
  await page.getByRole("button", { name: "Remove openai/gpt-3.5-turbo" }).click();
  await box(page, "Description").fill("For staging");
  await page.getByRole("button", { name: "Remove filter 1" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  expect(await stored()).toMatchObject({ description: "For staging", ignored_models: null, content_filters: [], limit_usd: 1250.5 });
  await page.reload();
  await expect(box(page, "Description")).toHaveValue("For staging");

  await page.getByRole("button", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog", { name: `Delete “${name}”?` });
  await expect(question).toContainText("It is assigned to no key and no member.");
  await question.getByRole("button", { name: "Delete guardrail" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Guardrails" })).toBeVisible();
  await expect(row(page, name)).toHaveCount(0);
  await api.refuse(getGuardrail, 404, { params: { id } });
});

test("a deletion asked for in the list can be cancelled, and says whom it concerns", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Kept") } });
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  await page.goto("/guardrails");
  await page.getByRole("button", { name: `Actions for ${guardrail.name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("What it enforces on 1 key ends at once.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  await page.reload();
  await expect(row(page, guardrail.name)).toBeVisible();
});

test("a name is required, and a pattern that only the server can judge is refused on its field", async ({ page }) => {
  await page.goto("/guardrails/new");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(box(page, "Name")).toHaveAccessibleDescription(/Fill this in/);
  await expect(box(page, "Name")).toBeFocused();

  await box(page, "Name").fill(unique("Look-around"));
  await box(page, "Description").fill("Typed with care");
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.getByRole("button", { name: "Add a filter" }).click();
  const [good, bad] = [1, 2].map((position) => box(page.getByRole("group", { name: `Custom filter ${position}` }), "Pattern")) as [Locator, Locator];
  await good.fill("PROJ-[0-9]{4}");
  await bad.fill("a(?=b)");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Some fields need another look" })).toBeVisible();
  await expect(bad).toHaveAttribute("aria-invalid", "true");
  await expect(bad).toHaveAccessibleDescription(/\(\?=/);
  await expect(bad).toBeFocused();
  await expect(good).toHaveAttribute("aria-invalid", "false");
  await expect(box(page, "Description")).toHaveValue("Typed with care");

  await bad.fill("ab");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByText("Revision 1", { exact: true })).toBeVisible();
});

test("a change that somebody made in between is shown, and both sides are kept", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Shared"), description: "before" } });
  const params = { id: guardrail.id };
  await page.goto(`/guardrails/${guardrail.id}`);
  await box(page, "Description").fill("mine");
  await api.call(updateGuardrail, { params, body: { limit_usd: 7 } });
  await page.getByRole("button", { name: "Save changes" }).click();
  const conflict = page.getByRole("dialog", { name: "This guardrail changed while you were editing" });
  await expect(conflict).toContainText("Revision 2");
  await expect(conflict).toContainText("They changedBudget limit");
  await expect(conflict).toContainText("You changedDescription");
  expect((await api.call(getGuardrail, { params })).data.description, "nothing is saved unasked").toBe("before");

  await conflict.getByRole("button", { name: "Keep mine on top of theirs" }).click();
  await expect(box(page, "Description")).toHaveValue("mine");
  await expect(box(page, "Limit (USD)")).toHaveValue("7");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 3", { exact: true })).toBeVisible();
  expect((await api.call(getGuardrail, { params })).data).toMatchObject({ description: "mine", limit_usd: 7 });
});

test("when both changed the same field, it is named; theirs can be taken instead", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Shared") } });
  await page.goto(`/guardrails/${guardrail.id}`);
  await box(page, "Description").fill("mine");
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { description: "theirs" } });
  await page.getByRole("button", { name: "Save changes" }).click();
  const conflict = page.getByRole("dialog", { name: "This guardrail changed while you were editing" });
  await expect(conflict).toContainText("Description: yours would replace theirs");
  await page.keyboard.press("Escape");
  await expect(box(page, "Description"), "closing the question loses nothing").toHaveValue("mine");
  await page.getByRole("button", { name: "Save changes" }).click();
  await conflict.getByRole("button", { name: "Discard mine, load theirs" }).click();
  await expect(box(page, "Description")).toHaveValue("theirs");
});

test("leaving with unsaved changes asks first", async ({ page }) => {
  await page.goto("/guardrails/new");
  await box(page, "Name").fill("Unsaved");
  const presets = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" });
  await presets.click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(box(page, "Name")).toHaveValue("Unsaved");
  await presets.click();
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("a guardrail is made by keyboard alone", async ({ page, api }) => {
  const name = unique("Keyboard");
  const tabTo = async (target: Locator) => {
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 60; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    await expect(target, "reached by Tab").toBeFocused();
  };
  await page.goto("/guardrails");
  await tabTo(page.getByRole("link", { name: "New guardrail" }).first());
  await page.keyboard.press("Enter");
  await tabTo(box(page, "Name"));
  await page.keyboard.type(name);
  await tabTo(box(page, "Allowed models"));
  await page.keyboard.type("openai/gpt-4o");
  await page.keyboard.press("Enter");
  await tabTo(page.getByRole("switch", { name: "Models of OpenAI" }));
  await page.keyboard.press("Space");
  const emails = page.getByRole("radiogroup", { name: "E-mail addresses" });
  await tabTo(emails.getByRole("radio", { name: "Off" }));
  // Held as a finger holds it: the group chooses what an arrow reaches only while the key is down.
  await page.keyboard.down("ArrowRight");
  await expect(emails.getByRole("radio", { name: "Redact" })).toBeChecked();
  await page.keyboard.up("ArrowRight");
  await tabTo(page.getByRole("button", { name: "Add a filter" }));
  await page.keyboard.press("Enter");
  await expect(box(page, "Pattern"), "a new filter is ready to be typed").toBeFocused();
  await page.keyboard.type("[0-9]{16}");
  await tabTo(box(page, "Limit (USD)"));
  await page.keyboard.type("10");
  await tabTo(page.getByRole("combobox", { name: "Starts anew" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "Never" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo(page.getByRole("button", { name: "Create guardrail" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  const { data } = await api.call(getGuardrail, { params: { id: idOf(page) } });
  expect(data).toMatchObject({
    allowed_models: ["openai/gpt-4o"],
    enforce_zdr_vendor_b: true,
    content_filter_builtins: [{ slug: "email", action: "redact" }],
    content_filters: [{ pattern: "[0-9]{16}", action: "redact" }],
    limit_usd: 10,
    reset_interval: "daily",
  });
});
