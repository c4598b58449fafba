import type { Masked } from "@/lib/features/content-access/contract";

const NAMES: Readonly<Record<Masked["rule"], readonly [one: string, many: string]>> = {
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

/** `2 email addresses and 1 phone number`. */
export const describeMasked = (masked: readonly Masked[]): string =>
  new Intl.ListFormat("en-GB").format(
    masked.map(
      ({ rule, count }) => `${count}${count >= COUNTED ? " or more" : ""} ${NAMES[rule][count === 1 ? 0 : 1]}`,
    ),
  );
