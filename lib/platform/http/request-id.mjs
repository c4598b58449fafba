import { v7 } from "uuid";

const VALID = /^[\w.:-]{8,128}$/;

/**
 * Returns a request's id: its `X-Request-Id` if valid, or else a new one, which contains the time, so that the log finds it.
 * @param {string | null | undefined} given
 * @param {Date} [now]
 */
export const requestIdOf = (given, now) =>
  typeof given === "string" && VALID.test(given)
    ? given
    : `req-${now ? v7({ msecs: now.getTime() }) : crypto.randomUUID()}`;
