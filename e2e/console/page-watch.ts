import type { Page } from "@playwright/test";

/** Chromium's own line about an answer ≥ 400; whether that was expected is for the page's test to say. */
const FAILED_REQUEST = /^Failed to load resource: the server responded with a status of 40[34]/;

/** Listens from now on; what the page did that no page may do: errors in the console, requests to other origins. */
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
