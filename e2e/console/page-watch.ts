import type { Page } from "@playwright/test";

/** Chromium's console message for responses ≥ 400, which tests may expect. */
const FAILED_REQUEST = /^Failed to load resource: the server responded with a status of 40[134]/;

/** Collects violations from now on: console errors and requests to other origins. */
export function watch(page: Page, { isRefusalExpected = false } = {}): () => string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`uncaught ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" || (isRefusalExpected && FAILED_REQUEST.test(message.text()))) return;
    complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const own = page.url() === "about:blank" ? origin : new URL(page.url()).origin;
    if (protocol.startsWith("http") && origin !== own) complaints.push(`request to ${request.url()}`);
  });
  return () => complaints;
}
