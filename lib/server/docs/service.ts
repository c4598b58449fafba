import "server-only";
import { openApiDocument } from "../../platform/http/openapi";
import { operations } from "../operations";
import { TAGS } from "./tags";
import { processPaths } from "./process-paths";
import packageJson from "../../../package.json";

let cached: { openapi: string } | undefined;

/** Returns the OpenAPI document. It is generated once, because all callers get the same. */
export const document = (): Promise<{ openapi: string }> =>
  Promise.resolve(
    (cached ??= openApiDocument(operations, packageJson.version, { paths: processPaths("Operations"), tags: TAGS }) as {
      openapi: string;
    }),
  );
