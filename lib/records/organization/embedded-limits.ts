import type { EmbeddedLimit } from "./contract";

/** Measured use of an installation on the embedded database. */
export interface EmbeddedUse {
  sizeBytes: number;
  generations: number;
  /** Resident memory of the process. */
  memoryBytes: number;
  /** Memory of the container or machine. */
  memoryAvailableBytes: number;
  /** Share of the busiest minute of the last hour during which the process was busy, 0 to 1. */
  busyShare: number;
}

const GIGABYTE = 1_000_000_000;
/** Maximum size at which a backup takes minutes and pages take less than a second; docs/scaling.md has figures. */
export const MOST_BYTES = 20 * GIGABYTE;
export const MOST_GENERATIONS = 10_000_000;
/** Above this share, requests mostly wait for each other. */
const MOST_BUSY = 0.9;
const NEAR = 0.8;

const levelOf = (share: number): EmbeddedLimit["level"] => (share >= 1 ? "reached" : share >= NEAR ? "near" : "ok");

/** Compares the usage with the limits of the embedded database. */
export const embeddedLimits = (use: EmbeddedUse): EmbeddedLimit[] =>
  (
    [
      ["size_bytes", use.sizeBytes, MOST_BYTES],
      ["generations", use.generations, MOST_GENERATIONS],
      ["memory_bytes", use.memoryBytes, use.memoryAvailableBytes],
      ["busy_share", use.busyShare, MOST_BUSY],
    ] as const
  ).map(([name, used, limit]) => ({ name, used, limit, level: levelOf(used / limit) }));
