import { createGuardrail, getGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("after a session expires during an edit, signing in again in place keeps the input @journey", async ({
  browser,
  api,
  serverUrl,
}) => {
  const person = await createPerson(api, "org:admin");
  const context = await browser.newContext({
    baseURL: serverUrl,
    storageState: await signIn(serverUrl, person),
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Before") } });
  await page.goto(`/guardrails/${guardrail.id}`);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await expect(name).toHaveValue(guardrail.name);
  const typed = unique("After");
  await name.fill(typed);
  await context.clearCookies();
  await page.getByRole("button", { name: "Save changes" }).click();

  const dialog = page.getByRole("dialog", { name: "Session expired" });
  await expect(dialog.getByRole("textbox", { name: "Email" })).toHaveValue(person.email);
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await expectAccessible(page, "session ended");
  await page.keyboard.press("Escape");
  await expect(dialog, "the dialog can't be dismissed").toBeVisible();

  await dialog.getByLabel("Password").fill("wrong password");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Incorrect");
  await dialog.getByLabel("Password").fill(person.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();

  await expect(name).toHaveValue(typed);
  await expect.poll(async () => (await api.call(getGuardrail, { params: { id: guardrail.id } })).data.name).toBe(typed);
  await context.close();
});

test("signing in as someone else shows nothing of the previous page", async ({ browser, api, serverUrl }) => {
  const [first, second] = [await createPerson(api, "org:admin"), await createPerson(api)];
  const context = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, first) });
  const page = await context.newPage();
  await page.goto("/guardrails");
  await expect(page.getByRole("heading", { level: 1, name: "Guardrails" })).toBeVisible();
  await page.getByRole("button", { name: /^Account/ }).click();
  await expect(page.getByText(first.email).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await context.clearCookies();
  await page.getByRole("searchbox").first().fill(unique("anything"));
  const dialog = page.getByRole("dialog", { name: "Session expired" });
  await dialog.getByRole("textbox", { name: "Email" }).fill(second.email);
  await dialog.getByLabel("Password").fill(second.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${serverUrl}/`);
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Guardrails" })).toHaveCount(0);
  await context.close();
});
