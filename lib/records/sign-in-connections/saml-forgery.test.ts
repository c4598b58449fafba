import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "../../testing/random";
import { edited } from "../../testing/saml-attacks";
import { samlConfigFor } from "../../testing/saml-config";
import { publicKeyOf, readServiceMetadata, SamlProvider } from "../../testing/saml-provider";
import type { SamlConfig } from "./saml-config";
import { SamlError } from "./saml-error";
import { serviceMetadata } from "./saml-metadata";
import { verifyResponse } from "./saml-response";
import { elementsOf } from "./saml-xml";

let provider: SamlProvider;
let config: SamlConfig;
let responses: string[];

beforeAll(async () => {
  provider = await SamlProvider.start();
  config = await samlConfigFor(provider);
  provider.service = readServiceMetadata(serviceMetadata(config, "_metadata"));
  const certificate = config.spCertificate;
  const encryption = { encryptionCert: certificate, encryptionPublicKey: publicKeyOf(certificate) };
  responses = await Promise.all(
    [{}, { signResponse: true }, { signResponse: true, signAssertion: false }, encryption].map((options) =>
      provider.response({ inResponseTo: "_request", ...options }),
    ),
  );
});
afterAll(() => provider.close());

/** Whom a response signs in; null if it is refused. */
async function personOf(xml: string): Promise<object | null> {
  try {
    const { identity, inResponseTo } = await verifyResponse(Buffer.from(xml).toString("base64"), {
      config,
      now: new Date(),
    });
    return { ...identity, inResponseTo };
  } catch (error) {
    if (error instanceof SamlError) return null;
    throw error;
  }
}

/** Either refused, or the same person with the same attributes. */
async function expectUnforged(original: string, changed: string) {
  const person = await personOf(changed);
  if (person !== null) expect(person).toEqual(await personOf(original));
}

const which = fc.nat({ max: 3 });
const at = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe("a signed response", () => {
  it("can't be changed by a character into another person's", async () => {
    await fc.assert(
      fc.asyncProperty(
        which,
        at,
        fc.nat({ max: 3 }),
        fc.string({ maxLength: 4 }),
        async (index, place, length, text) => {
          const original = responses[index] ?? "";
          const from = Math.floor(place * original.length);
          await expectUnforged(original, original.slice(0, from) + text + original.slice(from + length));
        },
      ),
      { numRuns: cases(1000) },
    );
  });

  it("can't be wrapped, in any arrangement of its elements", async () => {
    const place = fc.constantFrom("inside", "before", "after", "instead" as const);
    await fc.assert(
      fc.asyncProperty(
        which,
        at,
        at,
        place,
        fc.boolean(),
        fc.boolean(),
        async (index, of, to, where, isNew, isMoved) => {
          const original = responses[index] ?? "";
          const changed = edited(original, (root) => {
            const all = [...elementsOf(root)];
            const source = all[Math.floor(of * all.length)] as Element;
            const target = all[Math.floor(to * all.length)] as Element;
            const copy = source.cloneNode(true) as Element;
            if (isNew) for (const one of elementsOf(copy)) if (one.hasAttribute("ID")) one.setAttribute("ID", "_evil");
            for (const one of elementsOf(isMoved ? source : copy))
              if (one.localName === "NameID") one.textContent = "admin";
            if (where === "inside" || target === root) target.appendChild(copy);
            else if (where === "instead") target.parentNode?.replaceChild(copy, target);
            else target.parentNode?.insertBefore(copy, where === "before" ? target : target.nextSibling);
          });
          await expectUnforged(original, changed);
        },
      ),
      { numRuns: cases(1000) },
    );
  });
});
