/** State by name, shared by the bundles of the process, because each bundle has separate modules. */
const holder = globalThis as typeof globalThis & { __signalboxShared?: Map<string, object> };

function shared<T extends object>(name: string, create: () => T): T {
  const all = (holder.__signalboxShared ??= new Map<string, object>());
  const known = all.get(name) as T | undefined;
  if (known) return known;
  const created = create();
  all.set(name, created);
  return created;
}

/** Returns a function that returns an object shared by all bundles of the process. It is created on first use. */
export function processWide<T extends object>(name: string, create: () => T): () => T {
  let known: T | undefined;
  return () => (known ??= shared(name, create));
}
