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

/** Any operation's input, as far as a request is made of it. */
interface AnySent {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** The operation's answer; throws when it fails. */
  call: <O extends Operation>(operation: O, sent: Sent<O>) => Promise<z.output<O["result"]>>;
  /** Sends an operation, whatever comes of it, and reads the answer to its end. */
  send: <O extends Operation>(operation: O, sent: Sent<O>) => Promise<Response>;
}

/** The API of a running install over HTTP, as any client uses it. Waits when it is told to slow down. */
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

/** Every record of a list. */
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
