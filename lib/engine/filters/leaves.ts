import { isJsonObject } from "../../platform/json-values";
import type { Protocol } from "../endpoint";
import { MEDIA, OPAQUE, requestVocabulary, UNSCANNED, type Vocabulary } from "./coverage";
import { fieldsInRequest, isMediaPlace, isOpaque, isSealField, type LeafPath } from "./places";

/**
 * Form of a leaf: a text, JSON that must stay valid, base64 or a data URL of media or of a file, a number, or the name
 * of a property.
 */
export type LeafForm = "text" | "json" | "media" | "file" | "number" | "name";

/** A string, property name or number that is scanned. */
export interface Leaf {
  /** Path in the caller's body; for a property's name, the path of the property. */
  path: LeafPath;
  text: string;
  form: LeafForm;
  /** True when it belongs to a message of role `user`. */
  isUser: boolean;
  /** True when the request breaks if it is rewritten: a name, an id, a URL, a grammar. */
  isFixed: boolean;
  /** Ordinal of the message or item that it is a text of, which is read after the one before; null for other fields. */
  turn: number | null;
  /** Name of the property whose value it is, unless a protocol defines it: it may say what the value is. */
  label?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The context that a value passes on to those inside it: its place in the conversation. */
interface Place {
  path: LeafPath;
  isUser: boolean;
  turn: number | null;
  vocabulary: Vocabulary;
}

const WEB_URL = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** Identifiers, which refer to something, unless they contain several words. */
const IDENTIFIER =
  /^(?:type|role|status|phase|id|\w+_ids?|server_label|authorization|required|ref|\$\w+|encrypted_content|signature|media_type|\w+_name|syntax|format|inherited_function_names|allowed_tools|analysis_models)$/;
/** Source text of grammars, which breaks when it is changed. */
const SOURCE = /^(?:pattern|definition)$/;
/** Records with keys of the caller's own, so that no key makes its value an identifier. */
const RECORDS = new Set(["action", "operation", "metadata", "variables"]);
/** Places where a name identifies a tool, a call or a format. */
const NAMED = new Set(["tools", "tool_choice", "function", "json_schema", "format"]);
/** Fields of the call of a tool, whose name identifies it. */
const CALLED = ["arguments", "call_id", "input"];
/** Texts that aren't part of what is said. */
const ASIDE = /^(?:filename|name|url|\w+_url|arguments|detail)$/;
/** Numbers with fewer digits aren't personal data. */
export const SHORT_NUMBER = 1_000_000;
/** Fields of the conversation, in the order in which a model reads them. */
const INSTRUCTIONS = ["instructions", "system"];
const CONVERSATION = new Set([...INSTRUCTIONS, "messages", "input"]);

/**
 * Yields every string, property name and long number of a request body, in the order of the body but instructions first,
 * except those that lib/engine/filters/coverage.ts exempts. A value without a text is null, so that a walk over very many of them can
 * pause.
 */
export function* leavesOf(protocol: Protocol, body: Fields): Generator<Leaf | null> {
  const vocabulary = requestVocabulary();
  const place: Place = { path: [], isUser: false, turn: null, vocabulary };
  let turn = 0;
  for (const key of new Set([...INSTRUCTIONS.filter((name) => name in body), ...Object.keys(body)])) {
    if (UNSCANNED[protocol].has(key)) continue;
    yield* nameLeaf(key, place);
    const value = body[key];
    if (!CONVERSATION.has(key)) yield* below(value, key, body, { ...place, path: [key] });
    else if (Array.isArray(value))
      for (const [index, item] of value.entries())
        yield* below(item, key, body, {
          ...place,
          path: [key, index],
          isUser: isJsonObject(item) && item["role"] === "user",
          turn: turn++,
        });
    else yield* below(value, key, body, { ...place, path: [key], isUser: key === "input", turn: turn++ });
  }
}

/** Yields the leaves of a value in the field `key` of `owner`, possibly within lists. */
function* below(value: unknown, key: string, owner: Fields, place: Place): Generator<Leaf | null> {
  if (typeof value === "string") yield stringLeaf(value, key, owner, place);
  else if (typeof value === "number") yield numberLeaf(value, key, place);
  else if (Array.isArray(value))
    for (const [index, part] of value.entries())
      yield* below(part, key, owner, { ...place, path: [...place.path, index] });
  else if (isJsonObject(value))
    for (const name of Object.keys(value)) {
      yield* nameLeaf(name, place);
      yield* below(value[name], name, value, { ...place, path: [...place.path, name] });
    }
  else yield null;
}

function* nameLeaf(name: string, { path, isUser, vocabulary }: Place): Generator<Leaf> {
  if (!vocabulary.names.has(name))
    yield { path: [...path, name], text: name, form: "name", isUser, isFixed: true, turn: null };
}

function numberLeaf(value: number, key: string, { path, isUser, vocabulary }: Place): Leaf | null {
  if (Math.abs(value) < SHORT_NUMBER || !Number.isFinite(value)) return null;
  const isDefined = vocabulary.names.has(key) && path.length === 1;
  if (isDefined) return null;
  const label = labelOf(key, vocabulary);
  return { path, text: String(value), form: "number", isUser, isFixed: false, turn: null, label };
}

function stringLeaf(value: string, key: string, owner: Fields, { path, isUser, turn, vocabulary }: Place): Leaf | null {
  if (value.length <= vocabulary.longest && vocabulary.values.get(key)?.has(value)) return null;
  if (!isUser && isOpaque(value) && isSealField(OPAQUE, fieldsInRequest(path), path, owner)) return null;
  const form = formOf(value, key, owner, path);
  const isFixed = form === "text" && isReference(value, key, owner, path);
  const isSaid = form === "text" && !isFixed && !ASIDE.test(key);
  return { path, text: value, form, isUser, isFixed, turn: isSaid ? turn : null, label: labelOf(key, vocabulary) };
}

/** Returns the name of a property if it is the caller's or the model's own. */
export const labelOf = (key: string, { names }: Vocabulary): string | undefined => (names.has(key) ? undefined : key);

function formOf(value: string, key: string, owner: Fields, path: LeafPath): LeafForm {
  if (key === "arguments") return "json";
  if (!isMediaPlace(path)) return "text";
  if (key === "file_data") return WEB_URL.test(value) ? "text" : "file";
  if (key === "data" && path.at(-2) === "source" && owner["type"] === "base64")
    return String(owner["media_type"]).startsWith("image/") ? "media" : "file";
  const isMedia =
    (MEDIA.has(key) && /^data:/i.test(value)) ||
    key === "b64_json" ||
    (key === "data" && path.at(-2) === "input_audio") ||
    (key === "result" && owner["type"] === "image_generation_call");
  return isMedia ? "media" : "text";
}

/** True for values that software reads: a changed one breaks the request. */
function isReference(value: string, key: string, owner: Fields, path: LeafPath): boolean {
  if (path.some((part, index) => RECORDS.has(String(part)) || (part === "input" && index > 0))) return false;
  if (SOURCE.test(key)) return true;
  if (/^(?:url|\w+_url|file_data)$/.test(key)) return WEB_URL.test(value);
  if (key === "name") return CALLED.some((field) => field in owner) || path.some((part) => NAMED.has(String(part)));
  return IDENTIFIER.test(key) && /^\S*$/.test(value);
}
