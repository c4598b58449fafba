import "server-only";
import { openApiDocument } from "../../platform/http/openapi";
import { operations } from "../operations";
import packageJson from "../../../package.json";

let cached: { openapi: string } | undefined;

/** The OpenAPI document of this version; the same for everybody, so written once. */
export const document = (): Promise<{ openapi: string }> =>
  Promise.resolve((cached ??= openApiDocument(operations, packageJson.version) as { openapi: string }));
