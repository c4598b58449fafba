import { allLocales, type LocaleDefinition } from "@faker-js/faker";
import { ROMANISED } from "./name-words";

export interface Names {
  first: string[];
  last: string[];
}

const LATIN = /^[\p{Script=Latin}'’ -]{2,24}$/u;

/** Flattens a definition: a list, or lists by sex, possibly weighted or missing. */
function strings(definition: unknown): string[] {
  if (typeof definition === "string") return [definition];
  if (definition === null || typeof definition !== "object") return [];
  if ("value" in definition) return strings(definition.value);
  return Object.values(definition).flatMap(strings);
}

const latin = (definition: unknown) =>
  [...new Set(strings(definition))].filter((name) => LATIN.test(name) && !name.includes("{"));

const ofLocale = (locale: LocaleDefinition): Names => ({
  first: latin(locale.person?.first_name),
  last: latin(locale.person?.last_name),
});

/** Returns names in Latin script by language: from @faker-js/faker's locales and the romanized lists. */
export function namesByPeople(): Names[] {
  const locales = Object.entries(allLocales)
    .filter(([code]) => code !== "en_BORK" && code !== "eo" && code !== "en_AU_ocker")
    .map(([, locale]) => ofLocale(locale))
    .filter(({ first, last }) => first.length >= 20 && last.length >= 20);
  return [...locales, ...ROMANISED, ...ROMANISED];
}

/** Returns all strings of a faker definition in any language. */
export function everywhere(definition: (locale: LocaleDefinition) => unknown): string[] {
  return [...new Set(Object.values(allLocales).flatMap((locale) => latin(definition(locale))))];
}
