import { describe, expect, it } from "vitest";
import { accuracyOf, sentencesOf } from "../../../testing/filter-accuracy";
import { detectAddress } from "./address";

const addressesOf = (text: string) => detectAddress(text).map(({ start, end }) => text.slice(start, end));

it.each([
  ["Ship to 48 Orchard Street, Apt 3, Dover, DE 19901 please.", "48 Orchard Street, Apt 3, Dover, DE 19901"],
  ["I live at 9 Mill Lane, York YO1 7EX.", "9 Mill Lane, York YO1 7EX"],
  ["Adresse: Ahornweg 14a, 20095 Hamburg", "Ahornweg 14a, 20095 Hamburg"],
  ["au 31 rue du Bac, 75007 Paris", "31 rue du Bac, 75007 Paris"],
  ["en Calle Serrano 41, 28001 Madrid", "Calle Serrano 41, 28001 Madrid"],
  ["in Via Dante 7, 20121 Milano", "Via Dante 7, 20121 Milano"],
  ["op Leidsegracht 88, 1016 CR Amsterdam", "Leidsegracht 88, 1016 CR Amsterdam"],
  ["Unit 2, 6 Banksia Street, Perth WA 6000", "Unit 2, 6 Banksia Street, Perth WA 6000"],
  ["200 Wellington Street West, Toronto, ON M5V 3C7", "200 Wellington Street West, Toronto, ON M5V 3C7"],
  ["write to P.O. Box 771, Reno, NV 89501", "P.O. Box 771, Reno, NV 89501"],
  ["Meet me at PSC 1437, Box 3833\nAPO AA 66791", "PSC 1437, Box 3833\nAPO AA 66791"],
  [
    "Ada King\n4241 Dalmatinova 43 Apt. 678\nVelenje\nSlovenia 33201\n",
    "4241 Dalmatinova 43 Apt. 678\nVelenje\nSlovenia 33201",
  ],
  ["her address is 947 trg revolucije 17 apt. 858, thanks", "947 trg revolucije 17 apt. 858"],
  ["She lives at 5049 Harjukuja 54.", "5049 Harjukuja 54"],
  ["at the corner of Harbour 12 and Queen Alley", "the corner of Harbour 12 and Queen Alley"],
  ["To:\n5 Hill Road\nDerby DE1 2AB\nthanks", "5 Hill Road\nDerby DE1 2AB"],
])("finds the address in %j", (text, address) => {
  expect(addressesOf(text)).toEqual([address]);
});

it.each([
  "",
  "12",
  "Address the 3 issues first.",
  "Wall Street lost 300 points.",
  "the road to 2030",
  "In 1984 Park Avenue coats were in fashion.",
  "Chapter 7 The Long Way Home",
  "Order 12345 Berlin office chairs.",
  "PO 4500012345 was approved",
  "We drove 20 miles on the highway.",
  "10.0.0.1",
  "Section 8 Court fees",
  "up 14 on 62270",
  "There are 5 houses on a street, and each has 3 rooms.",
  "IP address: 10 Gbit link",
  "The meeting is located at 10 am on Monday.",
  "Office Suite 2019 was released.",
  "During 2017, Northwind invested heavily.",
])("finds none in %j", (text) => {
  expect(addressesOf(text)).toEqual([]);
});

describe.each(["tuning", "held-out"] as const)("%s half", (half) => {
  it("reaches the documented accuracy", async () => {
    const { precision, recall, errors } = await accuracyOf(sentencesOf("address", half), detectAddress, false);
    const shown = JSON.stringify(errors.slice(0, 5));
    expect(precision, shown).toBeGreaterThanOrEqual(0.94);
    expect(recall, shown).toBeGreaterThanOrEqual(0.95);
  });
});
