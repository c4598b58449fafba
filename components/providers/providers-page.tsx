"use client";
import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { PageHeader } from "@/components/layout/page-header";
import { ModelList } from "@/components/models/model-list";
import { NewModel } from "@/components/models/new-model";
import { useCreating } from "@/components/layout/use-creating";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { ProviderList } from "./provider-list";
import { PROVIDERS_STATE } from "./provider-queries";

const TABS = [
  { value: "providers", label: "Providers" },
  { value: "models", label: "Models" },
] as const;

export function ProvidersPage() {
  const [{ tab }, setState] = useQueryStates(PROVIDERS_STATE, { history: "push" });
  const canEdit = useMay("providers:write");
  const [isCreating, setCreating] = useCreating();
  const show = (next: typeof tab) =>
    void setState({ tab: next, q: null, sort: null, offset: null, provider: null, model: null });
  const action =
    tab === "providers" ? (
      <LinkButton variant="primary" href="/providers/new">
        <Plus aria-hidden /> Add provider
      </LinkButton>
    ) : (
      <Button variant="primary" onClick={() => setCreating(true)}>
        <Plus aria-hidden /> Add model
      </Button>
    );
  return (
    <>
      <PageHeader
        title="Providers & models"
        description="Where requests are routed, the available models, and their prices."
        action={canEdit && action}
      />
      <Tabs label="Providers and models" value={tab} onChange={show} items={TABS}>
        <TabPanel value="providers">
          <ProviderList />
        </TabPanel>
        <TabPanel value="models">
          <ModelList />
        </TabPanel>
      </Tabs>
      <NewModel open={canEdit && isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
