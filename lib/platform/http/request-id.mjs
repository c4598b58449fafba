const VALID = /^[\w.:-]{8,128}$/;

/** Returns a request's id: the one that its `X-Request-Id` gives if that is valid, or a new one. @param {string | null | undefined} given */
export const requestIdOf = (given) =>
  typeof given === "string" && VALID.test(given) ? given : `req-${crypto.randomUUID()}`;
