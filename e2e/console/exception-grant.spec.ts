import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createException, listExceptions } from "../../lib/records/exceptions/contract";
import { getGeneration } from "../../lib/records/generations/contract";
import { unique } from "../world";
import { createPerson, expect, SIGNED_OUT, signIn, test } from "./console-test";
import { ask, guardedKey } from "./generation-log";

const BLOCK = { content_filter_builtins: [{ slug: "email", action: "block" }] } as const;
const EMAIL = { input: "Write to ada@example.com" };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test("an exception is granted from a blocked generation, counts down, and is ended @journey", async ({
  page,
  api,
  world,
}) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filter_builtins: [...BLOCK.content_filter_builtins],
  });
  await page.goto(`/generations/${await ask(api, key, EMAIL)}`);
  await page.getByRole("button", { name: "Grant exception to key…" }).click();
  const dialog = page.getByRole("dialog", { name: `Grant “${key.name}” an exception` });
  await expect(dialog.getByRole("combobox", { name: "Rule" })).toHaveText(`${guardrail.name}: block Email addresses`);
  await dialog.getByRole("button", { name: "Grant exception" }).click();
  await expect(dialog.getByText("Reason is required")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Incident 4711");
  await dialog.getByRole("button", { name: "Grant exception" }).click();
  await expect(page.getByText("Exception granted", { exact: true })).toBeVisible();

  const through = await ask(api, key, EMAIL);
  await page.goto(`/generations/${through}`);
  await expect(page.getByRole("region", { name: "Decision record" })).toContainText(
    /Would have been blocked\. Allowed by an exception until .* \(Incident 4711\)/,
  );

  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("button", { name: "1 active exception" }).click();
  const active = page.getByRole("dialog", { name: "Active exceptions" });
  await expect(active).toContainText("Incident 4711");
  await active.getByRole("link", { name: key.name }).click();
  await expect(page).toHaveURL(`/keys/${key.hash}`);

  const section = page.getByRole("region", { name: "Exceptions" });
  const item = section
    .getByRole("listitem")
    .filter({ hasText: `“${guardrail.name}”: content filter “Email addresses” lifted` });
  await expect(item).toContainText("Incident 4711");
  const timer = item.getByRole("timer");
  await expect(timer).toHaveText(/^(23:5\d:\d\d|1 d 00 h)$/);
  const before = await timer.boundingBox();
  const shown = await timer.textContent();
  await expect(timer).not.toHaveText(shown ?? "");
  expect(await timer.boundingBox()).toEqual(before);

  await item.getByRole("button", { name: /^End now/ }).click();
  await page
    .getByRole("alertdialog", { name: "End this exception now?" })
    .getByRole("button", { name: "End exception" })
    .click();
  await expect(section).toContainText("No active exceptions");
  await section.getByText("1 past exception").click();
  await expect(section.getByText("Ended early", { exact: true })).toBeVisible();
  const stopped = await ask(api, key, EMAIL);
  expect((await api.call(getGeneration, { query: { id: stopped } })).data.status).toBe("blocked");
});

test("a phrase is allowed for a member; missing fields are reported", async ({ page, api, world }) => {
  const member = await world.member({ first_name: "Grace", last_name: "Hopper" });
  await page.goto(`/members/${member.id}`);
  await page.getByRole("button", { name: "Grant exception…" }).click();
  const dialog = page.getByRole("dialog", { name: "Grant “Grace Hopper” an exception" });
  await dialog.getByRole("radio", { name: "Allow a phrase" }).check();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The public address");
  await dialog.getByRole("button", { name: "Grant exception" }).click();
  await expect(dialog.getByText("Exact text is required")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Exact text" }).fill("support@example.com");
  await dialog.getByRole("button", { name: "Grant exception" }).click();
  await expect(page.getByRole("region", { name: "Exceptions" }).getByRole("listitem")).toContainText(
    "Phrase “support@example.com” allowed by content filters",
  );
  expect((await api.call(listExceptions, { query: { user_id: member.id } })).data).toMatchObject([
    { kind: "allow_phrase", phrase: "support@example.com", reason: "The public address", status: "active" },
  ]);
});

test("its end is announced and shown without a reload", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, { content_filter_builtins: [...BLOCK.content_filter_builtins] });
  await page.goto(`/keys/${key.hash}`);
  const section = page.getByRole("region", { name: "Exceptions" });
  const body = { kind: "allow_phrase" as const, key_hash: key.hash, phrase: "x", reason: "Short" };
  // On a slow machine, an exception may end before the page shows it.
  await expect(async () => {
    const expires_at = new Date(Date.now() + 6_000).toISOString();
    await api.call(createException, { body: { ...body, expires_at } });
    await page.reload();
    await expect(section.getByRole("timer").first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(section).toContainText("No active exceptions");
  await expect(page.getByText("Exception ended: Phrase “x” allowed by content filters.")).toBeAttached();
});

test.describe("a member", () => {
  test.use({ storageState: SIGNED_OUT });
  test("sees the exceptions of their key but can't grant any", async ({ browser, api, serverUrl, world }) => {
    const person = await createPerson(api);
    const key = await world.inferenceKey({ creator_user_id: person.id });
    await api.call(createException, {
      body: { kind: "allow_phrase", key_hash: key.hash, phrase: "theirs", reason: "Given", expires_at: inAnHour() },
    });
    const context = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, person) });
    const page = await context.newPage();
    await page.goto(`/keys/${key.hash}`);
    const section = page.getByRole("region", { name: "Exceptions" });
    await expect(section.getByRole("listitem")).toContainText("Phrase “theirs” allowed by content filters");
    await expect(section.getByRole("button")).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Key", exact: true })).not.toContainText("Workspace");
    await context.close();
  });

  test("sees why a request was blocked, and gets the link with which to ask for an exception", async ({
    browser,
    api,
    serverUrl,
    world,
  }) => {
    const person = await createPerson(api);
    const name = `${unique("فريق")} ٢`;
    const [key, guardrail] = await Promise.all([
      world.inferenceKey({ creator_user_id: person.id }),
      world.guardrail({ name, limit_usd: 0.000001 }),
    ]);
    await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
    await ask(api, key);
    const blocked = await ask(api, key);
    const context = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, person) });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    await page.goto(`/generations/${blocked}`);
    await expect(page.getByText(`Blocked by the spending limit of guardrail “${name}” (key).`)).toBeVisible();
    await expect(page.getByRole("button", { name: /exception/ })).toHaveCount(0);
    await page.getByRole("button", { name: "Copy link", exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${serverUrl}/generations/${blocked}`);
    const stages = page.getByRole("region", { name: "Decision record" }).getByRole("listitem");
    await expect(stages.filter({ hasText: "Candidates" })).toContainText("Endpoint available");
    await expect(stages.filter({ hasText: "Budgets" }).first()).toContainText("Stopped here");
    await expect(stages.locator("bdi")).toHaveText(name);
    await context.close();
  });
});

test("an open guardrail page notices that an exception has ended", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filter_builtins: [...BLOCK.content_filter_builtins],
  });
  await page.goto(`/guardrails/${guardrail.id}`);
  const active = page.getByRole("button", { name: /^\d active exceptions?$/ });
  const body = { kind: "lift_rule" as const, key_hash: key.hash, guardrail_id: guardrail.id, reason: "Short" };
  // On a slow machine, an exception may end before the page shows it.
  await expect(async () => {
    const expires_at = new Date(Date.now() + 6_000).toISOString();
    await api.call(createException, {
      body: { ...body, field: "content_filter_builtins", rule: "email", expires_at },
    });
    await page.reload();
    await expect(active).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(active).toBeHidden();
});
