import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openApiDocument } from "../platform/http/openapi";
import { operations } from "./operations";

const folder = fileURLToPath(new URL("../../app/v1", import.meta.url));

/** Lists `GET /guardrails/{id}` etc. for every method exported by a route file. */
const routes = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("route.ts"))
  .flatMap((file) => {
    const path = `/${relative(".", dirname(file))}`.replaceAll("[", "{").replaceAll("]", "}");
    const source = readFileSync(`${folder}/${file}`, "utf8");
    return [...source.matchAll(/export const (GET|POST|PATCH|PUT|DELETE) =/g)].map(([, method]) => `${method} ${path}`);
  });

const declared = operations.map(({ method, path }) => `${method} ${path}`);

describe("the API as one list", () => {
  it("has a route file for every operation and an operation for every route", () => {
    expect(routes.sort()).toEqual([...declared].sort());
  });

  it("has unique operation names", () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("describes every path parameter", () => {
    for (const { id, path, params } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys((params as { shape?: object } | undefined)?.shape ?? {}), id).toEqual(named);
    }
  });

  it("has an object for every query, whose unknown names are rejected", () => {
    const others = operations.filter(({ query }) => query !== undefined && !(query instanceof z.ZodObject));
    expect(others.map(({ id }) => id)).toEqual([]);
  });

  it("is a valid OpenAPI 3.1 document with every operation in it", async () => {
    const document = openApiDocument(operations, "1.0.0");
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const described = Object.values(document["paths"] as Record<string, Record<string, { operationId: string }>>)
      .flatMap((path) => Object.values(path))
      .map(({ operationId }) => operationId);
    expect(described.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it("inspects every body with guardrail fields, an upstream address or a new password", () => {
    const delicate = operations.filter(({ body }) => {
      const schema = body && z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
      const { base_url, url, slack_url, otlp, issuer, oidc, password, new_password } = schema?.properties ?? {};
      const isNewPassword = [password, new_password].some(
        (field) => typeof field === "object" && field.minLength === 8,
      );
      return (
        isNewPassword ||
        (base_url ??
          url ??
          slack_url ??
          otlp ??
          issuer ??
          oidc ??
          JSON.stringify(schema ?? {}).includes('"content_filters":'))
      );
    });
    const inspected = operations.filter((operation) => operation.inspected);
    expect(inspected.map(({ id }) => id)).toEqual(delicate.map(({ id }) => id));
    expect(inspected).not.toEqual([]);
  });

  it("requires a recent sign-in to change roles, keys, secrets and factors", () => {
    const guarded = operations.filter(({ recentSignIn }) => recentSignIn).map(({ id }) => id);
    const nouns =
      /Key|Role|(create|update|delete)OrganizationGroup|Member(?!Sessions|GuardrailMembers)|Provider|Webhook(Secret)?|(create|update)Alert|(create|update)ExportDestination|WorkloadIdentity|ScimToken|SignIn|Totp|Passkey|RecoveryCodes/;
    const expected = operations
      .filter(({ id, method, access }) => method !== "GET" && access !== "inference" && nouns.test(id))
      .map(({ id }) => id);
    // Assignments change policy; these operations reveal and change no secret.
    const others = /ssign|testProvider|testWebhook|redeliverWebhook|endOrganizationMemberSessions/;
    expect(guarded).toEqual(expected.filter((id) => !others.test(id)));
  });

  it("has a valid example for every request body", () => {
    for (const { id, body, example } of operations) {
      if (body) expect(body.safeParse(example?.body).error?.issues ?? [], id).toEqual([]);
    }
  });
});
