// Static files of the build. Their names contain a content hash, so each is compressed once at maximum level and cached
// by browsers.
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import sirv from "sirv";

const FOLDER = "static";
const PREFIX = "/_next/static/";
/** Below this size, the headers for compression cost more than it saves. */
const FEWEST_BYTES = 512;

/** Writes a `.br` and a `.gz` file for every text file of the build. @param {string} build its folder */
export async function compressStaticFiles(build) {
  const files = readdirSync(join(build, FOLDER), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(js|css|json|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (path) => {
      const content = readFileSync(path);
      if (content.length < FEWEST_BYTES) return;
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
      await writeFile(
        `${path}.br`,
        await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
      );
    }),
  );
}

/**
 * Responds with the files of a build; returns false for other requests.
 * @param {string} build its folder @returns {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => boolean}
 */
export function staticFiles(build) {
  const serve = sirv(join(build, FOLDER), {
    brotli: true,
    gzip: true,
    immutable: true,
    maxAge: 365 * 24 * 60 * 60,
  });
  return (request, response) => {
    const { url = "", method } = request;
    if (!url.startsWith(PREFIX) || (method !== "GET" && method !== "HEAD")) return false;
    request.url = url.slice(PREFIX.length - 1);
    serve(request, response, () => {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("Not found");
    });
    return true;
  };
}
