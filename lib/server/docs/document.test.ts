import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { operations } from "../operations";
import { document } from "./service";
import { TAGS } from "./tags";

interface Described {
  paths: Record<string, Record<string, { responses?: Record<string, { headers?: object; content?: object }> }>>;
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { errors } = await new Validator().validate(structuredClone(await document()));
    expect(errors ?? []).toEqual([]);
  });

  it("describes every tag, and no other", () => {
    expect(Object.keys(TAGS).filter((name) => name !== "Operations")).toEqual([
      ...new Set(operations.map(({ tag }) => tag)),
    ]);
  });

  it("has health and metrics, and the headers of responses", async () => {
    const { paths } = (await document()) as unknown as Described;
    for (const path of ["/healthz", "/readyz", "/metrics"])
      expect(paths[path]).toMatchObject({ get: { servers: [{ url: "/" }] } });
    const headersOf = (path: string, method: string, status: string) =>
      Object.keys(paths[path]?.[method]?.responses?.[status]?.headers ?? {});
    expect(headersOf("/chat/completions", "post", "200")).toEqual([
      "X-Request-Id",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
      "X-RateLimit-Limit-Requests",
      "X-RateLimit-Limit-Tokens",
      "X-RateLimit-Remaining-Requests",
      "X-RateLimit-Remaining-Tokens",
      "X-RateLimit-Reset-Requests",
      "X-RateLimit-Reset-Tokens",
      "X-Generation-Id",
      "X-Signalbox-Warnings",
      "Server-Timing",
    ]);
    expect(headersOf("/guardrails/{id}", "get", "200")).toContain("ETag");
    expect(headersOf("/guardrails", "post", "201")).toContain("Idempotency-Replayed");
  });

  it("types event streams apart from whole answers", async () => {
    const { paths } = (await document()) as unknown as Described;
    const contents = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.values(responses ?? {}))
      .map(({ content = {} }) => content as Record<string, { schema: { type?: string } }>);
    const streams = contents.filter((content) => "text/event-stream" in content);
    expect(streams).not.toEqual([]);
    for (const content of streams) {
      expect(Object.keys(content)).toEqual(["application/json", "text/event-stream"]);
      expect(content["text/event-stream"]?.schema.type).not.toBe("string");
    }
  });
});
