const VALID = /^[\w.:-]{8,128}$/;

/** Returns a request's id: its `X-Request-Id` if valid, or else a new one. @param {string | null | undefined} given */
export const requestIdOf = (given) =>
  typeof given === "string" && VALID.test(given) ? given : `req-${crypto.randomUUID()}`;
