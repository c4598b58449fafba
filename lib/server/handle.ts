import "server-only";
import { auditRefusal } from "./audit-refusal";
import { boot } from "./boot";
import { ERROR_FORMATS, requestIdHeaders } from "./error-formats";
import type { ActorContext, Context, PublicContext, ScimContext } from "../platform/context";
import { instruments } from "../platform/metrics/instruments";
import { accept } from "../platform/http/accept";
import type { ApiRequest } from "../platform/http/api-request";
import { assertSameOrigin, authenticate, authenticateScim, authorize } from "./authenticate";
import { errorResponse, jsonResponse, redirectResponse, streamedResponse } from "../platform/http/error-response";
import { StreamedAnswer } from "../platform/http/event-stream";
import { hasAnswer, runOnce } from "../platform/http/idempotency-store";
import type { Inspected } from "../platform/http/inspected";
import type { Preparing } from "../platform/http/prepared";
import type { Access, Input, Operation, Result } from "../platform/http/operation";
import { Redirect } from "../platform/http/redirect";
import { endTrace, startTrace } from "./trace";
import { runFresh } from "./freshness";
import { canonicalJson } from "../platform/json-values";
import { limitRate, networkSubject } from "../platform/http/rate-limiter";
import { PlainHeaders } from "../platform/http/plain-headers";
import { requestIdOf } from "../platform/http/request-id.mjs";
import { publicContext } from "./public-context";

/** A route handler based on web standards, for Next or any other server. */
export type RouteHandler = (
  request: ApiRequest,
  route: { params?: Promise<Record<string, string> | undefined> | Record<string, string> },
) => Promise<Response>;

type ContextOf<A extends Access> = A extends "public" ? PublicContext : A extends "scim" ? ScimContext : Context;

type Run<O extends Operation> = (
  context: ContextOf<O["access"]>,
  input: Input<O>,
  ready?: never,
) => Promise<Result<O> | StreamedAnswer | Redirect>;

/** The service type for an operation: an inspected operation requires a service with an inspection. */
type Service<O extends Operation> = Run<O> &
  (true extends O["inspected"] ? Inspected : Partial<Inspected>) &
  Partial<Preparing<ContextOf<O["access"]>, Input<O>, object>>;

/**
 * Handles every operation: authenticate (401), rate limit (429), authorize (403), validate the input (400), run the service, validate
 * its result unless it is returned as it is, respond. Independent of any route.
 */
export function handle<O extends Operation>(operation: O, service: Service<O>): RouteHandler {
  return async (request, route) => {
    const arrivedAt = performance.now();
    const now = new Date();
    const trace = startTrace(operation, request, now);
    const ended = (response: Response): Response => {
      const { status } = response;
      endTrace(trace, request, status);
      instruments().requests.observe({ operation: operation.id, status }, (performance.now() - arrivedAt) / 1000);
      return response;
    };
    const requestId = requestIdOf(request.headers.get("x-request-id"), now);
    const headers = new PlainHeaders(requestIdHeaders(operation, requestId));
    let context: PublicContext | ActorContext | null = null;
    try {
      const { db } = await boot();
      const facts = publicContext(operation, request, {
        db,
        now,
        random: Math.random,
        headers,
        requestId,
        trace,
        arrivedAt,
      });
      const { settings } = facts;
      context = facts;
      if (operation.access === "scim") {
        const caller = await authenticateScim(request, db, now);
        context = Object.assign(facts, { caller });
        await limitRate(db, caller.tokenId, settings.rateLimitPerMinute, now, headers);
      } else if (operation.access !== "public") {
        const { caller, session } = await authenticate(request, db, now);
        context = Object.assign(facts, { caller });
        if (caller.kind === "key") request.note?.({ keyId: caller.keyId });
        const subject = caller.kind === "key" ? caller.keyId : caller.sessionId;
        await limitRate(db, subject, settings.rateLimitPerMinute, now, headers);
        if (operation.rateLimit === "content")
          await limitRate(db, `content:${subject}`, settings.contentReadsPerMinute, now, headers);
        if (caller.kind === "session") assertSameOrigin(request, facts.origin);
        authorize(caller, session, operation, now);
        // Services for members narrow by the caller's own objects, too.
        if (operation.byWorkspace && operation.access === "management")
          context = Object.assign(context, { narrowedBy: operation.permission });
      } else if (operation.errors.includes(429)) {
        await limitRate(db, networkSubject(facts.ip, settings), settings.rateLimitPerMinute, now, headers);
      }
      if (operation.sameOrigin) assertSameOrigin(request, facts.origin);
      const { input, raw } = await accept(operation, request, (await route.params) ?? {}, settings, service.inspect);
      const key = operation.idempotent ? request.headers.get("idempotency-key") : null;
      const isStored = service.prepare && key !== null && "caller" in context && (await hasAnswer(context, key));
      const ready = isStored ? undefined : await service.prepare?.(context as ContextOf<O["access"]>, input);
      const answer = async (withContext: PublicContext | ActorContext) => {
        const run = (chosen: PublicContext | ActorContext) =>
          service(chosen as ContextOf<O["access"]>, input, ready as undefined);
        const value = await runFresh(operation, request, withContext, run);
        return value instanceof StreamedAnswer || value instanceof Redirect || operation.passesResult
          ? value
          : operation.result.parse(value);
      };
      const body =
        key !== null && "caller" in context
          ? await runOnce(context, key, `${request.method} ${request.url}\n${canonicalJson(raw)}`, answer)
          : await answer(context);
      if (body instanceof Redirect) return ended(redirectResponse(body, headers));
      if (body instanceof StreamedAnswer) return ended(streamedResponse(body, headers));
      const revision = operation.etag && (body as { data?: { revision?: number } }).data?.revision;
      if (revision !== undefined) headers.set("etag", `"${revision}"`);
      return ended(jsonResponse(operation.status, body, headers, request, operation.mediaType));
    } catch (error) {
      if (context) auditRefusal(context, operation, request, error);
      const format = operation.errorFormat && ERROR_FORMATS[operation.errorFormat];
      return ended(errorResponse(error, requestId, headers, format, operation.mediaType));
    }
  };
}
