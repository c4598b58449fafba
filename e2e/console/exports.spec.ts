import { createExportDestination, deleteExportDestination } from "../../lib/features/exports/contract";
import { createResponse } from "../../lib/gateway/contract";
import { startS3Server } from "../../lib/testing/s3-server";
import { startReceiver } from "../webhook-receiver";
import { unique } from "../world";
import { attention, showItem } from "./attention";
import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("a collector is added and tested, receives generations, fails, is paused, resumed and deleted", async ({
  page,
  api,
  world,
}) => {
  const receiver = await startReceiver();
  const name = unique("Collector");
  await page.goto("/settings?tab=exports");
  await page.getByRole("button", { name: "New destination" }).first().click();
  const creation = page.getByRole("dialog", { name: "New export destination" });
  await creation.getByRole("button", { name: "Create destination" }).click();
  await expect(creation.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/required/);
  await expect(creation.getByRole("textbox", { name: "URL" })).toHaveAccessibleDescription(/URL is required/);
  await expectAccessible(page, "new export destination");
  await creation.getByRole("textbox", { name: "Name" }).fill(name);
  await creation.getByRole("checkbox", { name: /^Logs/ }).click();
  await creation.getByRole("textbox", { name: "URL" }).fill("http://169.254.169.254/v1/traces");
  const addHeader = creation.getByRole("button", { name: "Add header" });
  await addHeader.press("Enter");
  await expect(creation.getByRole("textbox", { name: "Header name" })).toBeFocused();
  await creation.getByRole("button", { name: "Remove header 1" }).press("Enter");
  await expect(addHeader).toBeFocused();
  await addHeader.press("Enter");
  await creation.getByRole("textbox", { name: "Header name" }).fill("x-api-key");
  await creation.getByLabel("Header value").fill("hush");
  await creation.getByRole("button", { name: "Create destination" }).click();
  await expect(creation.getByRole("textbox", { name: "URL" })).toHaveAccessibleDescription(/link-local or metadata/);
  await creation.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await creation.getByRole("button", { name: "Create destination" }).click();
  await expect(creation.getByRole("textbox", { name: "URL" })).toHaveAccessibleDescription(/end with \/v1\/traces/);
  await creation.getByRole("textbox", { name: "URL" }).fill(new URL("/v1/traces", receiver.url).href);
  await creation.getByRole("button", { name: "Create destination" }).click();

  const sheet = page.getByRole("dialog", { name });
  await expect(sheet.getByText("Active", { exact: true })).toBeVisible();
  await sheet.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Test accepted in /)).toBeVisible();
  const runs = sheet.getByRole("table", { name: "Runs" });
  await expect(runs.getByRole("row").filter({ hasText: "Test" })).toContainText("Accepted");
  for (const [index, field] of ["resourceSpans", "resourceLogs"].entries()) {
    expect(receiver.received[index]?.headers).toMatchObject({ "x-api-key": "hush" });
    expect(JSON.parse(receiver.received[index]?.body ?? "")).toHaveProperty(field);
  }
  await expect(sheet.getByText("traces and logs")).toBeVisible();

  const { text } = await world.inferenceKey();
  const send = () => api.as(text).call(createResponse, { body: { model: "sandbox/echo", input: "x" } });
  const { id } = await send();
  await expect.poll(() => receiver.received.some(({ body }) => body.includes(id)), { timeout: 40_000 }).toBe(true);
  await expect(runs.getByRole("row").filter({ hasText: "Accepted", hasNotText: "Test" }).first()).toBeVisible();
  await expectAccessible(page, "export destination");

  receiver.answer(503);
  await send();
  const failure = sheet.getByRole("status").filter({ hasText: "The receiver returned 503" });
  await expect(failure).toContainText("Started failing", { timeout: 40_000 });
  await page.goto(`/?workspace=${world.workspaceId}`);
  const open = attention(page).getByRole("link", { name: `Open export: Export to ${name} is failing` });
  await showItem(page, open);
  await open.click();
  await expect(sheet.getByText("Failing", { exact: true })).toBeVisible();

  await sheet.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Export paused")).toBeVisible();
  await expect(sheet).toContainText("Generations aren't lost");
  await expect(sheet.getByText("Next run"), "no label without a value").toHaveCount(0);
  receiver.answer(200);
  await sheet.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Export resumed")).toBeVisible();
  await expect(sheet.getByText("Active", { exact: true })).toBeVisible();

  await sheet.getByRole("tab", { name: "Settings" }).click();
  await expect(sheet.getByText("Stored (values hidden): x-api-key")).toBeVisible();
  await sheet.getByRole("textbox", { name: "Name" }).fill(`${name} EU`);
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Export destination saved")).toBeVisible();
  const renamed = page.getByRole("dialog", { name: `${name} EU` });
  await renamed.getByRole("button", { name: "Delete destination…" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox").fill(`${name} EU`);
  await question.getByRole("button", { name: "Delete destination" }).click();
  await expect(page.getByText("Export destination deleted")).toBeVisible();
  await expect(page.getByRole("main").getByText(name)).toHaveCount(0);
  receiver.stop();
});

