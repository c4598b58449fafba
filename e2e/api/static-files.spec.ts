import { request as ask } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "../fixtures";

/** Returns raw bytes for a raw path, since `fetch` would decompress and normalize. */
async function get(origin: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(origin);
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const request = ask({ hostname, port, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () =>
            resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
          );
      });
      request.on("error", reject).end();
    },
  );
}

test("scripts are compressed, cached for a year, and identical in every encoding", async ({ serverUrl }) => {
  const html = await (await fetch(`${serverUrl}/sign-in`)).text();
  const path = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
  const [plain, gzip, brotli] = await Promise.all(
    ["identity", "gzip", "gzip, br"].map((encoding) => get(serverUrl, path, { "accept-encoding": encoding })),
  );
  expect([plain?.status, gzip?.headers["content-encoding"], brotli?.headers["content-encoding"]]).toEqual([
    200,
    "gzip",
    "br",
  ]);
  expect(plain?.headers).toMatchObject({
    "cache-control": "public,max-age=31536000,immutable",
    vary: "Accept-Encoding",
    "content-type": "text/javascript",
    "x-content-type-options": "nosniff",
  });
  expect(gunzipSync(gzip?.body ?? "").equals(plain?.body ?? Buffer.alloc(0))).toBe(true);
  expect(brotliDecompressSync(brotli?.body ?? "").equals(plain?.body ?? Buffer.alloc(0))).toBe(true);
});

for (const [path, status] of [
  ["/_next/static/nothing.js", 404],
  ["/_next/static/", 404],
  ["/_next/static/../server/app-paths-manifest.json", 400],
  ["/_next/static/%2e%2e/%2e%2e/package.json", 400],
  ["/_next/static/chunks/..%2f..%2f..%2fpackage.json", 404],
  ["/_next/static/%00", 404],
  ["/_next/static/%", 400],
] as const) {
  test(`${status} for ${path}`, async ({ serverUrl }) => {
    expect((await get(serverUrl, path)).status).toBe(status);
  });
}

test("the icon that browsers ask for on their own is there", async ({ serverUrl }) => {
  const { status, headers, body } = await get(serverUrl, "/favicon.ico");
  expect([status, headers["content-type"]]).toEqual([200, "image/x-icon"]);
  expect(body.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
});
