import "server-only";
import { hash, verify } from "@node-rs/argon2";

/** Argon2id's number in `@node-rs/argon2`, whose enum exists only at compile time. */
const ARGON2ID_ALGORITHM = 2;

/** OWASP password storage: argon2id, 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { algorithm: ARGON2ID_ALGORITHM, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, PARAMETERS);

let decoy: Promise<string> | undefined;

/** Verifies a password; an account without one takes the same time as a wrong password. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await (decoy ??= hashPassword("decoy"))), password);
  return matches && typeof passwordHash === "string";
}
