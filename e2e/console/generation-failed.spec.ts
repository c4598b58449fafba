import { expect, test } from "./console-test";
import { ask, row, sheet } from "./generation-log";

test("a failed request shows the upstream's error", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key, { model: "sandbox/unavailable", input: "Are you there?" });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, id)).toContainText("Failed");
  await row(page, id).getByRole("link").click();
  await expect(sheet(page).getByRole("alert").filter({ hasText: "Returned with status" })).toBeVisible();
  const content = sheet(page).getByRole("region", { name: "Content" });
  await expect(content.getByRole("group", { name: "Error" })).toContainText("The model is overloaded");
  await expect(content.getByRole("group", { name: "user" })).toHaveText("Are you there?");
  await expect(
    sheet(page).getByRole("region", { name: "Timeline" }).getByRole("listitem").filter({ hasText: "503" }),
  ).toContainText("Sandbox");
  await expect(
    sheet(page).getByRole("region", { name: "Decision record" }).getByRole("listitem").filter({ hasText: "Upstream" }),
  ).toContainText("Stopped here");
});

test("a request served by a fallback model shows both attempts", async ({ page, api, world }) => {
  const id = await ask(api, await world.inferenceKey(), {
    model: "sandbox/unavailable",
    models: ["sandbox/echo"],
    input: "Anybody?",
  });
  await page.goto(`/generations/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "sandbox/echo" })).toBeVisible();
  const attempts = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  await expect(attempts.filter({ hasText: "sandbox/unavailable" })).toContainText("503");
  await expect(attempts.filter({ hasText: "sandbox/echo" })).toContainText("200");
  await expect(page.getByRole("group", { name: "Completion" })).toHaveText("You said: Anybody?");
});
