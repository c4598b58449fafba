import { readFile } from "node:fs/promises";
import { updateGuardrail } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import { createKey, rotateKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("an event is found, opened, and shown field by field @journey", async ({ page, api, world }) => {
  const guardrail = await world.guardrail({ limit_usd: 10 });
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { limit_usd: 25 } });
  await page.goto(`/audit?target_id=${guardrail.id}`);
  const table = page.getByRole("table", { name: "Audit log" });
  await expect(table.getByRole("row")).toHaveCount(3);
  await table.getByRole("button", { name: `updated guardrail ${guardrail.name}` }).click();
  await expect(page).toHaveURL(/[?&]event=/);
  const sheet = page.getByRole("dialog", { name: "Updated guardrail" });
  const changed = sheet.getByRole("region", { name: "Changes" });
  await expect(changed).toContainText("10");
  await expect(changed).toContainText("25");
  await expect(sheet.getByRole("link", { name: "Open guardrail" })).toHaveAttribute(
    "href",
    `/guardrails/${guardrail.id}`,
  );
  await expect(sheet.getByRole("definition").filter({ hasText: guardrail.name })).not.toContainText(guardrail.id);
  await expect(sheet.getByRole("button", { name: "Copy guardrail ID" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("dialog", { name: "Updated guardrail" }).getByText(/^req-/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page).not.toHaveURL(/target_id/);
});

test("the log is filtered by the URL and by an event's own links", async ({ page, world }) => {
  const guardrail = await world.guardrail();
  await page.goto(`/audit?action=guardrail.create&target_id=${guardrail.id}`);
  await expect(page.getByRole("table", { name: "Audit log" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: `created guardrail ${guardrail.name}` }).click();
  await page.getByRole("button", { name: "All events for this guardrail" }).click();
  await expect(page).toHaveURL(/target_type=guardrail/);
  await page.goto(`/audit?action=guardrail.delete&target_id=${guardrail.id}`);
  await expect(page.getByText("No results")).toBeVisible();
});

test("records link to their events, and events to their actor, also after a rotation of its key @journey", async ({
  page,
  api,
  world,
}) => {
  const { data: manager, key: text } = await api.call(createKey, {
    body: { name: unique("Deploy"), kind: "management" },
  });
  const as = api.as(text);
  const guardrail = await world.guardrail();
  await as.call(updateGuardrail, { params: { id: guardrail.id }, body: { limit_usd: 25 } });
  const { data: rotated } = await api.call(rotateKey, { params: { hash: manager.hash }, body: {} });
  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("link", { name: "Audit log of this guardrail" }).click();
  await expect(page).toHaveURL(new RegExp(`target_type=guardrail&target_id=${guardrail.id}`));
  const table = page.getByRole("table", { name: "Audit log" });
  await expect(table.getByRole("row")).toHaveCount(3);
  await table.getByRole("button", { name: `updated guardrail ${guardrail.name}` }).click();
  const sheet = page.getByRole("dialog", { name: "Updated guardrail" });
  await sheet.getByRole("link", { name: manager.name }).click();
  await expect(page).toHaveURL(`/keys/${rotated.hash}`);
  await page.getByRole("link", { name: "Audit log of this key" }).click();
  await expect(table.getByRole("row")).toHaveCount(3);
  await table.getByRole("button", { name: `rotated key ${manager.name}` }).click();
  await expect(page.getByRole("link", { name: "Open key" })).toHaveAttribute("href", `/keys/${rotated.hash}`);

  const member = await world.member();
  for (const [path, noun] of [
    [`/members/${member.id}`, "member"],
    ["/providers/sandbox", "provider"],
    ["/providers?tab=models&model=sandbox/echo", "model"],
    [`/settings?tab=workspaces&edit=${world.workspaceId}`, "workspace"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("link", { name: `Audit log of this ${noun}` }).click();
    await expect(page).toHaveURL(new RegExp(`/audit\\?target_type=${noun}&target_id=`));
    await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  }
});

test("the overview counts the changes of today and links to them", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await api.as(key.text).call(createResponse, { body: { model: "sandbox/echo", input: "Hello" } });
  await page.goto("/");
  const today = page.getByRole("region", { name: "Changes" }).getByRole("region", { name: "Today" });
  await expect(today.getByRole("link", { name: "Created key" })).toBeVisible();
  await today.getByRole("link", { name: "Created key" }).click();
  await expect(page).toHaveURL(/\/audit\?action=key.create&from=/);
  await expect(page.getByRole("table", { name: "Audit log" })).toContainText(`created key ${key.name}`);
});

test("matching events are exported", async ({ page, api, world }) => {
  const guardrail = await world.guardrail();
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { limit_usd: 25 } });
  await page.goto(`/audit?target_id=${guardrail.id}`);
  await expect(page.getByRole("table", { name: "Audit log" })).toContainText(guardrail.name);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text.split("\r\n").filter((line) => line.includes(guardrail.id))).toHaveLength(2);
  await expect(page.getByText("Export downloaded")).toBeVisible();
});

test("a failed export is reported", async ({ page }) => {
  await page.goto("/audit");
  await expect(page.getByRole("table", { name: "Audit log" })).toBeVisible();
  await page.route("**/v1/audit-events/export?*", (route) =>
    route.fulfill({ status: 500, json: { error: { code: 500, message: "Out of order" } } }),
  );
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: "JSON Lines" }).click();
  await expect(page.getByText("Couldn't export")).toBeVisible();
  await expect(page.getByRole("button", { name: "Export", exact: true })).toBeVisible();
});
