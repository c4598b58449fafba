import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { textOf } from "../../engine/protocols/message-text";

const SEARCHABLE_CHARACTERS = 200_000;
/** Starts a tag, which PostgreSQL's parser reads across spaces. */
const TAG = "<";

/**
 * Returns the distinct words of a prompt and its completion: parsing them is most of the database's time for a record.
 * Phrase searches read the content itself.
 */
export function searchText(messages: readonly ChatMessage[], completion: string): string {
  const text = [...messages.map(({ content }) => textOf(content)), completion]
    .join(" ")
    .slice(0, SEARCHABLE_CHARACTERS);
  return text.includes(TAG) ? text : eachWordOnce(text);
}

const [TAB, LINE_FEED, RETURN, SPACE] = [9, 10, 13, 32];
const isSpace = (code: number) => code <= SPACE && (code === SPACE || [TAB, LINE_FEED, RETURN].includes(code));

/**
 * Maximum number of places probed for a word. A word that isn't found is written again, so that colliding words cost no
 * more time.
 */
const MOST_STEPS = 16;

/** Hash table for texts of usual size, reused for each. */
const USUAL_SIZE = 4096;
const usual = [new Int32Array(USUAL_SIZE), new Int32Array(USUAL_SIZE)] as const;

/**
 * Removes repeated words. A hash table of their places costs half as much as a set of strings, and runs of new words
 * are copied together.
 */
function eachWordOnce(text: string): string {
  let size = 64;
  while (size < text.length / 4) size *= 2;
  const [starts, ends] = size <= USUAL_SIZE ? usual : [new Int32Array(size), new Int32Array(size)];
  ends.fill(0, 0, size);
  const kept: string[] = [];
  let from = -1;
  let to = 0;
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    let hash = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) break;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    if (at === start) continue;
    let place = (hash ^ (hash >>> 15)) & (size - 1);
    let isKnown = false;
    for (let steps = 0; ends[place] !== 0 && steps < MOST_STEPS; steps += 1) {
      isKnown = isSame(text, starts[place] as number, ends[place] as number, start, at);
      if (isKnown) break;
      place = (place + 1) & (size - 1);
    }
    if (isKnown) {
      if (from >= 0) kept.push(text.slice(from, to));
      from = -1;
    } else {
      starts[place] = start;
      ends[place] = to = at;
      if (from < 0) from = start;
    }
  }
  if (from >= 0) kept.push(text.slice(from, to));
  return kept.join(" ");
}

function isSame(text: string, first: number, firstEnd: number, second: number, secondEnd: number): boolean {
  const length = firstEnd - first;
  if (length !== secondEnd - second) return false;
  for (let index = 0; index < length; index += 1)
    if (text.charCodeAt(first + index) !== text.charCodeAt(second + index)) return false;
  return true;
}
