// Prompts of 1 kB for benchmarks.
import { readdirSync, readFileSync } from "node:fs";

/** A prompt without a match, and of few words. */
export const PROMPT = "Summarize the meeting notes in three sentences. ".repeat(20);

const GUIDES = new URL("../docs/", import.meta.url);

/** Prompts that are all different: the guides of docs in pieces. Words and texts that were read before cost less. */
export const DIFFERENT_PROMPTS: readonly string[] = readdirSync(GUIDES)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => readFileSync(new URL(name, GUIDES), "utf8").match(/[^]{960}/g) ?? []);
