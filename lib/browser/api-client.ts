import type { z } from "zod";
import type { Callable } from "../platform/http/operation";
import { urlPath } from "../platform/http/vocabulary";
import { failureOf, noResponse } from "./api-failure";
import { confirmIdentity } from "./identity";
import { reportSessionEnd } from "./session-end";
import { FIRST_PASSWORD_PATH } from "./sign-in-path";

type ParamsOf<O extends Callable> = z.input<NonNullable<O["params"]>>;
type QueryOf<O extends Callable> = z.output<NonNullable<O["query"]>>;
type BodyOf<O extends Callable> = z.input<NonNullable<O["body"]>>;
/** Omitted for operations without this input; optional when no field is required. */
type Part<Name extends string, Value> = undefined extends Value
  ? Partial<Record<Name, undefined>>
  : Record<string, never> extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>;

/** Query values before defaults are applied. */
export type Query<O extends Callable> = Partial<QueryOf<O>>;

/** Input of an operation's call. `ifMatch`: the revision on which the change is based. */
export type CallInput<O extends Callable> = Part<"params", ParamsOf<O>> &
  Part<"body", BodyOf<O>> &
  CallOptions & { query?: Query<O> };

interface CallOptions {
  ifMatch?: number;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Input of any operation for building a request. */
interface AnyInput extends CallOptions {
  params?: object;
  query?: object;
  body?: unknown;
}

/** The operation's result; trusted, because the server has validated it against the same contract. */
export type Answer<O extends Callable> = z.output<NonNullable<O["result"]>>;

function urlOf(path: string, params: object, query: object): string {
  const values = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one));
  }
  return `${urlPath(filled)}${search.size > 0 ? `?${search}` : ""}`;
}

/** Builds the request of an operation; its URL is a path. */
export function requestOf<O extends Callable>(operation: O, input: CallInput<O>): { url: string; init: RequestInit } {
  const { params = {}, query = {}, body, ifMatch, idempotencyKey, signal } = input as AnyInput;
  const headers = new Headers();
  if (body !== undefined) headers.set("content-type", "application/json");
  if (ifMatch !== undefined) headers.set("if-match", `"${ifMatch}"`);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  const init = {
    method: operation.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  };
  return { url: urlOf(operation.path, params, query), init };
}

/**
 * Calls an operation with the browser's session. If the session has ended, or the operation requires a recent proof of identity, the
 * call is repeated after the member has signed in again or given the proof.
 */
export async function call<O extends Callable>(operation: O, input: CallInput<O>): Promise<Answer<O>> {
  const { url, init } = requestOf(operation, input);
  const response = await send(url, init);
  if (response.ok) return (await response.json()) as Answer<O>;
  if (response.status === 401 && operation.access !== "public" && (await reportSessionEnd()))
    return call(operation, input);
  const failure = await failureOf(response);
  const { reason } = failure.metadata;
  if (reason === "reauthentication_required" && (await confirmIdentity())) return call(operation, input);
  if (reason === "password_change_required") window.location.assign(FIRST_PASSWORD_PATH);
  throw failure;
}

/** Sends a request; throws a failure with status 0 when there is no response. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw noResponse();
  }
}

/** Creates an `Idempotency-Key`; `crypto.randomUUID` exists only on secure pages. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
