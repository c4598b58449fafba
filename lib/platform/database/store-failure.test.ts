import { describe, expect, it } from "vitest";
import { Prisma } from "../../../prisma/generated/client";
import { StatementError } from "./statement";
import { storeFailure } from "./store-failure";

const known = (code: string, cause?: object) =>
  new Prisma.PrismaClientKnownRequestError("boom", {
    code,
    clientVersion: "7",
    ...(cause && { meta: { driverAdapterError: { cause } } }),
  });

const ofStatement = (fields: object) => new StatementError(Object.assign(new Error("boom"), fields));

describe("storeFailure", () => {
  it.each([
    ["a cancelled statement", known("P2010", { kind: "postgres", originalCode: "57014" }), 524],
    ["a cancelled statement of a model query", known("P2039", { kind: "postgres", originalCode: "57014" }), 524],
    ["a slow connection", known("P1002"), 524],
    ["a slow operation", known("P1008"), 524],
    ["an unreachable server", known("P1001", { kind: "DatabaseNotReachable" }), 502],
    ["an unreachable server in a raw query", known("P2010", { kind: "DatabaseNotReachable" }), 502],
    ["a closed connection", known("P1017"), 502],
    ["a server shutting down", known("P2010", { kind: "postgres", originalCode: "57P01" }), 502],
    ["a client that can't start", new Prisma.PrismaClientInitializationError("boom", "7"), 502],
    ["no free connection", known("P2024"), 529],
    ["no transaction in time", known("P2028"), 529],
    ["too many clients", known("P2010", { kind: "postgres", originalCode: "53300" }), 529],
    ["a cancelled prepared statement", ofStatement({ code: "57014" }), 524],
    ["a prepared statement on a server shutting down", ofStatement({ code: "57P01" }), 502],
    ["a prepared statement whose connection was refused", ofStatement({ code: "ECONNREFUSED" }), 502],
    ["a prepared statement whose connection was lost", ofStatement({}), 502],
    ["a prepared statement for which there is no connection", ofStatement({ code: "53300" }), 529],
  ])("%s", (_name, error, status) => {
    expect(storeFailure(error)?.status).toBe(status);
  });

  it.each([
    ["a unique violation", known("P2002")],
    ["a unique violation of a prepared statement", ofStatement({ code: "23505" })],
    ["a full disk", ofStatement({ code: "53100" })],
    ["a programming error", new TypeError("boom")],
    ["nothing", null],
  ])("%s is not a store failure", (_name, error) => {
    expect(storeFailure(error)).toBeNull();
  });
});
