import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { twMerge } from "tailwind-merge";
import { RESULTS } from "../server";
import { expect } from "./console-test";
import { excessOf, watchCost } from "./page-cost";
import { watch } from "./page-watch";

export interface ConsolePage {
  /** Base name of its screenshots. */
  name: string;
  path: string;
  /** Its only h1. */
  h1: string | RegExp;
  /** Tab title, if it differs from the h1. */
  title?: string;
  /** Text that only appears with the page's data. */
  shows: string | RegExp;
  /** One of its requests is expected to fail, which the browser logs to the console. */
  isRefusalExpected?: boolean;
}

export interface PageOptions {
  /** Takes screenshots of each page instead of checking it. */
  screenshots: boolean;
}

export const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const NARROWEST = { width: 360, height: 740 };
const WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

const THEMES = ["light", "dark"] as const;

/** Checks that apply to every page, in both themes, on a desktop and on the narrowest phone. */
export async function checkPage(page: Page, { path, h1, title, shows, isRefusalExpected }: ConsolePage): Promise<void> {
  const complaints = watch(page, { isRefusalExpected });
  const { shown, cost } = watchCost(page);
  await page.setViewportSize(DESKTOP);
  const [opened] = await Promise.all([
    page.goto(path),
    // Before the page is hydrated: requests of late components don't count towards the waterfall.
    page
      .waitForEvent("framenavigated")
      .then(() => untilShown(page, shows))
      .then(shown),
  ]);
  await untilLoaded(page);
  expect.soft(excessOf(await cost(opened)), "cost of the page").toEqual([]);
  expect.soft(await contradictions(page), "classes of one element that set the same property").toEqual([]);
  expect.soft(await page.evaluate(misaligned), "columns whose cells stand elsewhere than their header").toEqual([]);
  const heading = page.locator("h1");
  await expect.soft(heading).toHaveText([h1]);
  await expect.soft(page).toHaveTitle(`${title ?? (await heading.textContent()) ?? ""} · Signalbox`);
  await expectAccessible(page, "desktop");
  expect.soft(await page.evaluate(overflowing), "texts wider than their box on a desktop").toEqual([]);
  await page.setViewportSize(NARROWEST);
  await expectAccessible(page, "phone");
  expect.soft(await page.evaluate(overflowing), "texts wider than their box on a phone").toEqual([]);
  expect.soft(await page.evaluate(firstRecord), "where a list begins on a phone").toBeLessThan(NARROWEST.height / 2);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, "pixels to scroll sideways").toBe(0);
  expect.soft(complaints(), "errors in the console, requests elsewhere").toEqual([]);
}

const untilShown = (page: Page, shows: ConsolePage["shows"]) =>
  expect(page.locator("main").getByText(shows).filter({ visible: true }).first()).toBeVisible();

const untilLoaded = (page: Page) => expect(page.locator("main").getByText(/^Loading /)).toHaveCount(0);

/** Returns the top of the first record of a list with filters; 0 without one. */
function firstRecord(): number {
  const row = document.querySelector("[data-folds] ~ * tbody:not([aria-hidden]) > tr");
  return row ? row.getBoundingClientRect().top + window.scrollY : 0;
}

/** Returns column headers whose alignment differs from their cells. */
function misaligned(): string[] {
  const isRight = (element: Element) => getComputedStyle(element).textAlign === "right";
  return [...document.querySelectorAll("table")].flatMap((table) => {
    const heads = [...table.querySelectorAll("th")];
    const cells = [...(table.querySelector("tbody:not([aria-hidden]) tr")?.children ?? [])];
    return heads.flatMap((head, place) =>
      cells[place] && isRight(head) !== isRight(cells[place].querySelector("*") ?? cells[place])
        ? [head.textContent]
        : [],
    );
  });
}

/** Returns texts that overflow their block or table cell, unless it scrolls or truncates them on purpose. */
function overflowing(): string[] {
  const isInline = (element: Element) => /^(inline|contents)$/.test(getComputedStyle(element).display);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    let block = text.parentElement;
    while (block && isInline(block)) block = block.parentElement;
    if (!block?.checkVisibility({ visibilityProperty: true })) continue;
    // A line truncated with an ellipsis may consist of several elements.
    if ([block, block.parentElement].some((each) => each && getComputedStyle(each).overflowX !== "visible")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const inner = range.getBoundingClientRect();
    const outer = [block, block.closest("td, th")].flatMap((each) => each?.getBoundingClientRect() ?? []);
    // Hidden except from screen readers.
    if (outer.some(({ width }) => width <= 1) || inner.width === 0) continue;
    // Trailing space at the end of a line overflows.
    if (outer.some(({ left, right }) => inner.right > right + 5 || inner.left < left - 1))
      found.push(text.textContent?.trim() ?? "");
  }
  return found;
}

/** Returns conflicting classes on the same element, where the winner depends on style sheet order. */
async function contradictions(page: Page): Promise<string[]> {
  const looks = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll("[class]")].map((element) => element.getAttribute("class") ?? "")),
  ]);
  return looks.flatMap((look) => {
    const kept = new Set(twMerge(look).split(/\s+/));
    const lost = look.split(/\s+/).filter((name) => name !== "" && !kept.has(name));
    return lost.length > 0 ? [`${lost.join(" ")} in ${look}`] : [];
  });
}

/** Replaces axe's script of half a megabyte, which a document needs only once. */
const LOADED = "undefined";

/** Expects no WCAG 2.2 AA violations found by axe in either theme. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const theme of THEMES) {
    await wear(page, theme);
    const axeSource = (await page.evaluate(() => "axe" in window)) ? LOADED : undefined;
    // Legacy mode, because the default mode opens a page for cross-origin frames, which don't exist here. No rule in
    // use needs style sheets or media.
    const axe = new AxeBuilder({ page, axeSource })
      .setLegacyMode()
      .options({ resultTypes: ["violations"], preload: false });
    const { violations } = await (theme === "light" ? axe.withTags(WCAG) : axe.withRules("color-contrast")).analyze();
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
    expect.soft(found, `accessible: ${where}, ${theme}`).toEqual([]);
  }
}

/** Waits for color transitions to finish, since axe would measure intermediate colors. */
async function wear(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
  });
}

/** Saves full-page screenshots to `test-results/screenshots/`: desktop and phone, light and dark. */
export async function takeScreenshots(page: Page, { name, path, shows }: ConsolePage): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await page.goto(path);
  await untilShown(page, shows);
  await untilLoaded(page);
  await screenshotThemes(page, name, DESKTOP);
  await screenshotThemes(page, `${name}-phone`, PHONE);
}

/** Makes the window as tall as the page, so that sticky elements don't cover content. */
async function screenshotThemes(page: Page, name: string, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...size, height });
  for (const theme of THEMES) {
    await wear(page, theme);
    await page.screenshot({ path: join(RESULTS, "screenshots", `${name}-${theme}.png`) });
  }
}
