import type { Masked } from "@/lib/features/content-access/contract";

const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  secrets: ["secret", "secrets"],
  email: ["email address", "email addresses"],
  phone: ["phone number", "phone numbers"],
  ssn: ["Social Security number", "Social Security numbers"],
  "credit-card": ["card number", "card numbers"],
  "ip-address": ["IP address", "IP addresses"],
  "person-name": ["person’s name", "people’s names"],
  address: ["postal address", "postal addresses"],
};

/** From this count on, the API only reports a lower bound. */
const COUNTED = 100;

const describe = ({ rule, count }: Masked): string => {
  const [one, many] = NAMES[rule] ?? [`match of ${rule}`, `matches of ${rule}`];
  return `${count}${count >= COUNTED ? " or more" : ""} ${count === 1 ? one : many}`;
};

/** `2 email addresses and 1 match of [PROJECT]`. */
export const describeMasked = (masked: readonly Masked[]): string =>
  new Intl.ListFormat("en-GB").format(masked.map(describe));
