import { DOMParser, XMLSerializer } from "@xmldom/xmldom";
import { storableText } from "../../platform/database/storable-json";
import { quoted, SamlError } from "./saml-error";
import { MAX_MESSAGE_BYTES } from "./vocabulary";

export const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
export const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
export const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
export const SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
export const ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#";

export const REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
export const POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";

const MAX_DEPTH = 50;
const MAX_ELEMENTS = 5000;
const MAX_ATTRIBUTES = 6000;

const ELEMENT_NODE = 1;
const PROCESSING_INSTRUCTION_NODE = 7;
const COMMENT_NODE = 8;

const isElement = (node: Node): node is Element => node.nodeType === ELEMENT_NODE;

const notXml = (what: string, detail: string, cause?: unknown) =>
  new SamlError("not_xml", `The ${what} isn't well-formed XML: ${detail}`, { cause });

/** Decodes the base64 text of a message's parameter. */
export function decodeBase64(text: string, what: string): Buffer {
  if (text.length > MAX_MESSAGE_BYTES)
    throw new SamlError("too_large", `The ${what} is larger than ${MAX_MESSAGE_BYTES / 1024} kB`);
  if (!/^[\sA-Za-z0-9+/]+={0,2}\s*$/.test(text)) throw notXml(what, "it isn't encoded as base64");
  return Buffer.from(text, "base64");
}

/** Decodes UTF-8, which every message and metadata document must have. */
export function decodeText(bytes: Buffer, what: string): string {
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw new SamlError("too_large", `The ${what} is larger than ${MAX_MESSAGE_BYTES / 1024} kB`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw notXml(what, "it isn't encoded as UTF-8", error);
  }
}

/**
 * Parses a document without a document type, so that it has no entities. A message also has no comments and processing instructions:
 * canonicalization drops comments, so that a signature doesn't show where one splits a value.
 */
export function parseXml(xml: string, what: string, { allowsComments = false } = {}): Element {
  if (Buffer.byteLength(xml) > MAX_MESSAGE_BYTES)
    throw new SamlError("too_large", `The ${what} is larger than ${MAX_MESSAGE_BYTES / 1024} kB`);
  // Before parsing, because the parser's time grows with the square of an element's attributes and of the depth.
  if (xml.split("=").length > MAX_ATTRIBUTES)
    throw new SamlError("too_large", `The ${what} has more than ${MAX_ATTRIBUTES} attributes`);
  if (xml.split("<").length > 2 * MAX_ELEMENTS)
    throw new SamlError("too_large", `The ${what} has more than ${MAX_ELEMENTS} elements`);
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new SamlError("forbidden_xml", `The ${what} has a document type declaration, which isn't accepted`);
  const root = parsed(xml, what);
  checkNodes(root.ownerDocument, what, allowsComments);
  checkCharacters(root, what);
  return root;
}

function parsed(xml: string, what: string): Element {
  const fail = (message: unknown): never => {
    throw notXml(what, String(message).split("\n")[0] ?? "");
  };
  try {
    const document = new DOMParser({
      locator: {},
      errorHandler: { warning: fail, error: fail, fatalError: fail },
    }).parseFromString(xml, "text/xml") as Document | undefined;
    const root = document?.documentElement;
    if (root) return root;
  } catch (error) {
    throw error instanceof SamlError ? error : notXml(what, "it can't be parsed", error);
  }
  throw notXml(what, "it has no element");
}

/** Bounds the depth, because canonicalization is recursive. */
function checkNodes(document: Document, what: string, allowsComments: boolean) {
  const open: [Node, number][] = [[document, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next;
    if (depth > MAX_DEPTH) throw new SamlError("too_large", `The ${what} has more than ${MAX_DEPTH} nested elements`);
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (!allowsComments && child.nodeType === COMMENT_NODE)
        throw new SamlError(
          "forbidden_xml",
          `The ${what} has a comment in ${quoted(node.nodeName)}, which isn't accepted`,
        );
      if (child.nodeType === PROCESSING_INSTRUCTION_NODE && child.nodeName !== "xml")
        throw new SamlError("forbidden_xml", `The ${what} has a processing instruction, which isn't accepted`);
      if (isElement(child)) open.push([child, depth + 1]);
    }
  }
}

/** Refuses characters that XML doesn't allow, and that can't be stored, but that the parser accepts as references. */
function checkCharacters(root: Element, what: string) {
  const attributes = [...elementsOf(root)].flatMap((element) => Array.from(element.attributes, ({ value }) => value));
  if ([root.textContent, ...attributes].some((text) => storableText(text) !== text))
    throw notXml(what, "it has a character that XML doesn't allow");
}

export const serialized = (node: Node): string => new XMLSerializer().serializeToString(node);

export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name;

export function childrenOf(parent: Element): Element[] {
  const children: Element[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) if (isElement(child)) children.push(child);
  return children;
}

export const childrenNamed = (parent: Element, namespace: string, name: string): Element[] =>
  childrenOf(parent).filter((child) => isNamed(child, namespace, name));

/** Returns the only child with the name, or null. Refuses several. */
export function onlyChild(parent: Element, namespace: string, name: string): Element | null {
  const [first = null, ...others] = childrenNamed(parent, namespace, name);
  if (others.length > 0)
    throw new SamlError(
      "wrong_structure",
      `${parent.localName} has ${others.length + 1} ${name} elements, expected one`,
    );
  return first;
}

/** The element and everything below it. */
export function* elementsOf(root: Element): Generator<Element> {
  const open: Element[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    open.push(...childrenOf(next).toReversed());
  }
}

export const elementsNamed = (root: Element, namespace: string, name: string): Element[] =>
  [...elementsOf(root)].filter((element) => isNamed(element, namespace, name));

/** The value of an attribute, or null if it is missing or empty. */
export const attributeOf = (element: Element, name: string): string | null => element.getAttribute(name) || null;

/** The text of an element without surrounding white space, or null if it is empty. */
export const textOf = (element: Element | null): string | null => element?.textContent.trim() || null;

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,20})?(?<zone>Z|[+-]\d\d:\d\d)?$/;

/** Reads an `xs:dateTime`. One without a time zone is in UTC, as SAML requires. */
export function instantOf(element: Element, name: string): Date | null {
  const text = attributeOf(element, name);
  if (text === null) return null;
  const match = DATE_TIME.exec(text);
  const instant = new Date(match?.groups?.["zone"] ? text : `${text}Z`);
  if (!match || Number.isNaN(instant.getTime()))
    throw new SamlError("wrong_structure", `${name} of ${element.localName} isn't a time: ${quoted(text)}`);
  return instant;
}
