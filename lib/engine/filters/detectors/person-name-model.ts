import { B, LABELS, O, type Model } from "./person-name-tagger";
import { CALENDAR, COMMON, FIRST, LAST, ORGANIZATION, PARTICLE, PLACE, ROLE, TAIL, TITLE } from "./person-name-words";

const CLASSES = {
  first: FIRST,
  last: LAST,
  common: COMMON,
  place: PLACE,
  organization: ORGANIZATION,
  title: TITLE,
  particle: PARTICLE,
  tail: TAIL,
  role: ROLE,
  calendar: CALENDAR,
};

/** A stored model: words separated by spaces, weights as base64 of signed bytes. */
export interface StoredModel {
  bits: number;
  caution: number;
  lexicon: Record<keyof typeof CLASSES, string>;
  /** Brands, products and concepts that look like names of people, separated by `|`. */
  notPeople: string;
  weights: string;
}

export function loadModel({ bits, caution, lexicon, notPeople, weights }: StoredModel): Model {
  const flags = new Map<string, number>();
  for (const [name, flag] of Object.entries(CLASSES)) {
    for (const word of lexicon[name as keyof typeof CLASSES].split(" ")) flags.set(word, (flags.get(word) ?? 0) | flag);
  }
  const byLabel = Int8Array.from(atob(weights), (character) => character.charCodeAt(0));
  return {
    lexicon: flags,
    weights: byLabel,
    margins: Int16Array.from(
      { length: byLabel.length / LABELS },
      (_, feature) => (byLabel[feature * LABELS + B] ?? 0) - (byLabel[feature * LABELS + O] ?? 0),
    ),
    notPeople: new Set(notPeople.split("|")),
    mask: (1 << bits) - 1,
    caution,
  };
}
