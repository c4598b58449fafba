import { unique } from "../world";
import { createPerson, expect, signIn, test } from "./console-test";

test("filters are saved as a view, applied, shared and deleted", async ({ page, api, serverUrl, browser }) => {
  const name = unique("Blocked");
  await page.goto("/generations?status=blocked&rule=email");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Save this view…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name" }), "a view has a name").toHaveAccessibleDescription(/./);
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("switch", { name: /Share/ }).click();
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog).toBeHidden();

  await page.goto("/generations?model=sandbox/echo");
  await page.getByRole("button", { name: "Views" }).click();
  const view = page.getByRole("list", { name: "Saved views" }).getByRole("button", { name }).first();
  await expect(view).toHaveAttribute("aria-current", "false");
  await view.click();
  await expect(page).toHaveURL(/status=blocked/);
  await expect(page).toHaveURL(/rule=email/);
  await expect(page).not.toHaveURL(/model=/);

  const storageState = await signIn(serverUrl, await createPerson(api));
  const context = await browser.newContext({ storageState, baseURL: serverUrl });
  const theirs = await context.newPage();
  await theirs.goto("/generations");
  await theirs.getByRole("button", { name: "Views" }).click();
  await expect(theirs.getByRole("list", { name: "Saved views" }).getByRole("button", { name })).toHaveCount(1);
  await expect(theirs.getByRole("button", { name: `Delete view ${name}` })).toHaveCount(0);
  await context.close();

  await page.getByRole("button", { name: "Views" }).click();
  await expect(view, "the applied view is marked").toHaveAttribute("aria-current", "true");
  await page.getByRole("button", { name: `Delete view ${name}` }).click();
  await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`View “${name}” restored`)).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Views" }).click();
  await expect(page.getByRole("list", { name: "Saved views" }).getByRole("button", { name }).first()).toBeVisible();
});

test("a view is renamed, and gets the filters that are set now", async ({ page }) => {
  const [name, renamed] = [unique("Blocked"), unique("Failed")];
  await page.goto("/generations?status=blocked");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Save this view…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByText(`View “${name}” saved`)).toBeVisible();

  await page.goto("/generations?status=failed");
  const dialog = page.getByRole("dialog", { name: "Edit view" });
  const edit = async (view: string) => {
    await page.getByRole("button", { name: "Views" }).press("Enter");
    await page.getByRole("button", { name: `Edit view ${view}` }).press("Enter");
    await expect(dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  };
  await edit(name);
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  await dialog.getByRole("textbox", { name: "Name" }).fill(renamed);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(`View “${renamed}” saved`)).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  const views = page.getByRole("list", { name: "Saved views" });
  await expect(views.getByRole("button", { name })).toHaveCount(0);
  await expect(views.getByRole("button", { name: renamed, exact: true })).toHaveAttribute("aria-current", "false");
  await page.keyboard.press("Escape");

  await edit(renamed);
  await dialog.getByRole("switch", { name: "Replace its filters" }).click();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Views" })).toBeFocused();
  await page.getByRole("button", { name: "Views" }).click();
  await expect(views.getByRole("button", { name: renamed, exact: true })).toHaveAttribute("aria-current", "true");
});

test("a taken name is reported and input is kept", async ({ page }) => {
  const name = unique("Twice");
  await page.goto("/generations?status=failed");
  const save = async () => {
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Save this view…" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Save view" }).click();
  };
  await save();
  await expect(page.getByRole("dialog", { name: "Save this view" })).toBeHidden();
  await save();
  await expect(page.getByText(`You already have a view named ${name}`)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue(name);
});
