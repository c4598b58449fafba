import { z } from "zod";
import type { Permission } from "../permissions";

/**
 * Callers that may use an operation (docs/semantics.md#authentication).
 * - `public`: anybody.
 * - `any`: every key and every console session.
 * - `session`: a console session, for its own member.
 * - `member`: any console session, or a management key with the permission; the service narrows a member without it to what is theirs.
 * - `management`: a management key or a console session with the permission.
 * - `inference`: an inference key.
 * - `scim`: a SCIM token, which can do nothing else (docs/scim.md).
 */
export type Access = "public" | "any" | "session" | "member" | "management" | "inference" | "scim";

/** The permission that an operation requires. Every operation for management keys and members has one. */
type Requirement<A extends Access> = [A] extends ["management" | "member"]
  ? { readonly permission: Permission }
  : unknown;

/**
 * The size of an operation's body (docs/semantics.md#formats): `small` for single settings, `medium` for lists and documents,
 * `large` for prompts.
 */
export type BodySize = "small" | "medium" | "large";

interface Declaration<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
  A extends Access = Access,
  Inspected extends true | undefined = true | undefined,
> {
  /** OpenAPI `operationId`. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `/v1`, with parameters in braces: `/guardrails/{id}`. Console session operations are outside `/v1`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  /** Further sentences of the description in the reference. */
  readonly note?: string;
  readonly access: A;
  /** Required of callers with access `management`, and of `member` callers for what isn't theirs. */
  readonly permission?: Permission;
  /** The permission suffices in single workspaces, to which the service narrows by `workspacesOf` or `reachOf`. */
  readonly byWorkspace?: true;
  readonly params?: Params;
  /** The status for a malformed path parameter: by default 404 as for an unknown one, 400 if the operation creates the named object. */
  readonly invalidParams?: 400;
  readonly query?: Query;
  readonly body?: Body;
  /** `small` if not given. */
  readonly bodySize?: BodySize;
  /** Fields of the body whose texts may contain NUL, such as the output of a tool. NUL is sent upstream, and replaced in stored texts. */
  readonly withNul?: readonly string[];
  /** The body may also come as a form (`application/x-www-form-urlencoded`), whose fields are strings. */
  readonly form?: true;
  /** A request may come without a body and content type; the service then gets the schema's defaults. */
  readonly bodyOptional?: true;
  /** The service receives the caller's body unchanged: its contract transforms nothing except by defaults of fields. */
  readonly passesBody?: true;
  /** The service's result is sent unchanged, with fields that its contract doesn't know. */
  readonly passesResult?: true;
  /** The body has rules beyond its schema: the service must be created with `inspected`. */
  readonly inspected?: Inspected;
  /** A 204 has no body. */
  readonly status: 200 | 201 | 204;
  readonly result: Result;
  /** Error statuses in addition to those derived by `errorStatuses`. A public operation with 429 counts in the rate limit of the client's network. */
  readonly errors?: readonly number[];
  /** Accepts `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Sends `result.data.revision` as the `ETag`. */
  readonly etag?: true;
  /** Supports `If-Match`. */
  readonly ifMatch?: true;
  /** Public, but rejected with 403 from pages of other sites. For operations that sign in a browser. */
  readonly sameOrigin?: true;
  /**
   * Changes who may do what: a console session must have proved its member's identity recently (docs/semantics.md#recent-sign-in).
   */
  readonly recentSignIn?: true;
  /** Allowed for a console session whose member still has the first password, which somebody else chose. */
  readonly allowsFirstPassword?: true;
  /**
   * May read from a standby, which lags by up to a configured time (docs/scaling.md#a-standby-for-reads). For reads of the log or of
   * figures that don't decide what a caller may do.
   */
  readonly readsReplica?: true;
  /** Uses a separate rate limit. */
  readonly rateLimit?: "content";
  /** May respond with server-sent events; the schema of an event's data. */
  readonly streams?: z.ZodType;
  /** Headers of requests that get this operation instead of another with its method and path; the values are examples. */
  readonly selectedBy?: Readonly<Record<string, string>>;
  /** Errors have the shape of this API instead of Signalbox's own. */
  readonly errorFormat?: "messages" | "oauth" | "scim";
  /** Type of JSON in responses and errors instead of `application/json`; a request may have either. */
  readonly mediaType?: "application/scim+json";
  /** Responds with a redirect, for pages that a browser opens. */
  readonly redirects?: true;
  /** Responds with a streamed file of one of these types. */
  readonly downloads?: readonly string[];
  readonly example?: { readonly body?: unknown; readonly result?: unknown };
}

export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
  A extends Access = Access,
  Inspected extends true | undefined = true | undefined,
> extends Declaration<Params, Query, Body, Result, A, Inspected> {
  /** Every possible error status. */
  readonly errors: readonly number[];
}

type Schemas = "params" | "query" | "body" | "result";

/** The parts of an operation that a caller needs. Schemas are present only as types. */
export type Callable<O extends Operation = Operation> = Pick<
  O,
  "id" | "method" | "path" | "access" | "permission" | "byWorkspace"
> &
  Partial<Pick<O, Schemas>>;

/** Statuses for a database that is unreachable, too slow or overloaded: docs/semantics.md#errors. */
const STORE_FAILURES = [502, 524, 529];

/** Derives error statuses from an operation's input and access. */
function errorStatuses({ access, sameOrigin, params, invalidParams, query, body, ifMatch, idempotent }: Declaration) {
  return [
    ...(query || body || invalidParams ? [400] : []),
    ...(access === "public" ? [] : [401, 403, 429]),
    ...(sameOrigin ? [403] : []),
    ...(params && !invalidParams ? [404] : []),
    ...(idempotent ? [409] : []),
    ...(ifMatch ? [412] : []),
    ...(body ? [413, 415] : []),
    500,
    ...STORE_FAILURES,
  ];
}

/** Declares an operation and keeps its exact types. */
export function operation<
  Result extends z.ZodType,
  Params extends z.ZodType = z.ZodObject<Record<never, never>>,
  Query extends z.ZodType = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  const A extends Access = Access,
  const Inspected extends true | undefined = undefined,
>(
  declaration: Declaration<Params, Query, Body, Result, A, Inspected> & Requirement<A>,
): Operation<Params, Query, Body, Result, A, Inspected> {
  return { ...declaration, errors: [...new Set([...errorStatuses(declaration), ...(declaration.errors ?? [])])] };
}

export const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "id" in value && "method" in value && "access" in value;

/** A service's parsed input. */
export interface Input<O extends Operation> {
  params: z.output<NonNullable<O["params"]>>;
  query: z.output<NonNullable<O["query"]>>;
  body: z.output<NonNullable<O["body"]>>;
}

/** A service's result; unknown fields are removed before sending. */
export type Result<O extends Operation> = z.input<O["result"]>;

export const Uuid = z.uuid();
export const Timestamp = z.iso.datetime({ offset: true });

const YEAR_1000 = Date.UTC(1000, 0);
const YEAR_10000 = Date.UTC(10_000, 0);

/** A point in time from a client, in the range of years that ISO 8601 and the database format alike. */
export const Instant = Timestamp.refine(
  (text) => !(Date.parse(text) < YEAR_1000 || Date.parse(text) >= YEAR_10000),
  "must be in the years 1000 to 9999",
);

export const IdParams = z.object({ id: Uuid });

/** Wraps a single record in `{data}`. */
export const envelope = <T extends z.ZodType>(record: T) => z.object({ data: record });

export const Deleted = z.object({ deleted: z.literal(true) });
