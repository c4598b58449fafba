import type { Detection, Detector } from "../detector";
import { isFollowed, isPreceded } from "./surroundings";

const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 255;

/** Characters of a Latin local part. Ideographs and syllables are excluded: they may precede it without a space. */
const ASCII_LOCAL = /[A-Za-z0-9._%+'~!#$\u00c0-\u024f-]/;
const ANY_LOCAL = /[\p{L}\p{M}\p{N}._%+'~-]/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?[.。]){1,8}(?:xn--[A-Za-z0-9-]{2,59}|[A-Za-z]{2,24}(?![A-Za-z0-9_])|(?:(?!\p{ASCII})[^\p{P}\p{Z}\p{S}]){2,24})/u;
const ADDRESS_LITERAL = /^\[(?:IPv6:)?[0-9A-Fa-f:.]{3,45}\]/;

/** File extensions and similar suffixes that aren't top-level domains: `logo@2x.png`, `getty@tty1.service`. */
const FILE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ya?ml|json|tsx?|jsx|css|html?|txt|xml|toml|lock|conf|log|csv|sql|exe|dll|service|socket|timer|mount|slice|local|localdomain|internal|lan)$/i;
const REMOTE_USER = /^(?:git|hg|svn|cvs)$/i;
const REMOTE_PATH = /^:(?:[~.\w-]{0,64}\/|[\w.-]{1,64}\.git\b)/;
const URL_USER = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/]{0,120}$/i;
const LOGIN_COMMAND =
  /\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)(?:\s{1,4}-[A-Za-z-]{1,20}(?:\s{1,4}[^\s-][^\s]{0,60})?){0,4}(?:\s{1,4}[\w.~/-]{1,60}[./][\w.~/-]{1,60})?\s{1,4}$/;
const MESSAGE_ID = /(?:message-id|in-reply-to|references|content-id)"?:\s{0,4}<?$|\bcid:$/i;

/** Returns the start of the local part that ends at `at`, or `at` when there is none. */
function localStart(text: string, at: number): number {
  const lowest = Math.max(0, at - LONGEST_LOCAL);
  if (text[at - 1] === '"') {
    const quote = text.lastIndexOf('"', at - 2);
    return quote >= lowest && !text.slice(quote, at).includes("\n") ? quote : at;
  }
  const allowed = ASCII_LOCAL.test(text[at - 1] ?? "") ? ASCII_LOCAL : ANY_LOCAL;
  let start = at;
  while (start > lowest && allowed.test(text[start - 1] ?? "")) start -= 1;
  while (start < at && /[.'~!#$%-]/.test(text[start] ?? "")) start += 1;
  return start;
}

const isRemote = (text: string, start: number, end: number, local: string, domain: string): boolean =>
  REMOTE_USER.test(local) ||
  FILE.test(domain) ||
  isFollowed(text, end, REMOTE_PATH, 130) ||
  isPreceded(text, start, URL_USER, 150) ||
  isPreceded(text, start, MESSAGE_ID, 20) ||
  isPreceded(text, start, LOGIN_COMMAND, 200);

/** Detects email addresses, also internationalized; excludes logins, users in URLs, message IDs and file names. */
export const detectEmail: Detector = (text) => {
  const found: Detection[] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const start = Math.max(localStart(text, at), found.at(-1)?.end ?? 0);
    const local = text.slice(start, at);
    if (!local || local.endsWith(".") || (local.includes("..") && !local.startsWith('"'))) continue;
    const rest = text.slice(at + 1, at + 1 + LONGEST_DOMAIN);
    const domain = (DOMAIN.exec(rest) ?? ADDRESS_LITERAL.exec(rest))?.[0];
    if (!domain) continue;
    const end = at + 1 + domain.length;
    if (text[end] === "@" || isRemote(text, start, end, local, domain)) continue;
    found.push({ start, end });
  }
  return found;
};
