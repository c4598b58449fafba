import assert from "node:assert/strict";
import { z } from "zod";
import { MessagesErrorBody, OAuthErrorBody, ScimErrorBody } from "../lib/platform/http/openapi";
import type { Operation } from "../lib/platform/http/operation";

/** The error body of every operation: docs/semantics.md#errors. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.int(),
    message: z.string().min(1),
    type: z.string().optional(),
    param: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  service_metadata: z.record(z.string(), z.unknown()).nullish(),
  user_id: z.string().nullish(),
});

type Schema = z.ZodType | undefined;
type Given<S extends Schema> = S extends z.ZodType ? z.input<S> : undefined;

/** Input of an operation; untyped for hostile tests. */
export interface Sent<O extends Operation> {
  params?: Given<O["params"]>;
  query?: Given<O["query"]>;
  body?: Given<O["body"]>;
}

export interface SendOptions {
  /** The key to send; null for none. */
  as?: string | null;
  headers?: Readonly<Record<string, string>>;
}

export interface Refusal {
  status: number;
  headers: Headers;
  message: string;
  metadata: Record<string, unknown>;
}

export interface Api {
  url: string;
  /** Sends an operation over HTTP and returns the raw response. */
  send: <O extends Operation>(operation: O, sent?: Sent<O>, options?: SendOptions) => Promise<Response>;
  /** Expects success and returns the body, validated against the contract without extra fields. */
  call: <O extends Operation>(operation: O, sent?: Sent<O>, options?: SendOptions) => Promise<z.output<O["result"]>>;
  /** Expects an error status and returns the body, validated against the error schema and the declared statuses. */
  refuse: (operation: Operation, status: number, sent?: LooselySent, options?: SendOptions) => Promise<Refusal>;
  /** The same API with another key. */
  as: (key: string) => Api;
}

/** Input that may violate the contract. */
export interface LooselySent {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
}

export function createApi(url: string, key: string): Api {
  const send = (operation: Operation, sent: LooselySent = {}, { as = key, headers = {} }: SendOptions = {}) =>
    fetch(`${url}/v1${pathOf(operation, sent)}`, {
      method: operation.method,
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
        ...operation.selectedBy,
        ...headers,
      },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
  return {
    url,
    send: (operation, sent, options) => send(operation, sent as LooselySent, options),
    call: async (operation, sent, options) =>
      readSuccess(operation, await send(operation, sent as LooselySent, options)),
    refuse: async (operation, status, sent, options) => {
      const refusal = await readRefusal(await send(operation, sent, options), operation.errorFormat);
      assert.equal(refusal.status, status, `${operation.id}: ${refusal.status} ${refusal.message}`);
      assert.ok(operation.errors.includes(status), `${operation.id} doesn't declare ${status}`);
      return refusal;
    },
    as: (other) => createApi(url, other),
  };
}

/** Path and query of a request, from `/guardrails/{id}` and its values. */
export function pathOf({ path }: Operation, { params = {}, query = {} }: LooselySent): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
    ),
  );
  return search.size > 0 ? `${filled}?${search}` : filled;
}

async function readSuccess<O extends Operation>(operation: O, answer: Response): Promise<z.output<O["result"]>> {
  const body: unknown = answer.status === 204 ? undefined : await answer.json();
  assert.equal(answer.status, operation.status, `${operation.id}: ${answer.status} ${JSON.stringify(body)}`);
  assertConventions(answer);
  const parsed = operation.result.parse(body);
  if (body === undefined) return parsed as z.output<O["result"]>;
  assert.deepEqual(body, JSON.parse(JSON.stringify(parsed)), `${operation.id}: fields outside the contract`);
  return parsed as z.output<O["result"]>;
}

/** Parses an error response in the format of its operation; a code must equal the status. */
export async function readRefusal(answer: Response, format?: Operation["errorFormat"]): Promise<Refusal> {
  const text = await answer.text();
  assert.ok(answer.status >= 400, `${answer.status} ${text}`);
  assertConventions(answer);
  const { status, headers } = answer;
  if (format === "oauth") {
    const { error_description: message } = OAuthErrorBody.parse(JSON.parse(text));
    return { status, message, metadata: {}, headers };
  }
  if (format === "messages") {
    const { error } = MessagesErrorBody.parse(JSON.parse(text));
    return { status, headers, message: error.message, metadata: {} };
  }
  if (format === "scim") {
    const body = ScimErrorBody.parse(JSON.parse(text));
    assert.equal(body.status, String(status), text);
    return { status, headers, message: body.detail, metadata: body.scimType ? { scimType: body.scimType } : {} };
  }
  const { error } = ErrorBody.parse(JSON.parse(text));
  assert.equal(error.code, status, text);
  return { status, headers, message: error.message, metadata: error.metadata ?? {} };
}

function assertConventions({ url, status, headers }: Response): void {
  if (status !== 204)
    assert.match(headers.get("content-type") ?? "", /^application\/(scim\+)?json/, `content type of ${url}`);
  assert.ok(headers.get("x-request-id"), `${url} has no request ID`);
}
