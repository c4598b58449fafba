import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { modelListQuery } from "@/components/models/model-queries";
import { ProviderDetail } from "@/components/providers/provider-detail";
import { catalogueQuery, healthQuery, providerQuery } from "@/components/providers/provider-queries";

type Props = PageProps<{ slug: string }>;

const slugOf = async ({ params }: Props) => decodeURIComponent((await params).slug);

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: `Provider ${await slugOf(props)}`,
});

export default async function Page(props: Props) {
  const slug = await slugOf(props);
  return (
    <Prefetch
      queries={[
        providerQuery(slug),
        modelListQuery({ offset: 0, sort: null, q: null, provider: slug }),
        healthQuery,
        catalogueQuery,
      ]}
    >
      <ProviderDetail slug={slug} />
    </Prefetch>
  );
}
