import { expect, test } from "./console-test";
import { ask, guardedKey, row, sheet, table } from "./generation-log";

const SEARCH = { name: "Search text or ID" };

test("a pasted error, or a request's ID, leads to why it was refused @journey", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, { content_filter_builtins: [{ slug: "email", action: "block" }] });
  await ask(api, key);
  const refusal = (headers: object = {}) =>
    fetch(`${api.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ model: "sandbox/echo", input: "Write to ada@example.com" }),
    });
  const answer = await refusal();
  const error = await answer.text();
  const [id, request] = ["x-generation-id", "x-request-id"].map((name) => answer.headers.get(name) ?? "");
  const shown = sheet(page);
  const search = page.getByRole("searchbox", SEARCH);
  const reason = shown.getByText("Blocked by guardrail").first();

  await page.goto("/generations");
  await search.fill(error);
  await expect(shown.getByText(String(id)).first()).toBeVisible();
  await expect(reason).toBeVisible();

  await page.goto("/generations");
  await search.fill(`Error code: 403 (request ID: ${request})`);
  await expect(shown.getByText(String(id)).first()).toBeVisible();

  const own = `checkout-${id}`;
  const other = (await refusal({ "x-request-id": own })).headers.get("x-generation-id") ?? "";
  await page.goto("/generations");
  await search.fill(`{"level":30,"request_id":"${own.replace(/^checkout-gen-/, "checkout-")}"}`);
  await expect(page.getByRole("heading", { name: /No request with this ID/ })).toBeVisible();
  await expect(page.getByText("refused with 401 or 429")).toBeVisible();
  await page.goto(`/generations?request_id=${own}`);
  await expect(row(page, other)).toBeVisible();

  // From any page.
  await page.goto("/presets");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const palette = page.getByRole("dialog", { name: "Search the console" });
  await palette.getByRole("combobox").fill(`x-request-id: ${request}`);
  await palette.getByRole("option", { name: `Open generation ${id}` }).click();
  await expect(page).toHaveURL(new RegExp(`/generations/${id}`));
  await expect(page.getByText("Blocked by guardrail").first()).toBeVisible();

  // From the key.
  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("link", { name: "View blocked" }).click();
  await expect(row(page, String(id))).toBeVisible();
  await expect(table(page).getByRole("link")).toHaveCount(2);
});
