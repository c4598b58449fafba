import { expect, test } from "./console-test";
import { openEverything } from "./overlay-tour";
import { prepare, SCENES } from "./page-scenes";
import { expectAccessible } from "./page-checks";
import { watch } from "./page-watch";

for (const scene of SCENES)
  test(`${scene.name}: what it opens is accessible, closes, and leaves no error`, async ({ page, api, world }) => {
    test.slow();
    const { path, shows, isRefusalExpected } = await prepare(scene, api, world);
    const complaints = watch(page, { isRefusalExpected });
    await page.goto(path);
    await expect(page.locator("main").getByText(shows).filter({ visible: true }).first()).toBeVisible();
    const opened = isRefusalExpected ? [] : await openEverything(page, (name) => expectAccessible(page, name));
    expect(opened).toEqual(expect.arrayContaining([...(scene.opens ?? [])]));
    await page.getByRole("link", { name: "Signalbox", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    expect(complaints()).toEqual([]);
  });
