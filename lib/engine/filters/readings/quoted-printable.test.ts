import { expect, it } from "vitest";
import { quotedPrintableForm } from "./quoted-printable";

it.each([
  ["alice=40example.com", "alice@example.com"],
  ["Caf=C3=A9 M=C3=BCller =E2=82=AC 20", "Café Müller € 20"],
  ["4111 1111 =\n1111 1111", "4111 1111 1111 1111"],
  ["caf=C3=A9 =E9 stays", "café =E9 stays"],
  ["const a =\n  1", undefined],
  ["if (status=404) {", undefined],
  ["a=40;b=41", undefined],
  ["?size=40x30&q=C3", undefined],
  ["QUJD==\n-----END", undefined],
])("reads %j as %j", (text, decoded) => expect(quotedPrintableForm(text)?.text).toBe(decoded));
