import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor";

const instants = fc.date({ min: new Date(0), max: new Date("5000-12-31T23:59:59.999Z"), noInvalidDate: true });
const ids = fc.stringMatching(/^[\w-]{1,100}$/);

describe("cursor", () => {
  it("round-trips a position", () => {
    fc.assert(
      fc.property(instants, ids, (createdAt, id) => {
        expect(decodeCursor(encodeCursor([createdAt, id]))).toEqual([createdAt, id]);
      }),
    );
  });

  it("is rejected with an id of another list", () => {
    const cursor = encodeCursor([new Date(0), "gen-1"]);
    expect(() => decodeCursor(cursor, (id) => id.startsWith("req-"))).toThrow(expect.objectContaining({ status: 400 }));
  });

  it("is rejected with 400 on its field when malformed", () => {
    for (const text of [
      "",
      "x",
      "%%%",
      Buffer.from("1~").toString("base64url"),
      Buffer.from("999999999999999~a b").toString("base64url"),
    ]) {
      expect(() => decodeCursor(text)).toThrow(
        expect.objectContaining({ status: 400, metadata: { issues: [expect.objectContaining({ path: ["cursor"] })] } }),
      );
    }
  });
});
