import { expect, it } from "vitest";
import { createChatCompletion, createResponse } from "./contract";
import { createCompletion } from "./completions-contract";
import { createEmbeddings } from "./embeddings-contract";
import { countMessageTokens, createMessage } from "./messages-contract";
import { createModeration } from "./moderations-contract";
import { TEXT_FIELDS } from "./vocabulary";

it.each([
  createChatCompletion,
  createResponse,
  createMessage,
  countMessageTokens,
  createCompletion,
  createEmbeddings,
  createModeration,
])("$id takes texts that contain NUL", ({ withNul }) => expect(withNul).toEqual(TEXT_FIELDS));
