import { z } from "zod";
import { operation } from "../../platform/http/operation";

export const getOpenApiDocument = operation({
  id: "getOpenApiDocument",
  method: "GET",
  path: "/openapi.json",
  tag: "Documentation",
  summary: "The OpenAPI document",
  access: "public",
  status: 200,
  result: z.looseObject({ openapi: z.string() }),
});
