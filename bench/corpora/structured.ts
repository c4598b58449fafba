// The corpora of the structured kinds: hand-written frames, filled with values of no real person from a fixed seed.
import { readFileSync, writeFileSync } from "node:fs";
import { Faker, base, en, de, es, fr, en_GB, it, ja, pt_BR } from "@faker-js/faker";

const KINDS = ["email", "phone", "ssn", "credit-card", "ip-address"] as const;
const HALVES = { tuning: 11, "held-out": 977 } as const;
/** Sentences generated from a frame with values. */
const FILLINGS = 3;

const folder = new URL("../../lib/engine/filters/corpora/", import.meta.url);

function luhnDigit(payload: string): string {
  const sum = Array.from(payload)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Kind of a placeholder's value: `{email}` is labelled, `{~order}` is filler. */
function valuesOf(seed: number): Record<string, () => string> {
  const fakers = { en, de, es, fr, en_GB, it, ja, pt_BR };
  const local = Object.fromEntries(
    Object.entries(fakers).map(([name, locale], index) => {
      const faker = new Faker({ locale: [locale, en, base] });
      faker.seed(seed + index);
      return [name, faker];
    }),
  ) as Record<keyof typeof fakers, Faker>;
  const f = local.en;
  const digits = (length: number) => f.string.numeric({ length, allowLeadingZeros: false });
  const pick = <T>(values: readonly T[]) => f.helpers.arrayElement(values);

  const pan = () => {
    const [prefix, length] = pick([
      ["4", 16],
      ["4", 16],
      ["51", 16],
      ["55", 16],
      ["2221", 16],
      ["6011", 16],
      ["65", 16],
      ["3530", 16],
      ["62", 16],
    ] as const);
    const payload = prefix + f.string.numeric(length - 1 - prefix.length);
    return payload + luhnDigit(payload);
  };
  const grouped = (number: string) => number.replace(/(\d{4})(?=\d)/g, `$1${pick([" ", "-"])}`);
  const spoiled = (number: string) =>
    number.slice(0, -1) + String((Number(number.slice(-1)) + f.number.int({ min: 1, max: 9 })) % 10);
  const amex = () => {
    const payload = pick(["34", "37"]) + f.string.numeric(12);
    return payload + luhnDigit(payload);
  };
  const diners = () => {
    const payload = `36${f.string.numeric(11)}`;
    return payload + luhnDigit(payload);
  };
  const ssn = (separator: string) => {
    const area = f.number.int({ min: 1, max: 899 });
    return [
      String(area === 666 ? 665 : area).padStart(3, "0"),
      String(f.number.int({ min: 1, max: 99 })).padStart(2, "0"),
      String(f.number.int({ min: 1, max: 9999 })).padStart(4, "0"),
    ].join(separator);
  };
  const quad = (most: number) => Array.from({ length: 4 }, () => f.number.int({ min: 0, max: most })).join(".");
  const ipv4 = () =>
    pick([
      () => f.internet.ipv4(),
      () => `10.${quad(255).split(".").slice(1).join(".")}`,
      () => `192.168.${f.number.int(255)}.${f.number.int({ min: 1, max: 254 })}`,
    ])();
  const group = () => f.number.int({ min: 1, max: 0xffff }).toString(16);
  const ipv6 = () =>
    pick([
      () => f.internet.ipv6(),
      () => `2001:db8::${group()}`,
      () => `2a02:${group()}:${group()}::${group()}:1`,
      () => `fd00:${group()}::1`,
    ])();
  const domain = () =>
    pick([
      "example.com",
      "example.org",
      "mail.example.net",
      "example.co.uk",
      "corp.example.io",
      "example.de",
      "post.example.fr",
    ]);
  const person = () =>
    [f.person.firstName(), f.person.lastName()].map((name) => name.toLowerCase().replace(/[^a-z]/g, ""));
  const email = () => {
    const [first = "", last = ""] = person();
    return `${pick([`${first}.${last}`, `${first[0] ?? ""}${last}`, `${first}_${last}${digits(2)}`, `${last}-${first}`, first])}@${domain()}`;
  };
  const national = (faker: Faker) => faker.phone.number({ style: "human" });
  const international = () => {
    const number = pick(Object.values(local)).phone.number({ style: "international" });
    return pick([
      number,
      `${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`,
      `${number.slice(0, 3)}-${number.slice(3, 6)}-${number.slice(6)}`,
    ]);
  };
  const phoneUs = () =>
    f.helpers
      .fromRegExp(
        pick([
          "[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}",
          "\\([2-9][0-9]{2}\\) [2-9][0-9]{2}-[0-9]{4}",
          "[2-9][0-9]{2}\\.[2-9][0-9]{2}\\.[0-9]{4}",
          "1-[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}",
        ]),
      )
      .replaceAll("\\", "");

  return {
    email,
    "email-plus": () => email().replace("@", `+${f.lorem.word()}@`),
    "email-upper": () => email().toUpperCase(),
    "email-idn": () =>
      pick([
        "jörg.müller@example.de",
        "renée@exämple.fr",
        "δοκιμή@παράδειγμα.ελ",
        "почта@пример.рф",
        "info@xn--bcher-kva.example",
        "用户@例子.中国",
        "søren@ærlig.dk",
        "ñandu.perez@correo.example.es",
      ]),
    "phone-us": phoneUs,
    "phone-us-intl": () => `+1 ${phoneUs().replace(/^1-/, "")}`,
    "phone-us-ext": () => `${phoneUs()} ${pick(["x", "ext. ", "ext "])}${digits(3)}`,
    "phone-intl": international,
    "phone-de": () => national(local.de),
    "phone-fr": () => national(local.fr),
    "phone-gb": () => national(local.en_GB),
    "phone-es": () => national(local.es),
    "phone-br": () => national(local.pt_BR),
    "phone-it": () => national(local.it),
    "phone-ja": () => national(local.ja),
    "phone-10": () => pick(["2", "3", "4", "6", "7"]) + f.string.numeric(9),
    "phone-800": () => `1-800-555-01${f.string.numeric(2)}`,
    "phone-7": () => `555-01${f.string.numeric(2)}`,
    ssn: () => ssn("-"),
    "ssn-space": () => ssn(" "),
    "ssn-bare": () => ssn(""),
    "ssn-ok": () => ssn("-"),
    card: () => grouped(pan()),
    "card-bare": pan,
    "card-amex": () => amex().replace(/^(\d{4})(\d{6})/, pick(["$1 $2 ", "$1-$2-", "$1$2"])),
    "card-diners": () => diners().replace(/^(\d{4})(\d{6})/, pick(["$1 $2 ", "$1$2"])),
    "card-bad": () => grouped(spoiled(pan())),
    "card-bad-bare": () => spoiled(pan()),
    ipv4,
    ipv6,
    "ipv6-ll": () => `fe80::${group()}:${group()}`,
    "ipv6-mapped": () => `::ffff:${ipv4()}`,
    ip: () => f.internet.ipv4(),
    "small-quad": () => quad(19),
    word: () => f.lorem.word({ length: { min: 4, max: 9 } }),
    handle: () => `${f.lorem.word()}_${digits(2)}`,
    semver: () => f.system.semver(),
    sha: () => f.git.commitSha({ length: 12 }),
    uuid: () => f.string.uuid(),
    order: () =>
      pick([
        `ORD-${digits(5)}-${digits(3)}`,
        `#${digits(8)}`,
        `${digits(3)}-${digits(7)}-${digits(7)}`,
        `PO${digits(9)}`,
      ]),
    num: () => digits(3),
    bignum: () => digits(f.number.int({ min: 8, max: 11 })),
    sku: () => f.string.alphanumeric(8).toUpperCase(),
    amount: () => f.number.int({ min: 10_000, max: 99_999_999 }).toLocaleString("en-US"),
    tracking: () =>
      pick([`1Z${f.string.alphanumeric(6).toUpperCase()}${digits(10)}`, `RR${digits(9)}DE`, `94${digits(20)}`]),
    date: () => f.date.past({ years: 9, refDate: "2026-01-01" }).toISOString().slice(0, 10),
    time: () => f.date.past({ refDate: "2026-01-01" }).toISOString().slice(11, 19),
    iso: () => f.date.past({ refDate: "2026-01-01" }).toISOString(),
    epoch: () => `17${digits(11)}`,
    imei: () => `35${f.string.numeric(13)}`,
    isbn: () => f.commerce.isbn(),
    ean: () => `40${digits(11)}`.replace(/.$/, "0"),
    iban: () => f.finance.iban({ formatted: true, countryCode: "DE" }),
    latlon: () => `${f.location.latitude()}, ${f.location.longitude()}`,
    mac: () => f.internet.mac(),
    fingerprint: () =>
      Array.from({ length: 16 }, () => f.string.hexadecimal({ length: 2, casing: "lower", prefix: "" })).join(":"),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 17].map((length) => [`d${length}`, () => digits(length)])),
  };
}

function fill(frame: string, values: Record<string, () => string>) {
  const spans: [number, number][] = [];
  let text = "";
  let read = 0;
  for (const match of frame.matchAll(/\{(~?)([a-z0-9-]+)\}/g)) {
    const value = values[match[2] ?? ""];
    if (!value) continue;
    text += frame.slice(read, match.index);
    const filled = value();
    if (!match[1]) spans.push([text.length, text.length + filled.length]);
    text += filled;
    read = match.index + match[0].length;
  }
  return { text: text + frame.slice(read), spans };
}

for (const kind of KINDS)
  for (const [half, seed] of Object.entries(HALVES)) {
    const frames = readFileSync(new URL(`${kind}.${half}.txt`, import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line && !line.startsWith("# look-alikes"));
    const values = valuesOf(seed);
    const sentences = frames.flatMap((line) => {
      const frame = line.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
      return Array.from({ length: /\{~?[a-z]+[a-z0-9-]*\}/.test(frame) ? FILLINGS : 1 }, () => fill(frame, values));
    });
    writeFileSync(
      new URL(`${kind}.${half}.jsonl`, folder),
      `${sentences.map((sentence) => JSON.stringify(sentence)).join("\n")}\n`,
    );
  }
