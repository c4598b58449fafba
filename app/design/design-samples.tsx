"use client";
import { Inbox } from "lucide-react";
import { PageHeader } from "@/components/layout/page-header";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { MonoId } from "@/components/ui/mono-id";
import { ChartSamples } from "./chart-samples";
import { CodeSamples } from "./code-samples";
import { ControlSamples } from "./control-samples";
import { ListSamples } from "./list-samples";
import { OverlaySamples } from "./overlay-samples";

const TONES = ["neutral", "accent", "success", "warning", "danger"] as const;
const VARIANTS = ["primary", "secondary", "ghost", "danger"] as const;

export function DesignSamples() {
  return (
    <div className="grid gap-6">
      <PageHeader title="Design" description="Console components in all their states." />
      <Card id="buttons" title="Buttons and badges" className="grid gap-3">
        <div className="flex flex-wrap gap-2">
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <Button disabled>disabled</Button>
          <Button size="sm">small</Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <MonoId value="0193c9a4-7a4b-7c1e-9c3f-1e5d8a7b6c5d" name="id" />
        </div>
      </Card>
      <Card id="messages" title="Messages" className="grid gap-3">
        <Alert kind="info" title="Informational message" />
        <Alert kind="warning" title="Warning message">
          With a second sentence.
        </Alert>
        <Alert kind="danger" title="Something failed" action={<Button size="sm">Try again</Button>} />
        <EmptyState icon={Inbox} title="Nothing here yet" action={<Button variant="primary">Create one</Button>}>
          What this list is for.
        </EmptyState>
      </Card>
      <ControlSamples />
      <OverlaySamples />
      <ListSamples />
      <ChartSamples />
      <CodeSamples />
    </div>
  );
}
