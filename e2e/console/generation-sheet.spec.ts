import { createPerson, expect, signIn, test } from "./console-test";
import { ask, guardedKey, row, sheet } from "./generation-log";

test("a row opens a side sheet; newer and older stay within the filters; back closes it @journey", async ({
  page,
  api,
  world,
}) => {
  const key = await world.inferenceKey();
  const [oldest, , newest] = [
    await ask(api, key, { input: "one" }),
    await ask(api, key, { model: "sandbox/unavailable" }),
    await ask(api, key, { input: "three" }),
  ];
  await page.goto(`/generations?key_hash=${key.hash}&status=succeeded`);
  await row(page, newest).getByRole("link").click();
  await expect(sheet(page).getByRole("group", { name: "Completion" })).toHaveText("You said: three");
  await expect(page).toHaveURL(new RegExp(`id=${newest}`));

  const newer = sheet(page).getByRole("button", { name: "Newer generation" });
  const older = sheet(page).getByRole("button", { name: "Older generation" });
  await expect(newer).toHaveAttribute("aria-disabled", "true");
  await older.click();
  await expect(sheet(page).getByRole("group", { name: "Completion" })).toHaveText("You said: one");
  await expect(page).toHaveURL(new RegExp(`id=${oldest}`));
  await expect(older).toHaveAttribute("aria-disabled", "true");
  await expect(newer).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("k");
  await expect(sheet(page).getByRole("group", { name: "Completion" })).toHaveText("You said: three");

  await page.goBack();
  await expect(sheet(page)).toBeHidden();
  await expect(row(page, newest)).toBeVisible();
});

test("its page also shows the conversation, cost and decision record", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key, { instructions: "Be brief.", input: "How are you today?" });
  await page.goto(`/generations?key_hash=${key.hash}&id=${id}`);
  await sheet(page).getByRole("link", { name: "Open full page" }).click();
  await expect(page).toHaveURL(new RegExp(`/generations/${id}`));
  await expect(page.getByRole("heading", { level: 1, name: "sandbox/echo" })).toBeVisible();
  const content = page.getByRole("region", { name: "Content" });
  await expect(content.getByRole("group", { name: "system" })).toHaveText("Be brief.");
  await expect(content.getByRole("group", { name: "user" })).toHaveText("How are you today?");
  await expect(content.getByRole("group", { name: "Completion" })).toHaveText("You said: How are you today?");
  await expect(page.getByRole("region", { name: "Usage" })).toContainText(/Cost\s*\$0\.000012/);
  await expect(page.getByRole("region", { name: "Decision record" })).toContainText(/Upstream\s*Sandbox responded/);
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Sandbox");
});

test("an unknown generation is not found, in the sheet and on its page", async ({ page }) => {
  const id = "gen-1700000000-00000000000000000000";
  await page.goto(`/generations?id=${id}`);
  await expect(sheet(page).getByRole("alert")).toContainText("Not found");
  await page.goto(`/generations/${id}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});

test("redactions are highlighted in the request sent upstream", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filter_builtins: [{ slug: "email", action: "redact" }],
  });
  const id = await ask(api, key, { input: "[EMAIL] is what ada@example.com becomes" });
  await page.goto(`/generations/${id}`);
  const message = page.getByRole("region", { name: "Content" }).getByRole("group", { name: "user" });
  await expect(message).toContainText("[EMAIL] is what [EMAIL]");
  await expect(message.locator("mark")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Content" }).getByText("1 match")).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Decision record" }).getByRole("link", { name: `${guardrail.name}@1` }),
  ).toHaveAttribute("href", new RegExp(guardrail.id));
  expect(await message.textContent()).not.toContain("ada@example.com");
});

test("a member sees only their own generations, without admin actions", async ({ browser, api, world, serverUrl }) => {
  const person = await createPerson(api);
  const [own, other] = [
    await ask(api, await world.inferenceKey({ creator_user_id: person.id })),
    await ask(api, await world.inferenceKey()),
  ];
  const context = await browser.newContext({ storageState: await signIn(serverUrl, person), baseURL: serverUrl });
  const page = await context.newPage();
  await page.goto("/generations");
  await expect(row(page, own)).toBeVisible();
  await expect(page.getByRole("button", { name: "Guardrail", exact: true })).toHaveCount(0);
  await row(page, own).getByRole("link").click();
  await sheet(page).getByRole("button", { name: "Actions for this generation" }).click();
  await expect(page.getByRole("menuitem", { name: "Copy ID" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /Replay|Delete/ })).toHaveCount(0);
  await page.goto(`/generations/${other}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
  await context.close();
});
