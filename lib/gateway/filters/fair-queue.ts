/** The caller that a scan is charged to. */
export interface ScanOwner {
  organizationId: string;
  /** A key or a member. */
  subject: string;
}

/** Bounds of the weights of waiting items that may be dropped. */
export interface QueueBounds {
  total: number;
  perOrganization: number;
}

interface Entry<Item> {
  item: Item;
  cost: number;
  /** Share of the queue's bounds that the item uses; 1 by default. */
  weight?: number;
  /** True for an item that is never dropped. */
  isKept?: boolean;
}

/** The whole queue, an organization in it, or a caller of an organization. */
interface Line<Item> {
  /** Organizations or callers; none for a caller. */
  lines: Map<string, Line<Item>>;
  /** Entries of a caller. */
  entries: Entry<Item>[];
  /** Number of waiting entries. */
  waiting: number;
  /** Weight of the waiting entries that may be dropped. */
  droppable: number;
  /** Cost served so far. The waiting line with the lowest cost goes next. */
  served: number;
  /** Cost that the line served last had before. A line that joins or returns starts there, so it can't catch up on time it wasn't waiting. */
  floor: number;
}

/** Number of idle lines whose served cost is remembered. */
const MOST_REMEMBERED = 1000;

const newLine = <Item>(served: number): Line<Item> => ({
  lines: new Map(),
  entries: [],
  waiting: 0,
  droppable: 0,
  served,
  floor: 0,
});

/** Returns a line of a group, created if needed. */
function lineOf<Item>(group: Line<Item>, id: string): Line<Item> {
  if (group.lines.size > MOST_REMEMBERED)
    for (const [idle, { waiting }] of group.lines) if (waiting === 0) group.lines.delete(idle);
  const line = group.lines.get(id) ?? newLine<Item>(group.floor);
  if (line.waiting === 0) line.served = Math.max(line.served, group.floor);
  group.lines.set(id, line);
  return line;
}

const best = <Item>(group: Line<Item> | undefined, isBetter: (one: Line<Item>, other: Line<Item>) => boolean) =>
  [...(group?.lines.values() ?? [])]
    .filter(({ waiting }) => waiting > 0)
    .reduce<Line<Item> | undefined>((found, one) => (found && isBetter(found, one) ? found : one), undefined);
const lowest = <Item>(group?: Line<Item>) => best(group, (one, other) => one.served <= other.served);
const heaviest = <Item>(group?: Line<Item>) => best(group, (one, other) => one.droppable > other.droppable);

/**
 * A queue that shares what it serves, measured in cost, evenly between organizations, and within an organization evenly
 * between its callers. When it is full, the caller with the heaviest line loses its last items.
 */
export class FairQueue<Item> {
  readonly #all = newLine<Item>(0);
  readonly #bounds: QueueBounds;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#all.waiting;
  }

  /** Number of organizations whose served cost is remembered. */
  get remembered(): number {
    return this.#all.lines.size;
  }

  /** Adds an item. Returns the items that have to leave for it, which may include it; none if there was room. */
  push({ organizationId, subject }: ScanOwner, entry: Entry<Item>): Item[] {
    const organization = lineOf(this.#all, organizationId);
    const caller = lineOf(organization, subject);
    caller.entries.push(entry);
    this.#count(organization, caller, entry, 1);
    const dropped: Item[] = [];
    while (organization.droppable > this.#bounds.perOrganization) dropped.push(this.#dropFrom(organization));
    while (this.#all.droppable > this.#bounds.total) dropped.push(this.#dropFrom(heaviest(this.#all)));
    return dropped;
  }

  /** Removes and returns the item that is served next. */
  shift(): Item | undefined {
    const organization = lowest(this.#all);
    const caller = lowest(organization);
    const [entry] = caller?.entries ?? [];
    if (!organization || !caller || !entry) return undefined;
    this.#all.floor = organization.served;
    organization.floor = caller.served;
    organization.served += entry.cost;
    caller.served += entry.cost;
    return this.#take(organization, caller, entry);
  }

  /** Removes an item that stopped waiting. */
  remove(item: Item): void {
    for (const organization of this.#all.lines.values())
      for (const caller of organization.lines.values()) {
        const entry = caller.entries.find((each) => each.item === item);
        if (entry) this.#take(organization, caller, entry);
      }
  }

  #dropFrom(organization: Line<Item> | undefined): Item {
    const caller = heaviest(organization);
    const entry = caller?.entries.findLast(({ isKept }) => !isKept);
    if (!organization || !caller || !entry) throw new Error("nothing to drop");
    return this.#take(organization, caller, entry);
  }

  #take(organization: Line<Item>, caller: Line<Item>, entry: Entry<Item>): Item {
    caller.entries.splice(caller.entries.indexOf(entry), 1);
    this.#count(organization, caller, entry, -1);
    return entry.item;
  }

  #count(organization: Line<Item>, caller: Line<Item>, { isKept, weight = 1 }: Entry<Item>, change: 1 | -1): void {
    for (const line of [this.#all, organization, caller]) {
      line.waiting += change;
      if (!isKept) line.droppable += change * weight;
    }
  }
}
