import { expect, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

test("the console's font comes from the server itself, preloaded, with a fallback of the same size", async ({
  page,
}) => {
  const fonts: string[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "font")
      fonts.push(`${response.status()} ${new URL(response.url()).host}`);
  });
  const response = await page.goto("/sign-in");
  expect(await response?.headerValue("link")).toMatch(/\.woff2>; rel=preload; as="font"/);
  await page.evaluate(() => document.fonts.ready);
  expect(fonts).toEqual([`200 ${new URL(page.url()).host}`]);
  const faces = await page.evaluate(() => ({
    used: getComputedStyle(document.body).fontFamily,
    loaded: [...document.fonts].filter(({ status }) => status === "loaded").map(({ weight }) => weight),
    adjusted: [...document.styleSheets]
      .flatMap(({ cssRules }) => [...cssRules])
      .some((rule) => rule instanceof CSSFontFaceRule && rule.style.getPropertyValue("size-adjust") !== ""),
  }));
  expect(faces).toMatchObject({ used: expect.stringContaining("latin"), loaded: ["100 900"], adjusted: true });
});
