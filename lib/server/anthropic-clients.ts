import type { RouteHandler } from "./handle";

/** Chooses between two handlers of one route: Anthropic's clients send `anthropic-version` with every request. */
export const forAnthropicClients =
  (theirs: RouteHandler, others: RouteHandler): RouteHandler =>
  (request, route) =>
    (request.headers.has("anthropic-version") ? theirs : others)(request, route);
