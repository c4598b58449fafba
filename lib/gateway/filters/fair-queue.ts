/** The caller that a scan is charged to. */
export interface ScanOwner {
  organizationId: string;
  /** A key or a member. */
  subject: string;
}

/** Bounds of the weights of items that wait and aren't kept. */
export interface QueueBounds {
  total: number;
  /** The same of one organization. */
  perOrganization: number;
}

interface Entry<Item> {
  item: Item;
  cost: number;
  /** Share of the queue's bounds that the item uses; 1 by default. */
  weight?: number;
  /** True for an item that waits however many others do. */
  isKept?: boolean;
}

/** Cost served so far. The waiting member with the lowest cost goes next. */
interface Share {
  served: number;
  waiting: number;
  /** Weight of those of `waiting` that aren't kept. */
  droppable: number;
}

interface Line<Item> extends Share {
  entries: Entry<Item>[];
}

interface Organization<Item> extends Share {
  lines: Round<Line<Item>>;
}

/** Members that share evenly. A member that joins or returns starts at the current floor, so it can't catch up on time it wasn't waiting. */
class Round<Member extends Share> {
  members = new Map<string, Member>();
  #floor = 0;

  /** Returns a member, created if needed. */
  of(id: string, create: () => Omit<Member, keyof Share>): Member {
    const known = this.members.get(id);
    if (known) {
      if (known.waiting === 0) known.served = Math.max(known.served, this.#floor);
      return known;
    }
    const member = { ...create(), served: this.#floor, waiting: 0, droppable: 0 } as Member;
    this.members.set(id, member);
    return member;
  }

  next(): Member | undefined {
    const waiting = [...this.members.values()].filter((member) => member.waiting > 0);
    return waiting.reduce<Member | undefined>(
      (best, one) => (best && best.served <= one.served ? best : one),
      undefined,
    );
  }

  heaviest(): Member | undefined {
    const members = [...this.members.values()];
    return members.reduce<Member | undefined>(
      (best, one) => (best && best.droppable > one.droppable ? best : one),
      undefined,
    );
  }

  serve(member: Member, cost: number): void {
    this.#floor = member.served;
    member.served += cost;
  }

  /** Forgets members that wait for nothing, when they are many. */
  tidy(): void {
    if (this.members.size <= MOST_REMEMBERED) return;
    for (const [id, { waiting }] of this.members) if (waiting === 0) this.members.delete(id);
  }
}

const MOST_REMEMBERED = 1000;

/**
 * A queue that shares what it serves, measured in cost, evenly between organizations, and within an organization evenly
 * between its callers. When it is full, the caller with the heaviest line loses its last items.
 */
export class FairQueue<Item> {
  #organizations = new Round<Organization<Item>>();
  #size = 0;
  #droppable = 0;
  #bounds;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Number of organizations of which it knows what they received. */
  get remembered(): number {
    return this.#organizations.members.size;
  }

  /** Adds an item. Returns the items that have to leave for it, which may include it; none if there was room. */
  push({ organizationId, subject }: ScanOwner, entry: Entry<Item>): Item[] {
    const organization = this.#organizations.of(organizationId, () => ({ lines: new Round<Line<Item>>() }));
    const line = organization.lines.of(subject, () => ({ entries: [] }));
    line.entries.push(entry);
    this.#count(organization, line, entry, 1);
    const dropped: Item[] = [];
    while (organization.droppable > this.#bounds.perOrganization) dropped.push(this.#dropFrom(organization));
    while (this.#droppable > this.#bounds.total) dropped.push(this.#dropFrom(this.#organizations.heaviest()));
    return dropped;
  }

  /** Removes and returns the item that is served next. */
  shift(): Item | undefined {
    const organization = this.#organizations.next();
    const line = organization?.lines.next();
    const entry = line?.entries.shift();
    if (!organization || !line || !entry) return undefined;
    organization.lines.serve(line, entry.cost);
    this.#organizations.serve(organization, entry.cost);
    this.#count(organization, line, entry, -1);
    return entry.item;
  }

  /** Removes an item that no longer waits for its turn. */
  remove(item: Item): void {
    for (const organization of this.#organizations.members.values())
      for (const line of organization.lines.members.values()) {
        const entry = line.entries.find((each) => each.item === item);
        if (!entry) continue;
        line.entries = line.entries.filter((each) => each !== entry);
        this.#count(organization, line, entry, -1);
        return;
      }
  }

  #dropFrom(organization: Organization<Item> | undefined): Item {
    const line = organization?.lines.heaviest();
    const dropped = line?.entries.findLast(({ isKept }) => !isKept);
    if (!organization || !line || !dropped) throw new Error("nothing to drop");
    line.entries = line.entries.filter((each) => each !== dropped);
    this.#count(organization, line, dropped, -1);
    return dropped.item;
  }

  #count(
    organization: Organization<Item>,
    line: Line<Item>,
    { isKept, weight = 1 }: Entry<Item>,
    change: 1 | -1,
  ): void {
    const droppable = isKept ? 0 : change * weight;
    for (const share of [line, organization]) {
      share.waiting += change;
      share.droppable += droppable;
    }
    this.#size += change;
    this.#droppable += droppable;
    organization.lines.tidy();
    this.#organizations.tidy();
  }
}
