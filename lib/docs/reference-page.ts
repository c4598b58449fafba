import "server-only";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const TYPES: Readonly<Record<string, string>> = { css: "text/css", js: "text/javascript" };

/** Files of the reference page that come with Swagger UI; nothing is loaded from another host. */
const SWAGGER_FILES = new Set(["swagger-ui.css", "swagger-ui-bundle.js"]);

const START_SCRIPT = `SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Signalbox</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<main id="reference" aria-label="API reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>`;

const SECURITY = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

const answer = (body: BodyInit, type: string, cache: string) =>
  new Response(body, { headers: { ...SECURITY, "content-type": `${type}; charset=utf-8`, "cache-control": cache } });

export const referencePage = (): Response => answer(PAGE, "text/html", "no-cache");

/** A script or style of the reference page; 404 for every other name. */
export async function referenceAsset(name: string): Promise<Response> {
  if (name === "start.js") return answer(START_SCRIPT, "text/javascript", "no-cache");
  if (!SWAGGER_FILES.has(name)) return new Response("Not found", { status: 404 });
  const file = await readFile(join(process.cwd(), "node_modules/swagger-ui-dist", name));
  return answer(new Uint8Array(file), TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain", "public, max-age=86400");
}
