import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";

export interface FirstProvider {
  slug: string;
  name: string;
}

export function ProviderStep({ existing }: { existing: FirstProvider | null }) {
  if (existing) {
    return (
      <p className="text-sm text-muted">
        “<TextLink href={`/providers/${encodeURIComponent(existing.slug)}`}>{existing.name}</TextLink>” is connected.
      </p>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">
        The built-in model needs no provider. To call real ones, connect OpenAI, Anthropic or another endpoint with your
        own credentials.
      </p>
      <LinkButton href="/providers/new">Add provider</LinkButton>
    </>
  );
}
