import fc from "fast-check";
import { getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import { REGIONS } from "../../../records/workspaces/vocabulary";
import { detectPhone } from "./phone";

const found = (text: string, ...regions: string[]) =>
  detectPhone(text, regions).map(({ start, end }) => text.slice(start, end));

/** National forms by region; none stands beside a word for a phone. */
const FORMS: Record<string, readonly string[]> = {
  AR: ["011 2345-6789", "(011) 2345-6789"],
  AT: ["0664 1234567", "01 5123456"],
  AU: ["0412 345 678", "(02) 9876 5432", "02 9876 5432"],
  BE: ["0470 12 34 56", "02 123 45 67"],
  BR: ["(11) 96123-4567", "11 96123-4567", "(11) 2345-6789"],
  CH: ["044 668 18 00", "079 123 45 67"],
  CN: ["131 2345 6789", "010 1234 5678", "0755-2345 6789"],
  CZ: ["601 123 456", "212 345 678"],
  DE: ["030 1234567", "0171 1234567", "01711234567", "030/1234567", "0171-1234567"],
  DK: ["32 12 34 56", "3212 3456"],
  ES: ["612 34 56 78", "912 345 678", "612 345 678"],
  FI: ["040 1234567", "09 1234567"],
  FR: ["01 23 45 67 89", "06.12.34.56.78", "0612345678"],
  GB: ["020 7946 0958", "07700 900123", "(0117) 496 0123", "07400123456"],
  GR: ["21 2345 6789", "691 234 5678"],
  HK: ["5123 4567", "2123 4567"],
  HU: ["06 20 123 4567", "06 1 234 5678", "06 1 234 5678"],
  IE: ["01 234 5678", "085 012 3456"],
  IL: ["050-234-5678", "02-123-4567"],
  IN: ["98765 43210", "098765 43210", "011 2345 6789"],
  IT: ["06 1234 5678", "312 345 6789", "333 1234567", "02 12345678"],
  JP: ["090-1234-5678", "03-1234-5678"],
  KR: ["010-2000-0000", "02-2123-4567"],
  MX: ["55 1234 5678", "222 123 4567"],
  NL: ["06 12345678", "020 123 4567", "0612345678"],
  NO: ["22 12 34 56", "406 12 345"],
  NZ: ["021 123 4567", "03 345 6789", "(09) 345 6789"],
  PL: ["512 345 678", "12 345 67 89", "22 123 45 67"],
  PT: ["912 345 678", "21 234 5678"],
  RO: ["0712 034 567", "021 123 4567"],
  RU: ["8 (912) 345-67-89", "8 912 345-67-89"],
  SE: ["08-123 456 78", "070-123 45 67"],
  SG: ["8123 4567", "6123 4567"],
  TR: ["0501 234 56 78", "0212 345 67 89"],
  UA: ["050 123 4567", "(067) 123-45-67"],
  US: ["(212) 555-0123", "212-555-0123", "212.555.0123"],
  ZA: ["071 123 4567", "010 123 4567", "0711234567"],
};

describe.each(Object.entries(FORMS))("the region %s", (region, numbers) => {
  it.each(numbers)("finds %s", (number) => {
    expect(found(`Please write to Ann or try ${number} before noon.`, region)).toEqual([number]);
    expect(found(`Ann Example, ${number}`, "US", region)).toEqual([number]);
  });
});

it("finds the library's example of a mobile number in nine regions of ten", () => {
  const missed = REGIONS.filter((region) => {
    const number = getExampleNumber(region, examples)?.formatNational() ?? "";
    return !found(`Please try ${number} before noon.`, region).includes(number);
  });
  expect(missed.length).toBeLessThan(REGIONS.length / 10);
});

it("needs the region, or a word for a phone", () => {
  expect(found("try 512 345 678 or 01711234567")).toEqual([]);
  expect(found("try 512 345 678 or 01711234567", "FR")).toEqual([]);
  expect(found("try 512 345 678 or 01711234567", "PL", "DE")).toEqual(["512 345 678", "01711234567"]);
  expect(found("call 512 345 678", "FR")).toEqual(["512 345 678"]);
  expect(found("try 512 345 678", "XX")).toEqual([]);
});

const MANY = ["DE", "FR", "GB", "ES", "US", "PL", "DK", "IT", "BR", "IN"];
it.each([
  "on 2024-01-15 10:30:00 and 01.02.2024, 12.03.2023 08:15",
  "from 2019 2024, 2019-2024 or 2024 1231",
  "version 1.02.03.0405, v01.02.03",
  "order 0301234567, order 512 345 678, invoice no. 0171 1234567",
  "512 345 678 zł, PLN 512 345 678, € 612 345 678, 32 12 34 56 kr, 612 345 678,00",
  "1.234.567,89 and 612.345.678",
  "22 12 34 56 78 90 11",
  "192.168.100.101 0.12345678",
  "10 000 000 people, 12 345 678 rows, 100 200 300",
  "ISBN 978-3-16-148410-0",
  "id=0612345678 x_0612345678 #0612345678 0x0612345678",
  "0001234567 1700000000 9876543210",
  "03-17 16:13:38.859  2227  2227 D TextView",
  "00:11:22:33 12/34/5678",
  "4111 1111 1111 1111",
])("isn't a number of any of ten regions: %s", (text) => expect(found(text, ...MANY)).toEqual([]));

it("spans are ascending and don't overlap for any text", () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from("0123456789 .-/()\n")), maxLength: 120 }), (text) => {
      const spans = detectPhone(text, MANY);
      return spans.every(
        ({ start, end }, index) => start >= (spans[index - 1]?.end ?? 0) && start < end && end <= text.length,
      );
    }),
  ));
