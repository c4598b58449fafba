/** Headers at a fraction of the cost of the runtime's. The server or the client validates names and values when it sends them. */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>();
  #cookies: string[] = [];

  constructor(given: Readonly<Record<string, string>> = {}) {
    for (const name in given) this.set(name, given[name] as string);
  }

  get(name: string): string | null {
    const key = name.toLowerCase();
    if (key === SET_COOKIE) return this.#cookies.length > 0 ? this.#cookies.join(", ") : null;
    return this.#values.get(key) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  set(name: string, value: string): void {
    const key = name.toLowerCase();
    if (key === SET_COOKIE) this.#cookies = [value];
    else this.#values.set(key, value);
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const known = this.#values.get(key);
    if (key === SET_COOKIE) this.#cookies.push(value);
    else this.#values.set(key, known === undefined ? value : `${known}, ${value}`);
  }

  delete(name: string): void {
    const key = name.toLowerCase();
    if (key === SET_COOKIE) this.#cookies = [];
    else this.#values.delete(key);
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  forEach(listener: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) listener(value, name, this);
  }

  entries(): HeadersIterator<[string, string]> {
    return this.#cookies.length === 0 ? this.#values.entries() : this.#withCookies();
  }

  *#withCookies(): HeadersIterator<[string, string]> {
    yield* this.#values;
    for (const cookie of this.#cookies) yield [SET_COOKIE, cookie];
  }

  *keys(): HeadersIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): HeadersIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }
}

const SET_COOKIE = "set-cookie";
