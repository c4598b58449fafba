import type { Page } from "@playwright/test";
import { expect, test } from "./console-test";
import { rowOfKey } from "./key-steps";
import { expectAccessible } from "./page-checks";

const notice = (page: Page) => page.getByText("Can't reach Signalbox. Retrying…");

/** Makes every request fail as during a restart of the server, with or without a proxy in front of it. */
async function stopServer(page: Page, { hasProxy }: { hasProxy: boolean }): Promise<void> {
  await page.route("**/*", (route) =>
    hasProxy
      ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" })
      : route.abort("connectionrefused"),
  );
}

for (const hasProxy of [false, true])
  test(`a page opens once the server is back${hasProxy ? " behind its proxy" : ""}`, async ({ page }) => {
    await page.goto("/presets");
    await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
    await stopServer(page, { hasProxy });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Alerts" }).click();
    await expect(notice(page)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
    await expectAccessible(page, "unreachable");
    await page.unroute("**/*");
    await expect(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();
    await expect(page).toHaveURL("/alerts");
    await expect(notice(page)).toBeHidden();
  });

test("data that failed to load is loaded once the server is back", async ({ page, world }) => {
  const { name } = await world.inferenceKey();
  await page.goto("/keys");
  await stopServer(page, { hasProxy: false });
  await page.getByRole("searchbox", { name: "Search keys" }).fill(name);
  const failure = page.getByRole("alert").filter({ hasText: "Can't reach Signalbox" });
  await expect(failure).toContainText("This page retries automatically.");
  await expect(notice(page)).toBeVisible();
  await page.unroute("**/*");
  await expect(failure).toBeHidden();
  await expect(notice(page)).toBeHidden();
  await expect(rowOfKey(page, name)).toBeVisible();
});

test("a change that gets no response blames neither the user nor the network", async ({ page, world }) => {
  const key = await world.inferenceKey();
  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Rotate…" }).click();
  await stopServer(page, { hasProxy: false });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const alert = dialog.getByRole("alert").filter({ hasText: "Can't reach Signalbox" });
  await expect(alert).toContainText("The server may be restarting, and your changes may not have been saved.");
  await expect(alert).not.toContainText("online");
  await page.unrouteAll();
});