test("a bucket is added with its own endpoint, and keeps its secret when it is changed", async ({ page, api }) => {
  const storage = await startS3Server();
  const name = unique("Lake");
  await page.goto("/settings?tab=exports");
  await page.getByRole("button", { name: "New destination" }).first().click();
  const creation = page.getByRole("dialog", { name: "New export destination" });
  await creation.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "S3 bucket (JSON Lines)" }).click();
  await creation.getByRole("button", { name: "Create destination" }).click();
  await expect(creation.getByRole("textbox", { name: "Bucket" })).toHaveAccessibleDescription(/Bucket is required/);
  await expect(creation.getByLabel("Secret access key")).toHaveAccessibleDescription(/Secret access key is required/);
  await expectAccessible(page, "new bucket");
  await creation.getByRole("textbox", { name: "Name" }).fill(name);
  await creation.getByRole("textbox", { name: "Bucket" }).fill(storage.settings.bucket);
  await creation.getByRole("textbox", { name: "Endpoint" }).fill(storage.settings.endpoint);
  await creation.getByRole("textbox", { name: "Folder" }).fill(`${name}/`);
  await creation.getByRole("textbox", { name: "Access key ID" }).fill(storage.settings.accessKeyId);
  await creation.getByLabel("Secret access key").fill(storage.settings.secretAccessKey);
  await creation.getByRole("switch", { name: "Path-style URLs" }).click();
  await creation.getByRole("button", { name: "Create destination" }).click();

  const sheet = page.getByRole("dialog", { name });
  await sheet.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Test accepted in /)).toBeVisible();
  const files = await storage.files();
  expect(files.filter((file) => file.startsWith(`${name}/signalbox-test.jsonl.gz`))).not.toEqual([]);
  await sheet.getByRole("tab", { name: "Settings" }).click();
  await sheet.getByRole("textbox", { name: "Interval (minutes)" }).fill("5");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Export destination saved")).toBeVisible();
  await expect(sheet.getByText("Stored (hidden)")).toBeVisible();
  await sheet.getByRole("button", { name: "Send test" }).click();
  await expect(sheet.getByRole("row").filter({ hasText: "Test" })).toHaveText([/Accepted/, /Accepted/]);
  const id = new URL(page.url()).searchParams.get("export") ?? "";
  await api.call(deleteExportDestination, { params: { id } });
  await storage.close();
});

test("a failed test says why, and an unknown destination says so", async ({ page, api }) => {
  const { data } = await api.call(createExportDestination, {
    body: { name: unique("Down"), kind: "otlp", enabled: false, otlp: { url: "http://127.0.0.1:9/v1/traces" } },
  });
  await page.goto(`/settings?tab=exports&export=${data.id}`);
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("No runs yet");
  await sheet.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Test failed: /)).toBeVisible();
  await expect(sheet.getByRole("row").filter({ hasText: "Test" })).toContainText("Failed");
  await api.call(deleteExportDestination, { params: { id: data.id } });
  await page.goto("/settings?tab=exports&export=01980000-0000-7000-8000-000000000000");
  await expect(page.getByRole("dialog")).toContainText("Not found");
});
