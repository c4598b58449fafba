import "server-only";
import { setImmediate } from "node:timers/promises";

/** Size above which a step over a text takes milliseconds. */
const LARGE = 256 * 1024;

/** Lets the event loop run between two steps over a large text, in bytes or characters. */
export const yieldAfter = (size: number): Promise<void> | undefined => (size > LARGE ? setImmediate() : undefined);
