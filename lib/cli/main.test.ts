import { expect, it } from "vitest";
import { main } from "./main";

it.each([
  [["plan"], "Missing file: signalbox plan <file>"],
  [["plan", "one.yaml", "two.yaml"], "plan takes one file, not also two.yaml"],
  [["export", "policy.yaml"], "export takes no file; use --out to set the output file"],
])("%j is refused: %s", async (argv, message) => {
  let err = "";
  const io = {
    isTerminal: false,
    out: () => undefined,
    err: (text: string) => void (err += text),
    environment: {},
    now: new Date("2026-11-28T12:00:00Z"),
  };
  expect(await main(argv, io)).toBe(1);
  expect(err).toBe(`${message}\n`);
});
