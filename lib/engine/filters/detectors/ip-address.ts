import ipaddr from "ipaddr.js";
import type { Detector } from "../detector";
import { hasDigits } from "./digits";
import { withoutOverlaps, isFollowed, isPreceded } from "./surroundings";

const V4 =
  /(?<![\p{Lu}\p{Ll}\d_]|\d\.|[~^<>=]=\s?|[~^<>]|[\p{Lu}\p{Ll}\d][-+])\d{1,3}(?:\.\d{1,3}){3}(?![\p{Lu}\p{Ll}\d_]|\.\d)/gu;
const FEWEST_V4 = 4;
const V4_START = /\d\.\d{1,3}\.\d/;
/** Maximum number of characters between two colons of an address. */
const MOST_BETWEEN_COLONS = 48;
const V6_CHARACTER = /[0-9A-Fa-f:.]/;
const ZONE = /^%[A-Za-z0-9][\w.-]{0,15}/;
const LONGEST_V6 = 46;

const VERSION_BEFORE =
  /(?:\b(?:versions?|ver|v|release[ds]?|rev(?:ision)?|build|firmware|fw|bios|driver|sections?|sec|chapter|clause|paragraph|para|article|appendix|figure|fig|table|step|item|oid|rule|requirement|req|heading|patch|hotfix|kernel|sdk|api|schema|runtime)\b\.?|§)["'`:=\s(#]{0,4}(?:(?:is|was|to|from|number|no|of)\s{1,2}){0,2}$|[\p{L}\d_.]\/$/iu;
/** Signs of an address rather than a version: another address and a slash before it, or a port after it. */
const PAIR_BEFORE = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\/$/;
const PORT_AFTER = /^:\d{2,5}(?![\d.])/;
const VERSION_AFTER =
  /^(?:[-+.]?(?:alpha|beta|rc\d*|snapshot|dev|pre|final|release|ga|stable|hotfix)\b|[-_.](?:tar|zip|jar|gz|tgz|exe|msi|deb|rpm|whl|dll|so|dmg|apk|nupkg)\b|\s{1,2}(?:release|version|update|build|firmware|of the (?:app|software|spec))\b)/i;
const VERSION_TALK =
  /\b(?:version|release|upgrad|updat|downgrad|install|firmware|driver|changelog|patch|build|bump|ship|package|plugin|depend|library|sdk|assembly|numbering|clause|section)[^\n]{0,60}$/i;
const ADDRESS_TALK =
  /\b(?:ip|ips|ipv4|address|addresses|addr|hosts?|servers?|client|peer|ping|dns|gateway|router|subnet|node|proxy|firewall|ssh|bind|listen|connect|connected|resolver|origin|remote|network|traffic|request|login|logged|traceroute|nameserver|endpoint|machine)\b[^\n]{0,40}$/i;

/**
 * True for a dotted quad that is a version number: directly next to a word for software, or with small numbers in a
 * line about software.
 */
function isVersion(text: string, start: number, address: string): boolean {
  const end = start + address.length;
  if (isPreceded(text, start, PAIR_BEFORE, 24) || isFollowed(text, end, PORT_AFTER, 7)) return false;
  if (isPreceded(text, start, VERSION_BEFORE, 40) || isFollowed(text, end, VERSION_AFTER, 24)) return true;
  const [first = 0, ...rest] = address.split(".").map(Number);
  const isSmall = first < 40 && first !== 10 && rest.filter((part) => part < 40).length >= 2;
  return (
    isSmall &&
    (isPreceded(text, start, /[\p{L}\d]@$/u, 2) ||
      (isPreceded(text, start, VERSION_TALK, 90) && !isPreceded(text, start, ADDRESS_TALK, 60)))
  );
}

const v4 = (text: string) =>
  Array.from(hasDigits(text, FEWEST_V4) && V4_START.test(text) ? text.matchAll(V4) : []).flatMap(
    ({ 0: address, index }) =>
      ipaddr.IPv4.isValidFourPartDecimal(address) && !isVersion(text, index, address)
        ? [{ start: index, end: index + address.length }]
        : [],
  );

/** True for a run with `::`, with eight parts, or with six and a dotted quad; cheaply excludes times. */
function hasParts(run: string): boolean {
  if (run.includes("::")) return true;
  let colons = 0;
  for (let at = run.indexOf(":"); at >= 0; at = run.indexOf(":", at + 1)) colons += 1;
  return colons === 7 || (colons === 6 && run.includes("."));
}

/**
 * Rejects look-alikes: scopes such as `a::b`, slices such as `x[1::2]`, hardware addresses (eight pairs) and ratios
 * (eight single digits).
 */
function isV6(text: string, start: number, run: string): boolean {
  if (run.length > LONGEST_V6 || !hasParts(run) || !ipaddr.IPv6.isValid(run)) return false;
  if (!run.includes("::")) return !/^(?:[0-9A-Fa-f]{2}:){7}[0-9A-Fa-f]{2}$/.test(run) && !/^(?:\d:){7}\d$/.test(run);
  return /\d/.test(run) && !isPreceded(text, start, /[\p{L}\d_)\]]\[$/u, 2);
}

/** True for a hexadecimal digit or a dot. */
const isBetweenColons = (unit: number) =>
  unit === 46 || (unit > 47 && unit < 58) || (unit > 96 && unit < 103) || (unit > 64 && unit < 71);

/** Returns the runs of address characters that contain two colons near each other. */
function runsOf(text: string): { run: string; index: number }[] {
  const runs: { run: string; index: number }[] = [];
  let colon = text.indexOf(":");
  let past = 0;
  while (colon >= 0) {
    const next = text.indexOf(":", colon + 1);
    if (next < 0) break;
    if (!isNear(text, colon, next)) {
      colon = next;
      continue;
    }
    let start = colon;
    while (start > past && V6_CHARACTER.test(text.charAt(start - 1))) start -= 1;
    past = colon;
    while (past < text.length && V6_CHARACTER.test(text.charAt(past))) past += 1;
    runs.push({ run: text.slice(start, past), index: start });
    colon = text.indexOf(":", past);
  }
  return runs;
}

/** True when only a few characters of addresses are between two colons. */
function isNear(text: string, colon: number, next: number): boolean {
  if (next - colon - 1 > MOST_BETWEEN_COLONS) return false;
  for (let at = colon + 1; at < next; at += 1) if (!isBetweenColons(text.charCodeAt(at))) return false;
  return true;
}

function v6(text: string) {
  return runsOf(text).flatMap(({ run, index }) => {
    if (run.length > LONGEST_V6 + 2 || run.indexOf(":") === run.lastIndexOf(":")) return [];
    const address = run.endsWith("::") ? run : run.replace(/[:.]$/, "");
    const end = index + address.length;
    if (
      isPreceded(text, index, /[\p{L}\d_-]$/u, 1) ||
      isFollowed(text, end, /^[\p{L}\d_]/u, 1) ||
      !isV6(text, index, address)
    )
      return [];
    return [{ start: index, end: end + (ZONE.exec(text.slice(end, end + 17))?.[0].length ?? 0) }];
  });
}

/** Detects IPv4 and IPv6 addresses accepted by ipaddr.js; excludes version numbers, times and hardware addresses. */
export const detectIpAddress: Detector = (text) => withoutOverlaps([...v6(text), ...v4(text)]);
