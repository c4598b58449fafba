import type { LeafPath } from "./leaves";

/** Writes texts into a copy of a value: changed objects are copied once, all others are shared. */
export class CopyOnWrite<Value extends object> {
  readonly #copies = new Map<object, object>();

  constructor(private readonly original: Value) {}

  write(path: LeafPath, text: string): void {
    const last = path.length - 1;
    let holder: object = this.#copyOf(this.original);
    for (const key of path.slice(0, last)) {
      const copy = this.#copyOf(Reflect.get(holder, key) as object);
      Reflect.set(holder, key, copy);
      holder = copy;
    }
    Reflect.set(holder, path[last] ?? "", text);
  }

  /** Returns the copy, or the original when nothing was written. */
  get value(): Value {
    return (this.#copies.get(this.original) ?? this.original) as Value;
  }

  /** Returns the copy of an object, creating it once so that a second write reuses it. */
  #copyOf(value: object): object {
    const known = this.#copies.get(value);
    if (known) return known;
    const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    this.#copies.set(value, copy).set(copy, copy);
    return copy;
  }
}
