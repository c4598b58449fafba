import { count } from "@/lib/platform/count";

export const SECONDS_PER_MINUTE = 60;

export const minutesOf = (seconds: number): number => Number((seconds / SECONDS_PER_MINUTE).toFixed(2));

/** "15 minutes". */
export const lifetimeText = (seconds: number): string => count(minutesOf(seconds), "minute");
