import { z } from "zod";
import * as audit from "./audit/contract";
import * as catalogue from "./catalogue/contract";
import * as generationContent from "./generations/content-contract";
import * as generations from "./generations/contract";
import * as assignments from "./guardrails/assignments-contract";
import * as guardrails from "./guardrails/contract";
import { operation, type Operation } from "./http/operation";
import * as inference from "./inference/contract";
import * as keys from "./keys/contract";
import * as members from "./members/contract";
import * as models from "./models/contract";
import * as policy from "./policy/contract";
import * as presets from "./presets/contract";
import * as providers from "./providers/contract";
import * as providerImport from "./providers/import-contract";
import * as workspaces from "./workspaces/contract";

export const getOpenApiDocument = operation({
  id: "getOpenApiDocument",
  method: "GET",
  path: "/openapi.json",
  tag: "Documentation",
  summary: "This document",
  access: "public",
  status: 200,
  result: z.looseObject({ openapi: z.string() }),
  errors: [500],
});

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "id" in value && "method" in value && "access" in value;

const declaredIn = (contract: object): Operation[] => Object.values(contract).filter(isOperation);

/** The whole API below `/v1`, in the order of the reference. */
export const operations: readonly Operation[] = [inference, generations, generationContent, presets, guardrails, assignments, policy, keys, members, workspaces, providers, providerImport, catalogue, models, audit].flatMap(declaredIn).concat(getOpenApiDocument);
