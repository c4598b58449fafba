/** A seeded random generator (mulberry32), so that a seed reproduces a model. */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    const item = from[Math.floor(this.next() * from.length)];
    if (item === undefined) throw new Error("Cannot pick from an empty list");
    return item;
  }

  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const [taken] = items.splice(this.between(0, i), 1, ...items.slice(i, i + 1));
      if (taken !== undefined) items[i] = taken;
    }
    return items;
  }
}
