// Addresses of each country that are found, in each form: bench/filter-accuracy.md#addresses-by-country.
import { detectAddress } from "../lib/engine/filters/detectors/address";
import { ADDRESS_FORMS, missedAddresses, nationalAddresses } from "../lib/testing/national-addresses";

const say = (line: string) => process.stdout.write(`${line}\n`);

export function benchAddresses(): void {
  say(`| Country | ${ADDRESS_FORMS.join(" | ")} |\n|---|${"---|".repeat(ADDRESS_FORMS.length)}`);
  const heldOut = new Map(nationalAddresses("held-out"));
  for (const [country, tuning] of nationalAddresses("tuning")) {
    const addresses = [...tuning, ...(heldOut.get(country) ?? [])];
    const found = ADDRESS_FORMS.map(
      (form) => addresses.length - missedAddresses(detectAddress, addresses, form).length,
    );
    say(`| ${country} | ${found.map((count) => `${count} of ${addresses.length}`).join(" | ")} |`);
  }
  say("");
}
