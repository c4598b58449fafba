import { uuidv7 } from "../platform/ids";
import type { ProviderKind } from "../records/providers/vocabulary";
import type { UpstreamProtocol } from "../engine/protocols/vocabulary";
import { NOW, type World } from "./test-context";

/** Inserts a provider of the world's organization. */
export async function createProvider(
  { context, organizationId }: World,
  {
    slug = "acme",
    zdr = false,
    baseUrl = "https://api.acme.example/v1",
    protocol = "chat_completions",
    kind = "openai",
  }: { slug?: string; zdr?: boolean; baseUrl?: string; protocol?: UpstreamProtocol; kind?: ProviderKind } = {},
): Promise<string> {
  const id = uuidv7(NOW);
  const data = { id, organizationId, slug, name: slug, baseUrl, kind, protocol, zdr, createdAt: NOW };
  await context.db.provider.create({ data });
  return id;
}

/** Inserts a model with one endpoint. */
export async function createModel(
  { context, organizationId }: World,
  { slug, providerId }: { slug: string; providerId: string },
): Promise<void> {
  await context.db.model.create({
    data: {
      id: uuidv7(NOW),
      organizationId,
      slug,
      canonicalSlug: slug,
      name: slug,
      vendor: slug.split("/", 1)[0] ?? slug,
      createdAt: NOW,
      endpoints: {
        create: {
          id: uuidv7(NOW),
          providerId,
          upstreamModel: slug,
          pricePrompt: "1",
          priceCompletion: "2",
          createdAt: NOW,
        },
      },
    },
  });
}
