/** Hashes of the style element that sonner 2.0.8 adds without a nonce: first empty, then with text. Another version has another hash. */
const TOAST_STYLE = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
].join(" ");

/**
 * Returns the content security policy of a page: it loads nothing from another host, runs only our own scripts and style sheets, and
 * can't be framed. Development differs in two places: React's error stacks need `eval`, and live reload inserts style elements.
 * @param {string} nonce @param {{isDev?: boolean}} [options]
 */
export const pagePolicy = (nonce, { isDev = false } = {}) =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}' ${TOAST_STYLE}`}`,
    // Widths and colors from data are style attributes, which can't run code.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
