import type { z } from "zod";
import type { Callable } from "../platform/http/operation";
import { ApiFailure, failureOf } from "./api-failure";
import { reportSessionEnd } from "./session-end";

type ParamsOf<O extends Callable> = z.input<NonNullable<O["params"]>>;
type QueryOf<O extends Callable> = z.output<NonNullable<O["query"]>>;
type BodyOf<O extends Callable> = z.input<NonNullable<O["body"]>>;
/** Left out when the operation takes nothing there, optional when it requires nothing there. */
type Part<Name extends string, Value> = undefined extends Value
  ? Partial<Record<Name, undefined>>
  : Record<string, never> extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>;

/** Query values as the operation understands them after parsing; what is left out takes its default. */
export type Query<O extends Callable> = Partial<QueryOf<O>>;

/** What a call of the operation takes. `ifMatch`: the revision that the change is based on. */
export type CallInput<O extends Callable> = Part<"params", ParamsOf<O>> &
  Part<"body", BodyOf<O>> &
  CallOptions & { query?: Query<O> };

interface CallOptions {
  ifMatch?: number;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Any operation's input, as far as a request is made of it. */
interface AnyInput extends CallOptions {
  params?: object;
  query?: object;
  body?: unknown;
}

/** The operation's answer; trusted, because the server has checked it against the same contract. */
export type Answer<O extends Callable> = z.output<NonNullable<O["result"]>>;

/** Operations of the session live beside `/v1`. */
const base = (path: string) => (path.startsWith("/session") ? "" : "/v1");

function urlOf(path: string, params: object, query: object): string {
  const values = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one));
  }
  return `${base(path)}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/** The request that an operation's input makes; its URL is a path. */
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

/** Calls an operation with the session of this browser. Without a session one is asked to sign in again. */
export async function call<O extends Callable>(operation: O, input: CallInput<O>): Promise<Answer<O>> {
  const { url, init } = requestOf(operation, input);
  const response = await send(url, init);
  if (response.ok) return (await response.json()) as Answer<O>;
  if (response.status === 401 && operation.access !== "public") reportSessionEnd();
  throw await failureOf(response);
}

/** A request as it is made; without an answer at all it is a failure of status 0. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiFailure(0, navigator.onLine ? "The server can't be reached" : "This device is offline");
  }
}

/** A fresh `Idempotency-Key`; `crypto.randomUUID` exists on secure pages only. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
