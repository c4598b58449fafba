import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createWorkspace } from "../../lib/records/workspaces/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, test } from "./console-test";

test("a chosen theme applies from the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  // Before the first paint there is no body yet, so this polls until it exists.
  const background = () =>
    page.evaluate(() => (document.body as HTMLElement | null) && getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Theme: System" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload({ waitUntil: "commit" });
  await expect.poll(background).toBe(dark);
  await expect(page.getByRole("button", { name: "Theme: Dark" })).toBeVisible();

  await page.emulateMedia({ media: "print" });
  await expect.poll(background).toBe(light);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

test("the sidebar stays collapsed and keeps its accessible names", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Expand sidebar" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("a page that loads slowly is announced by a bar", async ({ page }) => {
  await page.goto("/presets");
  const bar = page.getByRole("progressbar", { name: "Loading page" });
  await expect(bar).toHaveCount(0);
  let send: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(
    (url) => url.pathname === "/alerts",
    async (route) => {
      await held;
      await route.continue();
    },
  );
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Alerts" }).click();
  await expect(bar).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  send();
  await expect(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("fields are large enough that phones don't zoom into them", async ({ page }) => {
    await page.goto("/keys");
    await expect(page.getByRole("searchbox", { name: "Search keys" })).toHaveCSS("font-size", "16px");
  });
});

test("on a phone the navigation opens, navigates and closes @journey", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("dialog", { name: "Signalbox" }).getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("sidebar and top bar stay in the window when the palette opens on a scrolled page", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto("/guardrails/new");
  const hidden = { includeHidden: true };
  const frame = [page.getByRole("navigation", { name: "Main", ...hidden }), page.getByRole("banner", hidden)];
  const tops = () => Promise.all(frame.map(async (part) => (await part.boundingBox())?.y));
  const main = page.getByRole("main", hidden);
  const width = async () => (await main.boundingBox())?.width;
  const scrolled = () => page.evaluate(() => window.scrollY);
  await page.evaluate(() => window.scrollTo(0, 400));
  await expect.poll(scrolled).toBe(400);
  const [before, wide] = [await tops(), await width()];
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await tops()).toEqual(before);
  expect(await width()).toBe(wide);
  await page.mouse.wheel(0, 400);
  expect(await scrolled()).toBe(400);
});

test("the first Tab focuses the skip link", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the navigation shows the pages of each role", async ({ page, browser, api, serverUrl }) => {
  await page.goto("/presets");
  const links = (of: typeof page) => of.getByRole("navigation", { name: "Main" }).getByRole("link");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(links(page)).toHaveText([
    "Overview",
    "Generations",
    "Analytics",
    /^Alerts/,
    "Guardrails",
    "Budgets",
    "Presets",
    "Playground",
    "API keys",
    "Members",
    "Providers & models",
    "Settings",
    "Audit log",
    "API reference",
  ]);
  const context = await browser.newContext({
    baseURL: serverUrl,
    storageState: await signIn(serverUrl, await createPerson(api)),
  });
  const membersPage = await context.newPage();
  await membersPage.goto("/presets");
  await expect(links(membersPage)).toHaveText([
    "Overview",
    "Generations",
    "Analytics",
    "Presets",
    "Playground",
    "API keys",
    "API reference",
  ]);
  await expect(membersPage.getByRole("button", { name: /^Workspace/ })).toHaveCount(0);
  await context.close();
});

test("a folded group of pages stays folded, on a phone too, and shows the current page", async ({ page }) => {
  await page.goto("/audit");
  const main = page.getByRole("navigation", { name: "Main" });
  const group = (name: string) => main.getByRole("button", { name, exact: true });
  const pages = (name: string) => main.getByRole("list", { name, exact: true }).getByRole("link");
  await expect(group("More")).toHaveAttribute("aria-expanded", "false");
  await expect(pages("More")).toHaveText(["Audit log"]);
  await group("More").click();
  await expect(pages("More")).toHaveText(["Audit log", "API reference"]);
  await group("Policy").focus();
  await page.keyboard.press("Enter");
  await expect(group("Policy")).toHaveAttribute("aria-expanded", "false");
  await expect(pages("Policy")).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole("button", { name: "Open navigation" }).click();
  await expect(pages("More")).toHaveText(["Audit log", "API reference"]);
  await expect(pages("Policy")).toHaveCount(0);
  await group("Policy").click();
  await pages("Policy").filter({ hasText: "Presets" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("the selected workspace filters lists and persists across pages", async ({ page, api }) => {
  const { data: workspace } = await api.call(createWorkspace, { body: { name: unique("Research") } });
  const name = unique("Theirs");
  await api.call(createGuardrail, { body: { name, workspace_id: workspace.id } });
  await page.goto("/presets");
  await page.getByRole("button", { name: /^Workspace/ }).click();
  await page.getByRole("menuitemradio", { name: workspace.name }).click();
  await expect(page).toHaveURL(new RegExp(`workspace=${workspace.id}`));
  await expect(page.getByRole("button", { name: `Workspace: ${workspace.name}` })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Guardrails" }).click();
  await expect(page).toHaveURL(new RegExp(`/guardrails\\?workspace=${workspace.id}`));
  await expect(page.getByRole("table").getByText(name)).toBeVisible();
});

test("breadcrumbs show and link the parent pages", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Deep") } });
  await page.goto(`/guardrails/${guardrail.id}`);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await expect(crumbs.getByText(guardrail.name)).toHaveAttribute("aria-current", "page");
  await crumbs.getByRole("link", { name: "Guardrails" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Guardrails" })).toBeVisible();
});

test("a toast can be dismissed by keyboard and stays while focused", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Noticed") } });
  await page.clock.install();
  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(unique("Renamed"));
  await page.getByRole("button", { name: "Save changes" }).click();
  const notices = page.getByRole("region", { name: /^Notifications/ });
  await expect(notices.getByRole("listitem")).toContainText("saved");
  await page.keyboard.press("F8");
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press("Tab");
  await expect(notices.getByRole("button", { name: "Dismiss" })).toBeFocused();
  await page.clock.runFor(10_000);
  await expect(notices.getByRole("listitem"), "longer than its timeout").toBeVisible();
  await page.keyboard.press("Enter");
  await expect(notices.getByRole("listitem")).toHaveCount(0);
});

test("on a phone, the chosen one of many tabs is in view", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings?tab=sessions");
  const tabs = page.getByRole("tablist");
  await expect(tabs.getByRole("tab", { selected: true })).toBeInViewport({ ratio: 0.9 });
  await expect(tabs.getByRole("tab", { name: "Organization" })).not.toBeInViewport();
});
