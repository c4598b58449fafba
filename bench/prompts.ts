// Prompts of 1 kB for benchmarks.
import { readdirSync, readFileSync } from "node:fs";

/** A prompt without a match, and of few words. */
export const PROMPT = "Summarize the meeting notes in three sentences. ".repeat(20);

const LENGTH = 960;
const OFFSETS = Array.from({ length: 24 }, (_, index) => (index * LENGTH) / 24);
const FOLDERS = ["../docs/", "../docs/decisions/"].map((folder) => new URL(folder, import.meta.url));
const GUIDES = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(new URL(name, folder), "utf8")),
).join("\n");

/**
 * Prompts that are all different, with tables, code and names: pieces of the documentation. More than a process remembers as texts
 * without a match (`runTask`).
 */
export const DIFFERENT_PROMPTS: readonly string[] = OFFSETS.flatMap(
  (offset) => GUIDES.slice(offset).match(new RegExp(`[^]{${LENGTH}}`, "g")) ?? [],
);
