import { DriverAdapterError } from "@prisma/driver-adapter-utils";
import { describe, expect, it } from "vitest";
import { Prisma } from "../../../prisma/generated/client";
import { StatementError } from "./statement";
import { isConflict, isStoreFull, isTimedOut, noteStoreFailure, storeFailure } from "./store-failure";

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
    [
      "a server that ends while a transaction is committed",
      new DriverAdapterError({
        kind: "postgres",
        code: "57P01",
        originalCode: "57P01",
        severity: "FATAL",
        message: "terminating connection",
        detail: undefined,
        column: undefined,
        hint: undefined,
      }),
      502,
    ],
    ["a client that can't start", new Prisma.PrismaClientInitializationError("boom", "7"), 502],
    ["no free connection", known("P2024"), 529],
    ["no transaction in time", known("P2028"), 529],
    ["too many clients", known("P2010", { kind: "postgres", originalCode: "53300" }), 529],
    ["a cancelled prepared statement", ofStatement({ code: "57014" }), 524],
    ["a prepared statement on a server shutting down", ofStatement({ code: "57P01" }), 502],
    ["a prepared statement whose connection was refused", ofStatement({ code: "ECONNREFUSED" }), 502],
    ["a prepared statement whose connection was lost", ofStatement({}), 502],
    ["a prepared statement for which there is no connection", ofStatement({ code: "53300" }), 529],
    ["a connection lost within a query", new Error("Connection terminated unexpectedly"), 502],
    ["a query on a lost connection", new Error("Client has encountered a connection error and is not queryable"), 502],
    ["an unreachable network", Object.assign(new Error("x"), { code: "EHOSTUNREACH", syscall: "connect" }), 502],
    ["a full disk", known("P2039", { kind: "postgres", originalCode: "53100" }), 502],
    ["a full disk in a prepared statement", ofStatement({ code: "53100" }), 502],
    ["a server that only reads", known("P2010", { kind: "postgres", originalCode: "25006" }), 502],
    ["a server without memory", ofStatement({ code: "53200" }), 529],
  ])("%s", (_name, error, status) => {
    expect(storeFailure(error)).toMatchObject({ status, headers: { "retry-after": "1" } });
  });

  it.each([
    ["a unique violation", known("P2002")],
    ["a unique violation of a prepared statement", ofStatement({ code: "23505" })],
    [
      "an error of a system call that has nothing to do with it",
      Object.assign(new Error("x"), { code: "ENOENT", syscall: "open" }),
    ],
    ["an upstream that can't be reached", new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })],
    ["a programming error", new TypeError("boom")],
    ["nothing", null],
  ])("%s is not a store failure", (_name, error) => {
    expect(storeFailure(error)).toBeNull();
  });
});

it.each([
  ["a cancelled statement", known("P2010", { kind: "postgres", originalCode: "57014" }), true],
  ["a transaction that is over its time", known("P2028"), true],
  ["no free connection", known("P2024"), false],
  ["a closed connection", known("P1017"), false],
])("whether %s timed out", (_name, error, expected) => {
  expect(isTimedOut(error)).toBe(expected);
});

it.each([
  ["a unique violation", known("P2002"), true],
  ["a deadlock of a model query", known("P2034", { kind: "TransactionWriteConflict", originalCode: "40P01" }), true],
  ["a deadlock of a raw query", known("P2010", { kind: "TransactionWriteConflict", originalCode: "40P01" }), true],
  ["a deadlock of a prepared statement", ofStatement({ code: "40P01" }), true],
  ["a violation of a check in a raw query", known("P2010", { kind: "postgres", originalCode: "23514" }), false],
  ["a programming error", new TypeError("boom"), false],
])("whether %s is a conflict", (_name, error, expected) => {
  expect(isConflict(error)).toBe(expected);
});

it("a full disk is noted for a few seconds, other failures aren't", () => {
  noteStoreFailure(known("P1001"), 0);
  expect(isStoreFull(0)).toBe(false);
  noteStoreFailure(ofStatement({ code: "53100" }), 1000);
  expect([isStoreFull(1000), isStoreFull(5999), isStoreFull(6000)]).toEqual([true, true, false]);
});
