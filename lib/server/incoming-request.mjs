/** @typedef {import("../platform/http/api-request").ApiRequest} ApiRequest */

/**
 * The request as operations use it, without the cost of a `Request`, `Headers`, a web stream and an `AbortController` for each.
 * @implements {ApiRequest}
 */
export class IncomingRequest {
  #incoming;
  #response;
  /** @type {AbortController | undefined} */
  #abort;
  headers;

  /** @param {import("node:http").IncomingMessage} incoming @param {import("node:http").ServerResponse} response */
  constructor(incoming, response) {
    this.#incoming = incoming;
    this.#response = response;
    this.headers = new IncomingHeaders(incoming);
  }

  get method() {
    const { method = "" } = this.#incoming;
    return method === "HEAD" ? "GET" : method;
  }

  get url() {
    return new URL(`http://localhost${this.#incoming.url}`).href;
  }

  get signal() {
    if (this.#abort) return this.#abort.signal;
    const abort = (this.#abort = new AbortController());
    const response = this.#response;
    const leave = () => response.writableFinished || abort.abort();
    if (response.destroyed) leave();
    else response.once("close", leave);
    return abort.signal;
  }

  get body() {
    return this.method === "GET" ? null : bodyOf(this.#incoming);
  }
}

class IncomingHeaders {
  #incoming;

  /** @param {import("node:http").IncomingMessage} incoming */
  constructor(incoming) {
    this.#incoming = incoming;
  }

  /** @param {string} name */
  get(name) {
    const value = this.#incoming.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }

  /** @param {string} name */
  has(name) {
    return this.get(name) !== null;
  }
}

/**
 * The bytes of a body. A reader that stops early keeps the connection, so that a refused body still gets its response; the
 * listener discards the rest.
 * @param {import("node:http").IncomingMessage} incoming @returns {AsyncIterable<Uint8Array>}
 */
const bodyOf = (incoming) => ({
  [Symbol.asyncIterator]: () => {
    const chunks = incoming.iterator({ destroyOnReturn: false });
    return {
      next: () => chunks.next(),
      return: async () => {
        await chunks.return?.();
        incoming.resume();
        return { done: true, value: undefined };
      },
    };
  },
});
