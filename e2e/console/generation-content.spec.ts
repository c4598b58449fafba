import { expect, test } from "./console-test";
import { act, ask } from "./generation-log";

test("untrusted content is inert, as text and as Markdown @journey", async ({ page, api, world }) => {
  const markup = `<img src=x onerror="document.title='taken over'"><b>bold</b> [click](javascript:document.title='taken') ![x](http://tracker.example/p.png) **strong**`;
  const id = await ask(api, await world.inferenceKey(), { input: markup });
  const outside: string[] = [];
  page.on("request", (request) => new URL(request.url()).host.includes("tracker") && outside.push(request.url()));
  await page.goto(`/generations/${id}`);
  const message = page.getByRole("group", { name: "user" });
  await expect(message).toHaveText(markup);

  await page.getByRole("radio", { name: "Markdown" }).click();
  await expect(message.getByRole("strong")).toHaveText("strong");
  await expect(message.locator("b, script, img[src^=http]")).toHaveCount(0);
  await expect(message.locator('a[href^="javascript:"]')).toHaveCount(0);
  await expect(page).not.toHaveTitle(/taken/);
  expect(outside).toEqual([]);
});

test("content is deleted after typing the confirmation; the record is kept", async ({ page, api, world }) => {
  const id = await ask(api, await world.inferenceKey(), { input: "A secret" });
  await page.goto(`/generations/${id}`);
  await expect(page.getByRole("group", { name: "user" })).toHaveText("A secret");
  await act(page, "Delete content…");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("can’t be undone");
  const confirm = dialog.getByRole("button", { name: "Delete content" });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("textbox").fill("delete");
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Content" })).toContainText("were deleted");
  await expect(page.getByText("A secret")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "sandbox/echo" })).toBeVisible();
});
