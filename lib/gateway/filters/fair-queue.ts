/** The caller that a scan is charged to. */
export interface ScanOwner {
  organizationId: string;
  /** A key or a member. */
  subject: string;
}

/** Bounds of the weights of waiting items that may be dropped. */
export interface QueueBounds {
  total: number;
  /** The bound of one organization. */
  perOrganization: number;
}

interface Entry<Item> {
  item: Item;
  /** The caller's share that the item uses. */
  cost: number;
  /** Share of the queue's bounds that the item uses; 1 by default. */
  weight?: number;
  /** True for an item that is never dropped. */
  isKept?: boolean;
}

interface Waiting<Item> extends Entry<Item> {
  owner: ScanOwner;
}

/** Number of callers and organizations whose served cost is remembered. */
const MOST_REMEMBERED = 1000;

/** Cost served to each member of a group. A member that joins or returns starts at the cost of the one served last. */
class Served {
  readonly costs = new Map<string, number>();
  #floor = 0;

  of(id: string): number {
    return this.costs.get(id) ?? this.#floor;
  }

  /** Admits a member that waited for nothing: it can't catch up on time in which it wasn't waiting. */
  join(id: string): void {
    this.costs.set(id, Math.max(this.of(id), this.#floor));
  }
}
