// Sentences with telephone numbers: the templates of presidio-research, filled with numbers in the formats of several countries.
import { textOf, type Sentence } from "./sets";
import { Random } from "../names/random";

/** Formats of numbers; # is any digit, % a digit from 2 to 9. */
const FORMATS = [
  "%##-%##-####",
  "(%##)%##-####",
  "(%##) %##-####",
  "%##.%##.####",
  "+1-%##-%##-####",
  "001-%##-%##-####",
  "%##%######",
  "%##-%##-####x###",
  "(%##)%##-####x####",
  "%##.%##.####x0###",
  "+1-%##-%##-####x#####",
  "001-%##-%##-####x##",
  "%##-%##-#### ext. ###",
  "+44 20 7946 0###",
  "+447700 900###",
  "07700 900 ###",
  "020 7946 0###",
  "+49 (0)30 %#######",
  "0151 2%######",
  "030 %#######",
  "+33 6 12 ## ## ##",
  "01.84.17.##.##",
  "06 12 ## ## ##",
  "+41 (0)96 %## ## ##",
  "044 %## ## ##",
  "+46 (0)8 %## ### ##",
  "0490 ## ## ##",
  "03 %### ####",
  "+61 4## ### ###",
  "+39 02 %### ####",
  "02 %### ####",
  "+34 6## ### ###",
  "6## ### ###",
  "+91 98### #####",
  "098### #####",
  "+81-90-####-####",
  "082 %## ####",
];
const OTHER: Record<string, readonly string[]> = {
  person: ["Helena Moore", "Ramon Ortiz"],
  name: ["Anna Schmidt"],
  first_name: ["Nina"],
  organization: ["Northwind Ltd"],
  job: ["Accountant"],
  address: ["12 Mill Lane, Leeds"],
  building_number: ["12"],
  street_name: ["Mill Lane"],
  secondary_address: ["Apt. 4"],
  city: ["Leeds"],
  country: ["United Kingdom"],
  postcode: ["LS1 4AP"],
  date_time: ["2023-05-12 10:20:39"],
  email: ["nina@example.org"],
  url: ["https://example.org"],
};

export function phoneSentences(count: number): Sentence[] {
  const random = new Random(7);
  const templates = textOf("presidio/templates.txt")
    .split("\n")
    .filter((line) => line.includes("{{phone_number}}"));
  return Array.from({ length: count }, () => {
    const spans: Sentence["spans"] = [];
    let text = "";
    for (const part of random
      .pick(templates)
      .replaceAll("\\n", "\n")
      .replaceAll("\\,", ",")
      .split(/(?<=\}\})|(?=\{\{)/)) {
      const slot = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
      const start = text.length;
      if (slot === "phone_number") {
        text += random.pick(FORMATS).replace(/[#%]/g, (mark) => String(random.between(mark === "%" ? 2 : 0, 9)));
        spans.push({ start, end: text.length });
      } else text += slot ? random.pick(OTHER[slot] ?? ["Alpha"]) : part;
    }
    return { text, spans };
  });
}
