import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { Operation } from "../platform/http/operation";

type Given<S extends z.ZodType | undefined> = S extends z.ZodType ? z.input<S> : undefined;

export interface Sent<O extends Operation> {
  params?: Given<O["params"]>;
  query?: Given<O["query"]>;
  body?: Given<O["body"]>;
  headers?: Readonly<Record<string, string>>;
}

/** Input of any operation for building a request. */
interface AnySent {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** Calls an operation and returns its result; throws on failure. */
  call: <O extends Operation>(operation: O, sent: Sent<O>) => Promise<z.output<O["result"]>>;
  /** Calls an operation and reads the response to its end, whatever its status. */
  send: <O extends Operation>(operation: O, sent: Sent<O>) => Promise<Response>;
}

/** Creates an HTTP client of a running install, which waits on rate limits. */
export function connect(url: string, key: string): Api {
  const send = async (operation: Operation, sent: AnySent): Promise<Response> => {
    const { params = {}, query = {}, body, headers } = sent;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${url}/v1${path}${search && `?${search}`}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 429) return new Response(text, response);
    await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
    return send(operation, sent);
  };
  return {
    send: (operation, sent) => send(operation, sent as AnySent),
    call: async (operation, sent) => {
      const response = await send(operation, sent as AnySent);
      if (response.ok) return operation.result.parse(await response.json()) as z.output<(typeof operation)["result"]>;
      throw new Error(`${operation.method} /v1${operation.path} answered ${response.status}: ${await response.text()}`);
    },
  };
}

const PAGE = 100;

/** Returns every record of a list. */
export async function listAll<T>(
  page: (query: { limit: string; offset: string }) => Promise<{ data: T[]; total_count: number }>,
): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const { data, total_count } = await page({ limit: String(PAGE), offset: String(found.length) });
    found.push(...data);
    if (data.length === 0 || found.length >= total_count) return found;
  }
}
