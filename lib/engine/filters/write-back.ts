import type { LeafPath } from "./places";

/** Writes texts into a copy of a value: changed objects are copied once, all others are shared. */
export class CopyOnWrite<Value extends object> {
  readonly #copies = new Map<object, object>();

  constructor(private readonly original: Value) {}

  write(path: LeafPath, text: string): void {
    Reflect.set(this.#copyAt(path.slice(0, -1)), path.at(-1) ?? "", text);
  }

  /** Renames the property at `path`, which invalidates paths through it. Appends underscores if the name is taken. */
  rename(path: LeafPath, name: string): void {
    const holder = this.#copyAt(path.slice(0, -1));
    const old = String(path.at(-1));
    const entries = Object.entries(holder);
    for (const key of Object.keys(holder)) Reflect.deleteProperty(holder, key);
    let free = name;
    while (entries.some(([key]) => key === free)) free += "_";
    for (const [key, value] of entries) Reflect.set(holder, key === old ? free : key, value);
  }

  /** Returns the copy, or the original when nothing was written. */
  get value(): Value {
    return (this.#copies.get(this.original) ?? this.original) as Value;
  }

  /** Returns a copy of the object at a path; the objects that contain it are copied, too. */
  #copyAt(path: LeafPath): object {
    let holder: object = this.#copyOf(this.original);
    for (const key of path) {
      const copy = this.#copyOf(Reflect.get(holder, key) as object);
      Reflect.set(holder, key, copy);
      holder = copy;
    }
    return holder;
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
