/** USD with at most six decimals, as on the wire → whole micro-USD, as in the database. */
export const toMicroUsd = (usd: number): bigint => BigInt(Math.round(usd * 1_000_000));

export const fromMicroUsd = (microUsd: bigint): number => Number(microUsd) / 1_000_000;
