import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { Operation } from "../platform/http/operation";
import { CliError } from "./cli-error";
import packageJson from "../../package.json";

type Given<S extends z.ZodType | undefined> = S extends z.ZodType ? z.input<S> : undefined;

export interface Sent<O extends Operation> {
  params?: Given<O["params"]>;
  query?: Given<O["query"]>;
  body?: Given<O["body"]>;
  /** The revision on which the change is based. */
  ifMatch?: number | undefined;
}

interface AnySent {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  ifMatch?: number | undefined;
}

interface Issue {
  path: (string | number)[];
  message: string;
}

interface ErrorBody {
  error?: { message?: string; metadata?: { issues?: Issue[] } };
}

/** An unsuccessful response. */
export class Refused extends CliError {
  constructor(
    readonly status: number,
    message: string,
    issues: readonly Issue[],
  ) {
    super(message, { status, ...(issues.length > 0 && { issues }) });
  }
}

export interface Api {
  call: <O extends Operation>(operation: O, sent?: Sent<O>) => Promise<z.output<O["result"]>>;
  text: (path: string) => Promise<string>;
  /** Reads a response line by line, however long it is. */
  lines: (path: string) => AsyncGenerator<string, void>;
}

const MAX_WAITS = 5;

/**
 * Creates a client of an install's public API. All requests of a run share a request id prefix, which groups them in
 * the audit log.
 */
export function connect(url: string, key: string | undefined): Api {
  if (!key) throw new CliError("SIGNALBOX_API_KEY is not set. Set it to a management key.");
  if (!URL.canParse(url)) throw new CliError(`SIGNALBOX_URL is not a valid URL: ${url}`);
  const root = `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
  const run = `apply-${randomBytes(6).toString("hex")}`;
  let sent = 0;
  const open = async (method: string, path: string, { body, ifMatch }: AnySent, waits = 0): Promise<Response> => {
    sent += 1;
    const headers = {
      authorization: `Bearer ${key}`,
      "user-agent": `signalbox-cli/${packageJson.version}`,
      "x-request-id": `${run}-${sent}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` }),
    };
    const response = await fetch(root + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    }).catch((error: unknown) => {
      throw new CliError(
        `Could not connect to ${url}: ${error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)}`,
      );
    });
    if (response.ok) return response;
    const text = await response.text();
    if (response.status === 429 && waits < MAX_WAITS) {
      await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
      return open(method, path, { body, ifMatch }, waits + 1);
    }
    throw refused(response.status, text);
  };
  const send = async (method: string, path: string, given: AnySent): Promise<string> =>
    (await open(method, path, given)).text();
  async function* lines(path: string): AsyncGenerator<string, void> {
    const { body } = await open("GET", path, {});
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of body ?? []) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts.filter((line) => line !== "");
    }
    if (rest !== "") yield rest;
  }
  return {
    text: (path) => send("GET", path, {}),
    lines,
    call: async <O extends Operation>(operation: O, given?: Sent<O>) => {
      const { params = {}, query = {}, ...rest } = (given ?? {}) as AnySent;
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
      const search = new URLSearchParams(query).toString();
      const text = await send(operation.method, `${path}${search && `?${search}`}`, rest);
      return operation.result.parse(JSON.parse(text)) as z.output<O["result"]>;
    },
  };
}

/** Converts an error response with all of its issues. */
function refused(status: number, text: string): Refused {
  const { message = `HTTP ${status}`, metadata } = parsed(text).error ?? {};
  const issues = metadata?.issues ?? [];
  const problems = issues.map(({ path, message: problem }) => `  ${path.join(".")}: ${problem}`);
  const hint = status === 412 ? ["  It has changed since it was read. Run plan again."] : [];
  return new Refused(status, [`${message} (HTTP ${status})`, ...problems, ...hint].join("\n"), issues);
}

function parsed(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}
